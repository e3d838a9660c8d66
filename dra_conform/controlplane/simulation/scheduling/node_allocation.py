"""Allocation of a pod's claims on a node, by the allocator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from dra_conform.allocator.grouped_refusals import RefusalGroup
from dra_conform.controlplane.parts import AllocatorPart
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import requests_of
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.kube.core import Node
from dra_conform.kube.profile import Profile

Json = Any


class NodeAllocation(Protocol):
    """What claims get on nodes.

    `generation` changes whenever claims that did not fit on a node may do so now; it is None where nobody
    knows, and every question has to be asked.
    """

    @property
    def generation(self) -> int | None: ...

    def look(self) -> None:
        """An attempt begins: take note of what has changed."""

    def on(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Mapping[str, Json] | None:
        """What the claims get by `namespace/name`, None where they do not all fit; raises PhaseRefused."""

    def may_fail(self, claims: Sequence[Json], snapshot: Snapshot, profile: Profile) -> bool:
        """Whether claims like these can end in an error on a node; raises DecodeErrors."""

    def explain(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Sequence[RefusalGroup]:
        """Why claims do not fit on a node, device by device, as far as that is known; raises DecodeErrors."""


class AskedAllocation:
    """Another allocator; each question gets the next seed."""

    generation = None

    def __init__(self, allocator: AllocatorPart, seed: int) -> None:
        self._allocator = allocator
        self._seed = seed

    def look(self) -> None:
        """Each question says all that there is."""

    def on(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Mapping[str, Json] | None:
        """What the claims get by `namespace/name`, None where they do not all fit; raises PhaseRefused."""
        if not claims:
            return {}
        self._seed += 1
        known = {key_in(claim): claim for claim in (*snapshot.claims.values(), *claims)}
        objects = {**snapshot.objects, "resourceClaims": list(known.values())}
        ask = {"node": node.metadata.name, "claims": ["/".join(key_in(claim)[1:]) for claim in claims]}
        answer = self._allocator(objects, ask, profile, self._seed)
        match answer["outcome"]:
            case "allocated":
                found: Mapping[str, Json] = answer["allocations"]
                return found
            case "unallocatable":
                return None
            case _:
                said = "; ".join(one.get("message", "") for one in answer.get("reasons", ()))
                raise PhaseRefused(Code.ERROR, said or "allocation failed")

    def may_fail(self, claims: Sequence[Json], snapshot: Snapshot, profile: Profile) -> bool:
        """Those for all devices may; which selectors fail nobody knows before it is asked."""
        return any(_asks_for_all(request) for claim in claims for request in requests_of(claim))

    def explain(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Sequence[RefusalGroup]:
        """Another allocator does not say."""
        return ()


def _asks_for_all(request: Json) -> bool:
    alternatives = request.get("firstAvailable") or [request.get("exactly") or {}]
    return any(one.get("allocationMode") == "All" for one in alternatives)

"""Allocation of a pod's claims on a node, by the allocator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from dra_conform.allocator.allocation_decision import FailureReasonGroup
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import requests_of
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import AllocatorPart
from dra_conform.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.simulation.snapshot import Snapshot


class NodeAllocation(Protocol):
    """The allocator as the plugin DynamicResources calls it.

    `generation` changes whenever an allocation that failed may succeed now. It is None if this is unknown, so
    that failures cannot be cached.
    """

    @property
    def generation(self) -> int | None: ...

    def update(self) -> None:
        """Read the changes of the cluster at the start of an attempt."""

    def on(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Mapping[str, Json] | None:
        """Return the allocations on a node by `namespace/name`, None if not all fit; raises PhaseFailed."""

    def may_end_with_error(self, claims: Sequence[Json], snapshot: Snapshot, profile: Profile) -> bool:
        """Whether the allocation of claims with these specs can fail with an error; raises DecodeErrors."""

    def explain(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Sequence[FailureReasonGroup]:
        """Return the known reasons why claims cannot be allocated on a node; raise DecodeErrors."""


class DelegatedAllocation:
    """Allocation by another allocator; each request gets the next seed."""

    generation = None

    def __init__(self, allocator: AllocatorPart, seed: int) -> None:
        self._allocator = allocator
        self._seed = seed

    def update(self) -> None:
        """Do nothing, since each request has all objects."""

    def on(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Mapping[str, Json] | None:
        """Return the allocations on a node by `namespace/name`, None if not all fit; raises PhaseFailed."""
        if not claims:
            return {}
        self._seed += 1
        known = {key_in(claim): claim for claim in (*snapshot.claims.values(), *claims)}
        objects = {**snapshot.objects, "resourceClaims": list(known.values())}
        ask = {"node": node.metadata.name, "claims": ["/".join(key_in(claim)[1:]) for claim in claims]}
        answer = self._allocator(objects, ask, profile, self._seed)
        match answer["outcome"]:
            case "allocated":
                allocations: Mapping[str, Json] = answer["allocations"]
                return allocations
            case "unallocatable":
                return None
            case _:
                message = "; ".join(reason.get("message", "") for reason in answer.get("reasons", ()))
                raise PhaseFailed(Code.ERROR, message or "allocation failed")

    def may_end_with_error(self, claims: Sequence[Json], snapshot: Snapshot, profile: Profile) -> bool:
        """Whether a request has `allocationMode: All`; errors of other requests cannot be known in
        advance."""
        return any(_asks_for_all(request) for claim in claims for request in requests_of(claim))

    def explain(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Sequence[FailureReasonGroup]:
        """Return nothing, since the allocator's answer has no reasons."""
        return ()


def _asks_for_all(request: Json) -> bool:
    requests = request.get("firstAvailable") or [request.get("exactly") or {}]
    return any(exact.get("allocationMode") == "All" for exact in requests)

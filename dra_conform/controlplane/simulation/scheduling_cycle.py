"""One attempt to place a pod: its claims are allocated, reserved and made ready, then it is bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dra_conform.controlplane.acceptable_nodes import usable
from dra_conform.controlplane.parts import AllocatorPart, NotSimulated
from dra_conform.controlplane.simulation import special_claims
from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.clock import Clock
from dra_conform.controlplane.simulation.device_binding import Readiness, readiness, stamped
from dra_conform.controlplane.simulation.extended_resources import (
    SpecialClaim,
    classes_by_resource,
    is_special,
    special_claim,
    special_claim_of,
)
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.node_fit import node_resources_of_devices, unfit
from dra_conform.controlplane.simulation.pod_claims import Waiting, claims_for
from dra_conform.controlplane.simulation.pods import allocation_of, reservations_of, reserved_for
from dra_conform.controlplane.simulation.reserving import deallocate, reserve, unreserve
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.kube.core import Node
from dra_conform.kube.node_selectors import SelectorError
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import Profile

Json = Any


class Result(StrEnum):
    """How an attempt ends."""

    SCHEDULED = "Scheduled"
    UNSCHEDULABLE = "Unschedulable"
    ERROR = "Error"


class CycleEnded(Exception):  # noqa: N818 - it reads as what happened
    """The attempt ends without a node. `again`: the next one may end otherwise though nothing changes."""

    def __init__(self, result: Result, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.result = result
        self.again = again


@dataclass(frozen=True, slots=True)
class _Fit:
    """Where a pod fits, with what its claims get there, the one for extended resources among them."""

    node: str
    claims: Sequence[Json]
    allocations: Mapping[str, Json]
    special: SpecialClaim | None


class SchedulingCycle:
    """What the scheduler does for one pod after the other; `allocator` gets the seeds after `seed`."""

    def __init__(self, client: Client, allocator: AllocatorPart, clock: Clock, seed: int) -> None:
        self._client = client
        self._allocator = allocator
        self._clock = clock
        self._seed = seed

    def place(self, pod: Json) -> str:
        """Bind a pod and give the node; raises CycleEnded."""
        try:
            snapshot = Snapshot.of(self._client)
            fit = self._fit(pod, snapshot)
            self._bind(pod, fit)
        except Waiting as waiting:
            raise CycleEnded(Result.UNSCHEDULABLE, str(waiting)) from None
        except (DecodeErrors, SelectorError) as error:
            raise CycleEnded(Result.ERROR, str(error)) from None
        except WriteFailed as failed:
            raise CycleEnded(Result.ERROR, str(failed), again=failed.again) from None
        return fit.node

    def _bind(self, pod: Json, fit: _Fit) -> None:
        """Write down what fits, claims first. What was reserved is given up where a write fails."""
        claims, allocations = fit.claims, fit.allocations
        special = None
        try:
            if fit.special is not None:
                special = special_claims.make(fit.special, pod, self._client)
                claims = [*claims, special]
                allocations = {**allocations, _named(special): allocations[_named(fit.special.claim)]}
            reserve(pod, claims, allocations, self._client)
            current = [claim for key in map(key_in, claims) if (claim := self._client.get(key)) is not None]
            self._wait_for_devices(current)
            if fit.special is not None and special is not None:
                special_claims.record(pod, special, fit.special.mappings, self._client)
            self._client.bind(pod, fit.node)
        except (WriteFailed, CycleEnded) as end:
            if special is not None:
                special_claims.discard(special, self._client)
            if isinstance(end, WriteFailed):
                unreserve(pod, [one for one in fit.claims if not reserved_for(one, pod)], self._client)
            raise

    def _fit(self, pod: Json, snapshot: Snapshot) -> _Fit:
        """The first node on which pod and claims fit; raises CycleEnded."""
        claims = claims_for(pod, snapshot)
        typed, held = decode(pod), [decode(claim) for claim in claims]
        profile = self._client.profile
        on_nodes = claims and profile.enabled("DRANodeAllocatableResources")
        if on_nodes and node_resources_of_devices(snapshot.objects["resourceSlices"]):
            raise NotSimulated("devices that are resources of nodes (KEP-5517)")
        by_classes = self._served(pod, snapshot, profile)
        refusals: Counter[str] = Counter()
        out_of_reach: list[Json] = []
        for node in snapshot.nodes:
            why = unfit(typed, node, snapshot.running_on(node), by_classes)
            far = [raw for raw, claim in zip(claims, held, strict=True) if not usable(claim, node)]
            if not why and far:
                why = "resourceclaim not available on the node"
                out_of_reach += far
            if not why:
                special = special_claim(pod, typed, node, by_classes)
                asked = [claim for claim in claims if allocation_of(claim) is None]
                asked += [special.claim] if special else []
                allocations = self._allocated(node, asked, snapshot, profile)
                if allocations is not None:
                    return _Fit(node.metadata.name, claims, allocations, special)
                why = "cannot allocate all claims"
            refusals[why] += 1
        self._make_room(pod, out_of_reach)
        raise CycleEnded(Result.UNSCHEDULABLE, _said(len(snapshot.nodes), refusals))

    def _served(self, pod: Json, snapshot: Snapshot, profile: Profile) -> Mapping[str, str]:
        """The class of each extended resource; a claim left from an attempt that failed goes first."""
        if not profile.enabled("DRAExtendedResource"):
            return {}
        left = special_claim_of(pod, snapshot.objects["resourceClaims"])
        if left is not None:
            special_claims.discard(left, self._client)
            raise CycleEnded(Result.UNSCHEDULABLE, "deletion of ResourceClaim completed", again=True)
        return classes_by_resource(snapshot.objects["deviceClasses"])

    def _allocated(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Mapping[str, Json] | None:
        """What the claims get on a node by `namespace/name`, None where nothing fits; raises CycleEnded."""
        if not claims:
            return {}
        self._seed += 1
        known = {_named(claim): claim for claim in (*snapshot.objects["resourceClaims"], *claims)}
        objects = {**snapshot.objects, "resourceClaims": list(known.values())}
        ask = {"node": node.metadata.name, "claims": [_named(claim) for claim in claims]}
        answer = self._allocator(objects, ask, profile, self._seed)
        match answer["outcome"]:
            case "allocated":
                return {key: stamped(one, self._clock) for key, one in answer["allocations"].items()}
            case "unallocatable":
                return None
            case _:
                said = "; ".join(one.get("message", "") for one in answer.get("reasons", ()))
                raise CycleEnded(Result.ERROR, said or "allocation failed")

    def _wait_for_devices(self, claims: Sequence[Json]) -> None:
        """Go on once the devices of all claims are ready; raises CycleEnded, and gives up what failed."""
        if not self._client.profile.enabled("DRADeviceBindingConditions"):
            return
        found = [readiness(claim, self._clock) for claim in claims]
        if Readiness.FAILED in found:
            for claim, one in zip(claims, found, strict=True):
                if one is Readiness.FAILED:
                    deallocate(claim, self._client)
            raise CycleEnded(Result.UNSCHEDULABLE, "device binding failed", again=True)
        if Readiness.WAITING in found and any(map(is_special, claims)):
            raise NotSimulated("extended resources whose devices have binding conditions")
        if Readiness.WAITING in found:
            raise CycleEnded(Result.UNSCHEDULABLE, "waiting for binding conditions of devices")

    def _make_room(self, pod: Json, claims: Sequence[Json]) -> None:
        """Free one claim whose devices no node of the pod can reach, if no other pod uses it."""
        uid = pod["metadata"]["uid"]
        for claim in claims:
            if all(one["uid"] == uid for one in reservations_of(claim)):
                deallocate(claim, self._client)
                raise CycleEnded(Result.UNSCHEDULABLE, "deallocation of ResourceClaim completed", again=True)


def _named(claim: Json) -> str:
    """`namespace/name`, as claims are called in questions and answers."""
    return "/".join(key_in(claim)[1:])


def _said(nodes: int, refusals: Counter[str]) -> str:
    if not nodes:
        return "no nodes available to schedule pods"
    return f"0/{nodes} nodes are available: {', '.join(f'{n} {why}' for why, n in sorted(refusals.items()))}."

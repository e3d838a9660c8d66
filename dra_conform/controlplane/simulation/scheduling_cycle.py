"""One attempt to place a pod: its claims are allocated, reserved and made ready, then it is bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from dra_conform.controlplane.acceptable_nodes import usable
from dra_conform.controlplane.parts import AllocatorPart, NotSimulated
from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.clock import Clock
from dra_conform.controlplane.simulation.device_binding import Readiness, readiness, stamped
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.node_fit import node_resources_of_devices, served, unfit
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


class Ended(Exception):  # noqa: N818 - it reads as what happened
    """The attempt ends without a node. `again`: the next one may end otherwise though nothing changes."""

    def __init__(self, result: Result, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.result = result
        self.again = again


class SchedulingCycle:
    """What the scheduler does for one pod after the other; `allocator` gets the seeds after `seed`."""

    def __init__(self, client: Client, allocator: AllocatorPart, clock: Clock, seed: int) -> None:
        self._client = client
        self._allocator = allocator
        self._clock = clock
        self._seed = seed

    def place(self, pod: Json) -> str:
        """Bind a pod and give the node; raises Ended."""
        try:
            snapshot = Snapshot.of(self._client)
            claims = claims_for(pod, snapshot)
            node, allocations = self._fitting(pod, claims, snapshot)
            reserve(pod, claims, allocations, self._client)
        except Waiting as waiting:
            raise Ended(Result.UNSCHEDULABLE, str(waiting)) from None
        except (DecodeErrors, SelectorError) as error:
            raise Ended(Result.ERROR, str(error)) from None
        except WriteFailed as failed:
            raise Ended(Result.ERROR, str(failed), again=failed.again) from None
        current = [claim for key in map(key_in, claims) if (claim := self._client.get(key)) is not None]
        try:
            self._wait_for_devices(current)
            self._client.bind(pod, node)
        except WriteFailed as failed:
            added = {key_in(claim) for claim in claims if not reserved_for(claim, pod)}
            unreserve(pod, [claim for claim in current if key_in(claim) in added], self._client)
            raise Ended(Result.ERROR, str(failed), again=failed.again) from None
        return node

    def _fitting(
        self, pod: Json, claims: Sequence[Json], snapshot: Snapshot
    ) -> tuple[str, Mapping[str, Json]]:
        """The first node on which pod and claims fit, and what the claims get there; raises Ended."""
        typed, held = decode(pod), [decode(claim) for claim in claims]
        profile = self._client.profile
        on_nodes = claims and profile.enabled("DRANodeAllocatableResources")
        if on_nodes and node_resources_of_devices(snapshot.objects["resourceSlices"]):
            raise NotSimulated("devices that are resources of nodes (KEP-5517)")
        classes = map(decode, snapshot.objects["deviceClasses"])
        by_classes = served(classes) if profile.enabled("DRAExtendedResource") else frozenset()
        refusals: Counter[str] = Counter()
        out_of_reach: list[Json] = []
        for node in snapshot.nodes:
            why = unfit(typed, node, snapshot.running_on(node), by_classes)
            far = [raw for raw, claim in zip(claims, held, strict=True) if not usable(claim, node)]
            if not why and far:
                why = "resourceclaim not available on the node"
                out_of_reach += far
            if not why:
                allocations = self._allocated(node, claims, snapshot, profile)
                if allocations is not None:
                    return node.metadata.name, allocations
                why = "cannot allocate all claims"
            refusals[why] += 1
        self._make_room(pod, out_of_reach)
        raise Ended(Result.UNSCHEDULABLE, _said(len(snapshot.nodes), refusals))

    def _allocated(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Mapping[str, Json] | None:
        """What the claims get on a node, None where nothing fits; raises Ended."""
        keys = [key_in(claim) for claim in claims if allocation_of(claim) is None]
        if not keys:
            return {}
        ask = {"node": node.metadata.name, "claims": [f"{namespace}/{name}" for _, namespace, name in keys]}
        self._seed += 1
        answer = self._allocator(snapshot.objects, ask, profile, self._seed)
        match answer["outcome"]:
            case "allocated":
                return {key: stamped(one, self._clock) for key, one in answer["allocations"].items()}
            case "unallocatable":
                return None
            case _:
                said = "; ".join(one.get("message", "") for one in answer.get("reasons", ()))
                raise Ended(Result.ERROR, said or "allocation failed")

    def _wait_for_devices(self, claims: Sequence[Json]) -> None:
        """Go on once the devices of all claims are ready; raises Ended, and gives up those that failed."""
        if not self._client.profile.enabled("DRADeviceBindingConditions"):
            return
        found = [readiness(claim, self._clock) for claim in claims]
        if Readiness.FAILED in found:
            for claim, one in zip(claims, found, strict=True):
                if one is Readiness.FAILED:
                    deallocate(claim, self._client)
            raise Ended(Result.UNSCHEDULABLE, "device binding failed", again=True)
        if Readiness.WAITING in found:
            raise Ended(Result.UNSCHEDULABLE, "waiting for binding conditions of devices")

    def _make_room(self, pod: Json, claims: Sequence[Json]) -> None:
        """Free one claim whose devices no node of the pod can reach, if no other pod uses it."""
        uid = pod["metadata"]["uid"]
        for claim in claims:
            if all(one["uid"] == uid for one in reservations_of(claim)):
                deallocate(claim, self._client)
                raise Ended(Result.UNSCHEDULABLE, "deallocation of ResourceClaim completed", again=True)


def _said(nodes: int, refusals: Counter[str]) -> str:
    if not nodes:
        return "no nodes available to schedule pods"
    return f"0/{nodes} nodes are available: {', '.join(f'{n} {why}' for why, n in sorted(refusals.items()))}."

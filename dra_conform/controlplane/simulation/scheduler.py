"""The scheduler: pods that have no node, in the order they were created, again whenever something changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dra_conform.controlplane.nodes import usable
from dra_conform.controlplane.parts import AllocatorPart
from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.events import Events
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.node_fit import served, unfit
from dra_conform.controlplane.simulation.pod_claims import Waiting, claims_for
from dra_conform.controlplane.simulation.pods import (
    allocation_of,
    finished,
    reservations_of,
    reserved_for,
)
from dra_conform.controlplane.simulation.reserving import deallocate, reserve, unreserve
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.kube.core import Node
from dra_conform.kube.node_selectors import SelectorError
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import Profile

Json = Any

SCHEDULED, UNSCHEDULABLE, ERROR = "Scheduled", "Unschedulable", "Error"


class _Ended(Exception):  # noqa: N818 - it reads as what happened
    """The attempt ends without a node. `again`: the next one may end otherwise though nothing changes."""

    def __init__(self, result: str, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.result = result
        self.again = again


class Scheduler:
    """`moment` tells whether anything has changed; `allocator` gets `seed` and the next ones."""

    def __init__(
        self,
        client: Client,
        allocator: AllocatorPart,
        events: Events,
        moment: Callable[[], tuple[int, int]],
        seed: int,
    ) -> None:
        self._client = client
        self._allocator = allocator
        self._events = events
        self._moment = moment
        self._seed = seed
        self._tried: dict[tuple[str, int], tuple[int, int]] = {}
        self._attempts: list[dict[str, str]] = []

    def run(self) -> None:
        """One attempt for each pod for which something has changed since the last one."""
        for pod in self._client.all("Pod"):
            if not _pending(pod):
                continue
            key = pod["metadata"]["uid"], self._client.started
            if self._tried.get(key) == self._moment():
                continue
            again = self._attempt(pod)
            if not again:
                self._tried[key] = self._moment()

    def take_attempts(self) -> list[dict[str, str]]:
        """How each attempt since the last call ended, in order."""
        taken, self._attempts = self._attempts, []
        return taken

    def _attempt(self, pod: Json) -> bool:
        """One attempt; whether to make the next one at once."""
        metadata = pod["metadata"]
        name = f"{metadata['namespace']}/{metadata['name']}"
        attempt = {"pod": name, "node": "", "result": SCHEDULED, "message": ""}
        self._attempts.append(attempt)
        try:
            attempt["node"] = self._place(pod)
        except _Ended as end:
            attempt.update(result=end.result, message=str(end))
            self._events.add(pod, "FailedScheduling", str(end))
            return end.again
        self._events.add(pod, "Scheduled", f"Successfully assigned {name} to {attempt['node']}")
        return False

    def _place(self, pod: Json) -> str:
        """The node that the pod is bound to; raises _Ended."""
        snapshot = Snapshot.of(self._client)
        try:
            claims = claims_for(pod, snapshot)
            node, allocations = self._fitting(pod, claims, snapshot)
            reserve(pod, claims, allocations, self._client)
        except Waiting as waiting:
            raise _Ended(UNSCHEDULABLE, str(waiting)) from None
        except (DecodeErrors, SelectorError) as error:
            raise _Ended(ERROR, str(error)) from None
        except WriteFailed as failed:
            raise _Ended(ERROR, str(failed), again=failed.again) from None
        try:
            self._client.bind(pod, node)
        except WriteFailed as failed:
            current = [self._client.get(key_in(claim)) for claim in claims if not reserved_for(claim, pod)]
            unreserve(pod, [claim for claim in current if claim is not None], self._client)
            raise _Ended(ERROR, str(failed), again=failed.again) from None
        return node

    def _fitting(
        self, pod: Json, claims: Sequence[Json], snapshot: Snapshot
    ) -> tuple[str, Mapping[str, Json]]:
        """The first node on which pod and claims fit, and what the claims get there; raises _Ended."""
        typed, held = decode(pod), [decode(claim) for claim in claims]
        profile = self._client.profile
        classes = map(decode, snapshot.objects["deviceClasses"])
        by_classes = served(classes) if profile.enabled("DRAExtendedResource") else frozenset()
        refusals: Counter[str] = Counter()
        out_of_reach: list[Json] = []
        for node in snapshot.nodes:
            why = unfit(typed, node, by_classes)
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
        raise _Ended(UNSCHEDULABLE, _said(len(snapshot.nodes), refusals))

    def _allocated(
        self, node: Node, claims: Sequence[Json], snapshot: Snapshot, profile: Profile
    ) -> Mapping[str, Json] | None:
        """What the claims get on a node, None where nothing fits; raises _Ended."""
        keys = [key_in(claim) for claim in claims if allocation_of(claim) is None]
        if not keys:
            return {}
        ask = {"node": node.metadata.name, "claims": [f"{namespace}/{name}" for _, namespace, name in keys]}
        self._seed += 1
        answer = self._allocator(snapshot.objects, ask, profile, self._seed)
        match answer["outcome"]:
            case "allocated":
                allocations: Mapping[str, Json] = answer["allocations"]
                return allocations
            case "unallocatable":
                return None
            case _:
                said = "; ".join(one.get("message", "") for one in answer.get("reasons", ()))
                raise _Ended(ERROR, said or "allocation failed")

    def _make_room(self, pod: Json, claims: Sequence[Json]) -> None:
        """Free one claim whose devices no node of the pod can reach, if no other pod uses it."""
        uid = pod["metadata"]["uid"]
        for claim in claims:
            if all(one["uid"] == uid for one in reservations_of(claim)):
                deallocate(claim, self._client)
                raise _Ended(UNSCHEDULABLE, "deallocation of ResourceClaim completed", again=True)


def _pending(pod: Json) -> bool:
    spec = pod["spec"]
    if spec.get("nodeName") or spec.get("schedulingGates") or "deletionTimestamp" in pod["metadata"]:
        return False
    return spec.get("schedulerName") in (None, "default-scheduler") and not finished(pod)


def _said(nodes: int, refusals: Counter[str]) -> str:
    if not nodes:
        return "no nodes available to schedule pods"
    return f"0/{nodes} nodes are available: {', '.join(f'{n} {why}' for why, n in sorted(refusals.items()))}."

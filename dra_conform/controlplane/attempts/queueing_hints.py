"""Queueing hints: which object changes cause another scheduling attempt of a pending pod."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.simulation.pods import allocation_of, claim_keys, owner_of, status_of
from dra_conform.controlplane.simulation.store import Key, key_in
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.scheduler import SchedulerSwitches

Json = Any

_NODE_FIELDS = ("metadata.labels", "status.allocatable")
_POD_FIELDS = ("resourceClaimStatuses", "extendedResourceClaimStatus")


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """An object before and after a change; None before its creation and after its deletion."""

    kind: str
    before: Json
    after: Json


class QueueingHints:
    """Decides whether a change can make a pending pod schedulable; `claims` are those after the change.

    A created or changed Node, DeviceClass or ResourceSlice can help every pod
    (DRA/workflow/unmet-request-waits, KEP-5004/scheduling-phase/requeue-on-node-allocatable). A ResourceClaim
    can help the pods that use it, and every pod if it was deallocated.
    """

    def __init__(self, claims: Iterable[Json], profile: Profile) -> None:
        self._claims = {key_in(claim): claim for claim in claims}
        self._deletions_help = SchedulerSwitches.of(profile).deletions_retried

    def help(self, pod: Json, change: ObjectChange) -> bool:
        """Whether the change requeues the pod for another scheduling attempt."""
        match change.kind:
            case "Node":
                return change.after is not None and _node_helps(change)
            case "DeviceClass" | "ResourceSlice":
                return change.after is not None
            case "ResourceClaim":
                return self._claim_helps(pod, change)
            case "Pod":
                return self._pod_helps(pod, change)
            case _:
                return False

    def _claim_helps(self, pod: Json, change: ObjectChange) -> bool:
        freed = change.before is not None and allocation_of(change.before) is not None
        if change.after is None:
            return freed and self._deletions_help
        used = self._used_by(pod)
        if used is None:
            return False
        if freed and allocation_of(change.after) is None:
            return True
        if key_in(change.after) not in used:
            return False
        return change.before is None or status_of(change.before) != status_of(change.after)

    def _pod_helps(self, pod: Json, change: ObjectChange) -> bool:
        """Whether the status of the pod names new claims, and all its claims exist."""
        before, after = change.before, change.after
        if before is None or after is None or after["metadata"]["uid"] != pod["metadata"]["uid"]:
            return False
        same = all(status_of(before).get(name) == status_of(after).get(name) for name in _POD_FIELDS)
        return not same and self._used_by(after) is not None

    def _used_by(self, pod: Json) -> set[Key] | None:
        """Return the keys of a pod's claims, None if a claim is missing, being deleted, or of another pod."""
        keys = set()
        for entry, key in claim_keys(pod):
            claim = self._claims.get(key) if key else None
            if claim is None or "deletionTimestamp" in claim["metadata"]:
                return None
            owner = owner_of(claim)
            if not entry.get("resourceClaimName") and (owner or {}).get("uid") != pod["metadata"]["uid"]:
                return None
            keys.add(key_in(claim))
        return keys


def _node_helps(change: ObjectChange) -> bool:
    """Whether the node is new, or its labels or allocatable resources changed."""
    if change.before is None:
        return True
    return any(_field(change.before, path) != _field(change.after, path) for path in _NODE_FIELDS)


def _field(raw: Json, path: str) -> Json:
    outer, _, inner = path.partition(".")
    return (raw.get(outer) or {}).get(inner) or {}

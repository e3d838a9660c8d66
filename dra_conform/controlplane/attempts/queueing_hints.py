"""Queueing hints: the object changes after which a pending pod is worth another attempt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.pods import allocation_of, claim_keys, owner_of, status_of
from dra_conform.kube.profile import Profile

Json = Any

_OF_NODE = ("metadata.labels", "status.allocatable")
_OF_POD = ("resourceClaimStatuses", "extendedResourceClaimStatus")


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """An object before and after; None where it was created or is deleted."""

    kind: str
    before: Json
    after: Json


class QueueingHints:
    """What the scheduler makes of a change, with the claims as they are after it.

    Nodes, classes and slices that come or change may help everybody (DRA/workflow/unmet-request-waits,
    KEP-5004/scheduling-phase/requeue-on-node-allocatable), a claim those that use it, unless it gives devices
    back.
    """

    def __init__(self, claims: Iterable[Json], profile: Profile) -> None:
        self._claims = {key_in(one): one for one in claims}
        self._deletions_help = not profile.before("1.37")

    def help(self, pod: Json, change: ObjectChange) -> bool:
        """Whether the pod is tried again."""
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
        """What was made for the pod itself, once it has all its claims."""
        before, after = change.before, change.after
        if before is None or after is None or after["metadata"]["uid"] != pod["metadata"]["uid"]:
            return False
        same = all(status_of(before).get(name) == status_of(after).get(name) for name in _OF_POD)
        return not same and self._used_by(after) is not None

    def _used_by(self, pod: Json) -> set[Key] | None:
        """The claims of a pod, None if one of them is not there, not its own, or on its way out."""
        found = set()
        for entry, key in claim_keys(pod):
            claim = self._claims.get(key) if key else None
            if claim is None or "deletionTimestamp" in claim["metadata"]:
                return None
            owner = owner_of(claim)
            if not entry.get("resourceClaimName") and (owner or {}).get("uid") != pod["metadata"]["uid"]:
                return None
            found.add(key_in(claim))
        return found


def _node_helps(change: ObjectChange) -> bool:
    """Whether it is new, or has other labels or other resources."""
    if change.before is None:
        return True
    return any(_part(change.before, path) != _part(change.after, path) for path in _OF_NODE)


def _part(raw: Json, path: str) -> Json:
    outer, _, inner = path.partition(".")
    return (raw.get(outer) or {}).get(inner) or {}

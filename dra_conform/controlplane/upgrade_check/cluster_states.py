"""The states of pods, ResourceClaims and ResourceQuotas that an upgrade check compares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.controlplane.rehearsal import Rehearsal, RehearsedPod
from dra_conform.controlplane.simulation.controllers.claim_generation import POD_CLAIM_NAME
from dra_conform.controlplane.simulation.pods import owner_of, status_of
from dra_conform.controlplane.simulation.store import key_in

Json = Any

POD, CLAIM, QUOTA, POD_CLAIM = "Pod", "ResourceClaim", "ResourceQuota", "ResourceClaim of Pod"

ALLOCATED = "allocated"
"""The state of a claim that is allocated, although no pod uses it."""

Subject = tuple[str, str]
"""The kind and the name (`namespace/name`) of an object; a generated claim has the name of its pod and of the
entry there, since generated names are random."""

States = Mapping[Subject, Json]
"""The compared fields of each object."""

_RANDOM = frozenset(
    {"allocationTimestamp", "lastTransitionTime", "resourceClaimName", "shareID", "timeAdded"}
)
"""The fields with random values or times."""


def states_of(rehearsal: Rehearsal) -> dict[Subject, Json]:
    """Return the states of all pods, claims and quotas of a preview."""
    return dict(_states(rehearsal))


def _states(rehearsal: Rehearsal) -> Iterator[tuple[Subject, Json]]:
    stored = {"/".join(key_in(raw)[1:]): raw for raw in rehearsal.objects if raw["kind"] == POD}
    for pod in rehearsal.pods:
        yield (POD, pod.key), _pod(pod, stored.get(pod.key))
        for claim in pod.claims:
            yield _subject(claim), {"status": _compared(status_of(claim).get("allocation"), "allocation")}
    for outcome in rehearsal.unused_claims:
        allocation = next((status_of(claim).get("allocation") for claim in outcome.claims), None)
        state, message = (ALLOCATED, "") if allocation else ("unallocated", outcome.message)
        status = _compared(allocation, "allocation")
        yield (CLAIM, outcome.key), {"state": state, "message": message, "status": status}
    for quota in rehearsal.quotas:
        yield (QUOTA, "/".join(key_in(quota)[1:])), {"status": {"used": status_of(quota).get("used") or {}}}


def _pod(pod: RehearsedPod, stored: Json) -> Json:
    status = status_of(stored or {})
    names = ("extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses")
    compared = {name: _without_random(status[name]) for name in names if name in status}
    return {"state": pod.state.value, "node": pod.node, "message": pod.message, "status": compared}


def _subject(claim: Json) -> Subject:
    metadata = claim["metadata"]
    owner = owner_of(claim)
    if owner is None:
        return CLAIM, "/".join(key_in(claim)[1:])
    entry = (metadata.get("annotations") or {}).get(POD_CLAIM_NAME, "extended resources")
    return POD_CLAIM, f"{metadata['namespace']}/{owner['name']}: {entry}"


def _compared(value: Json, name: str) -> Json:
    return {} if value is None else {name: _without_random(value)}


def _without_random(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {name: _without_random(item) for name, item in value.items() if name not in _RANDOM}
    return [_without_random(item) for item in value] if isinstance(value, list | tuple) else value

"""The pending work of a cluster's components, as its pods and claims show it.

None of this says what must come of a story: only where it cannot be at its end yet. Objects are those of the
API server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dra_conform.controlplane.simulation.device_binding import (
    BindingRules,
    Readiness,
    readiness_reported,
)
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.pods import (
    allocation_of,
    claim_keys,
    finished,
    owner_of,
    reservations_of,
    reserved_for,
)

Json = Any

_REAL = BindingRules(every_device_seen=False, shares_apart=False)
"""How schedulers look at the conditions of devices."""

FAILED_GENERATION = "FailedResourceClaimCreation"
"""The reason of the event that says why a claim was not made for a pod."""


def unfinished(
    pods: Iterable[Json], claims: Iterable[Json], ungenerated: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Each thing that a component has to do, in words.

    `ungenerated` are the UIDs of pods of which an event says that no claim could be made for them.
    """
    pods_by_key = {key_in(one): one for one in pods}
    claims_by_key = {key_in(one): one for one in claims}
    for pod in pods_by_key.values():
        yield from _of_pod(pod, claims_by_key, pod["metadata"]["uid"] in ungenerated)
    for claim in claims_by_key.values():
        yield from _of_claim(claim, pods_by_key)


def _of_pod(pod: Json, claims: Mapping[Key, Json], ungenerated: bool) -> Iterator[str]:
    name = f"pod {pod['metadata']['name']}"
    if "deletionTimestamp" in pod["metadata"]:
        if not pod["metadata"].get("finalizers"):
            yield f"{name} is being deleted"
        return
    if finished(pod):
        return
    keys = [key for _, key in claim_keys(pod)]
    if None in keys:
        if not ungenerated:
            yield f"{name} has no generated claim yet"
        return
    used = [claims.get(key) for key in keys if key]
    if pod["spec"].get("nodeName"):
        if any(claim and _to_be_reserved(claim, pod) for claim in used):
            yield f"{name} has a node and its claim is not reserved for it"
    elif not pod["spec"].get("schedulingGates") and None not in used:
        there = [claim for claim in used if claim]
        if not any("deletionTimestamp" in claim["metadata"] for claim in there):
            yield from _of_attempt(pod, name, there)


def _of_attempt(pod: Json, name: str, used: list[Json]) -> Iterator[str]:
    """A pod that could have a node: the scheduler has said why it has none, or waits for a driver.

    It tries no pod of which a claim is being deleted.
    """
    conditions = (pod.get("status") or {}).get("conditions") or ()
    reason = next((one.get("reason", "") for one in conditions if one["type"] == "PodScheduled"), None)
    binding = [one for one in used if _has_binding_conditions(one)]
    if reason is None and not binding:
        yield f"{name} was not tried"
    if any(
        reserved_for(one, pod) and readiness_reported(one, _REAL) is not Readiness.WAITING for one in binding
    ):
        yield f"{name} has devices of which the scheduler looks every five seconds whether they are ready"
    if reason == "SchedulerError":
        yield f"{name} is tried again after an error"


def _of_claim(claim: Json, pods: Mapping[Key, Json]) -> Iterator[str]:
    name, namespace = f"claim {claim['metadata']['name']}", claim["metadata"]["namespace"]

    def live(pod_name: str, uid: str) -> bool:
        pod = pods.get(("Pod", namespace, pod_name))
        return pod is not None and pod["metadata"]["uid"] == uid and not finished(pod)

    reservations = [one for one in reservations_of(claim) if one.get("resource") == "pods"]
    if not all(live(one["name"], one["uid"]) for one in reservations):
        yield f"{name} is reserved for a pod that is gone or done"
    owner = owner_of(claim)
    if owner and not live(owner["name"], owner["uid"]):
        yield f"{name} was made for a pod that is gone or done"
    elif "deletionTimestamp" in claim["metadata"] and not reservations_of(claim):
        yield f"{name} is being deleted"


def _to_be_reserved(claim: Json, pod: Json) -> bool:
    allocated = allocation_of(claim) is not None and "deletionTimestamp" not in claim["metadata"]
    return allocated and not reserved_for(claim, pod)


def _has_binding_conditions(claim: Json) -> bool:
    results = ((allocation_of(claim) or {}).get("devices") or {}).get("results") or ()
    return any(one.get("bindingConditions") for one in results)

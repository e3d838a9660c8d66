"""Queries about pods and the claims that they use."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.cluster_state.object_keys import Key, key_of
from dra_conform.kube.json_values import Json

DEFAULT_SCHEDULER = "default-scheduler"
"""The scheduler of pods that name none."""
MOST_RESERVATIONS = 256
"""The maximum number of `reservedFor` entries of a claim."""


def finished(pod: Json) -> bool:
    """Whether the pod has the phase Succeeded or Failed."""
    return (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")


def entries(pod: Json) -> list[Json]:
    """Return the entries of `spec.resourceClaims`."""
    pod_claims: list[Json] = pod["spec"].get("resourceClaims") or []
    return pod_claims


def generated(pod: Json) -> dict[str, str | None]:
    """Return the claim name for each entry of a pod, None for an entry that needs no claim."""
    statuses = (pod.get("status") or {}).get("resourceClaimStatuses") or ()
    return {status["name"]: status.get("resourceClaimName") for status in statuses}


def claim_keys(pod: Json) -> Iterator[tuple[Json, Key | None]]:
    """Yield each entry that needs a claim with the key of its claim, None if it was not created yet."""
    recorded = generated(pod)
    namespace = pod["metadata"]["namespace"]
    for entry in entries(pod):
        name = entry.get("resourceClaimName") or recorded.get(entry["name"])
        if name:
            yield entry, key_of("ResourceClaim", name, namespace)
        elif entry["name"] not in recorded:
            yield entry, None


def extended_resource_claim_key(pod: Json) -> Key | None:
    """Return the key of the extended-resource claim in the pod's status, None if there is none."""
    status = (pod.get("status") or {}).get("extendedResourceClaimStatus") or {}
    name = status.get("resourceClaimName")
    return key_of("ResourceClaim", name, pod["metadata"]["namespace"]) if name else None


def owner_of(claim: Json) -> Json | None:
    """Return the owner reference of a claim to its pod, None if it was not created for a pod."""
    owners = claim["metadata"].get("ownerReferences") or ()
    return next((owner for owner in owners if owner.get("kind") == "Pod" and owner.get("controller")), None)


def created_for(claim: Json, pod: Json) -> bool:
    """Whether a claim was created for a pod, as its owner reference says."""
    owner = owner_of(claim)
    return owner is not None and bool(owner["uid"] == pod["metadata"]["uid"])


def owned_by(pod: Json) -> list[Json]:
    """Return the owner references of a claim that is created for a pod."""
    reference = {"apiVersion": "v1", "kind": "Pod", "controller": True, "blockOwnerDeletion": True}
    return [{**reference, "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}]


def status_of(claim: Json) -> Json:
    """Return the status of a claim, empty if it has none."""
    return claim.get("status") or {}


def allocation_of(claim: Json) -> Json | None:
    """Return the allocation of a claim, None if it is unallocated."""
    return status_of(claim).get("allocation")


def requests_of(claim: Json) -> list[Json]:
    """Return the device requests of a claim."""
    requests: list[Json] = claim["spec"].get("devices", {}).get("requests") or []
    return requests


def reservations_of(claim: Json) -> list[Json]:
    """Return `status.reservedFor` of a claim."""
    consumers: list[Json] = status_of(claim).get("reservedFor") or []
    return consumers


def reserved_for(claim: Json, pod: Json) -> bool:
    """Whether a claim is reserved for a pod."""
    return any(consumer["uid"] == pod["metadata"]["uid"] for consumer in reservations_of(claim))


def reservation(pod: Json) -> Json:
    """Return the `status.reservedFor` entry of a pod."""
    return {"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}


def with_status(raw: Json, **fields: Json) -> Json:
    """Return the object with some status fields set; None removes a field."""
    status = {**(raw.get("status") or {}), **fields}
    return {**raw, "status": {name: value for name, value in status.items() if value is not None}}


def unready(claim: Json | None, key: Key | None, pod: Json) -> str:
    """Return the reason why the kubelet does not run a pod with this claim, empty if it runs the pod.

    `key` is None if the claim was not created yet. DRA/pre-scheduled/kubelet-refuses-unready-claims.
    """
    if key is None:
        return "waiting for the ResourceClaim to be created"
    if claim is None:
        return f"could not fetch ResourceClaim {key[2]}"
    if not _may_use(pod, key, claim):
        return f"ResourceClaim {key[2]} was not created for pod {pod['metadata']['name']}"
    if not reserved_for(claim, pod):
        return f"pod {pod['metadata']['name']} is not allowed to use ResourceClaim {key[2]}"
    return "" if allocation_of(claim) is not None else f"ResourceClaim {key[2]} is not allocated"


def _may_use(pod: Json, key: Key, claim: Json) -> bool:
    """Whether a claim that the pod status names for a template was created for the pod."""
    by_template = (
        entry for entry, used in claim_keys(pod) if used == key and not entry.get("resourceClaimName")
    )
    return created_for(claim, pod) or not any(True for _ in by_template)

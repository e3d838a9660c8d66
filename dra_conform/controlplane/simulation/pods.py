"""Queries about pods and the claims that they use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dra_conform.controlplane.simulation.keys import Key, key_of

Json = Any

MOST_RESERVATIONS = 256
"""How many pods may share a claim."""


def finished(pod: Json) -> bool:
    """Whether the pod has run and will not run again."""
    return (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")


def entries(pod: Json) -> list[Json]:
    """The entries of spec.resourceClaims."""
    found: list[Json] = pod["spec"].get("resourceClaims") or []
    return found


def generated(pod: Json) -> dict[str, str | None]:
    """The name of the claim made for each entry, None where the controller found that it needs none."""
    statuses = (pod.get("status") or {}).get("resourceClaimStatuses") or ()
    return {one["name"]: one.get("resourceClaimName") for one in statuses}


def claim_keys(pod: Json) -> Iterator[tuple[Json, Key | None]]:
    """Each entry that needs a claim, with the key of the claim, None while none was made for it."""
    made = generated(pod)
    namespace = pod["metadata"]["namespace"]
    for entry in entries(pod):
        name = entry.get("resourceClaimName") or made.get(entry["name"])
        if name:
            yield entry, key_of("ResourceClaim", name, namespace)
        elif entry["name"] not in made:
            yield entry, None


def special_key(pod: Json) -> Key | None:
    """The key of the claim for extended resources that the status of a pod names."""
    status = (pod.get("status") or {}).get("extendedResourceClaimStatus") or {}
    name = status.get("resourceClaimName")
    return key_of("ResourceClaim", name, pod["metadata"]["namespace"]) if name else None


def owner_of(claim: Json) -> Json | None:
    """The reference to the pod that a claim was made for."""
    owners = claim["metadata"].get("ownerReferences") or ()
    return next((one for one in owners if one.get("kind") == "Pod" and one.get("controller")), None)


def owned_by(pod: Json) -> list[Json]:
    """The owner references of a claim that is made for a pod."""
    reference = {"apiVersion": "v1", "kind": "Pod", "controller": True, "blockOwnerDeletion": True}
    return [{**reference, "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}]


def status_of(claim: Json) -> Json:
    return claim.get("status") or {}


def allocation_of(claim: Json) -> Json | None:
    return status_of(claim).get("allocation")


def requests_of(claim: Json) -> list[Json]:
    found: list[Json] = claim["spec"].get("devices", {}).get("requests") or []
    return found


def reservations_of(claim: Json) -> list[Json]:
    found: list[Json] = status_of(claim).get("reservedFor") or []
    return found


def reserved_for(claim: Json, pod: Json) -> bool:
    return any(one["uid"] == pod["metadata"]["uid"] for one in reservations_of(claim))


def reservation(pod: Json) -> Json:
    """The entry of status.reservedFor for a pod."""
    return {"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}


def with_status(raw: Json, **fields: Json) -> Json:
    """The object with some fields of its status; None takes one away."""
    status = {**(raw.get("status") or {}), **fields}
    return {**raw, "status": {name: value for name, value in status.items() if value is not None}}

"""The claims of a pod, and whether the scheduler can continue with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import (
    MOST_RESERVATIONS,
    allocation_of,
    claim_keys,
    owner_of,
    reservations_of,
    reserved_for,
)
from dra_conform.controlplane.simulation.snapshot import Snapshot

Json = Any


class Waiting(Exception):  # noqa: N818 - it reads as what the pod does
    """The pod cannot be scheduled before something has changed, whatever the nodes."""


def claims_for(pod: Json, snapshot: Snapshot) -> list[Json]:
    """The pod's claims, each once, in the order of its entries; raises Waiting for one that is not there, is
    being deleted, or was made for another pod (DRA/workflow/missing-claim-blocks-pod)."""
    found: dict[str, Json] = {}
    for entry, key in claim_keys(pod):
        if key is None:
            raise Waiting(f'waiting for the ResourceClaim of "{entry["name"]}" to be created')
        claim = snapshot.claims.get(key)
        if claim is None:
            raise Waiting(f'resourceclaim "{key[2]}" not found')
        metadata = claim["metadata"]
        if "deletionTimestamp" in metadata:
            raise Waiting(f'resourceclaim "{metadata["name"]}" is being deleted')
        owner = owner_of(claim)
        if not entry.get("resourceClaimName") and (owner is None or owner["uid"] != pod["metadata"]["uid"]):
            raise Waiting(f'ResourceClaim "{metadata["name"]}" was not created for the pod')
        found.setdefault(key[2], claim)
    return list(found.values())


def check_usable(pod: Json, claims: Sequence[Json], snapshot: Snapshot) -> None:
    """Raises Waiting for a claim that as many pods share as can, or that asks for a class that is missing."""
    for claim in claims:
        if allocation_of(claim) is None:
            for request, name in _classes_of(claim):
                if name not in snapshot.classes:
                    raise Waiting(f"request {request}: device class {name} does not exist")
        elif not reserved_for(claim, pod) and len(reservations_of(claim)) >= MOST_RESERVATIONS:
            name = claim["metadata"]["name"]
            raise Waiting(f'resourceclaim "{name}" is in use by as many pods as can share it')


def claims_by_entry(pod: Json, claims: Sequence[Json]) -> Iterator[Json]:
    """The claim of each of the pod's entries, as often as it is named."""
    by_key = {key_in(one): one for one in claims}
    return (by_key[key] for _, key in claim_keys(pod) if key)


def _classes_of(claim: Json) -> Iterator[tuple[str, str]]:
    """Each request, or alternative of one, with the class it names."""
    for request in claim["spec"].get("devices", {}).get("requests", ()):
        if "exactly" in request:
            yield request["name"], request["exactly"].get("deviceClassName", "")
        for one in request.get("firstAvailable", ()):
            yield f"{request['name']}/{one['name']}", one.get("deviceClassName", "")

"""ResourceClaims that no pod uses, each of which is scheduled with a placeholder pod."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.controlplane.simulation.pods import (
    claim_keys,
    extended_resource_claim_key,
    owner_of,
    reservations_of,
    with_status,
)
from dra_conform.controlplane.simulation.store import Key, key_in

Json = Any

_PREFIX = "claim/"
"""The prefix of placeholder pods' names, which the API server would reject."""


def unused_claims(claims: Sequence[Json], pods: Sequence[Json]) -> Iterator[Json]:
    """Yield the claims that no pod names, that no pod owns, and that are not reserved."""
    used: set[Key | None] = {key for pod in pods for _, key in claim_keys(pod)}
    used |= {extended_resource_claim_key(pod) for pod in pods}
    for claim in claims:
        if key_in(claim) not in used and owner_of(claim) is None and not reservations_of(claim):
            yield claim


def placeholder_pod(claim: Json) -> Json:
    """Return a pod with the claim and no other requests; its name is invalid in manifests."""
    _, namespace, name = key_in(claim)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"{_PREFIX}{name}", "namespace": namespace},
        "spec": {"containers": [], "resourceClaims": [{"name": "claim", "resourceClaimName": name}]},
    }


def is_placeholder(pod: Json) -> bool:
    """Whether a pod is the placeholder of a claim."""
    name: str = pod["metadata"]["name"]
    return name.startswith(_PREFIX)


def without_placeholder_users(claim: Json) -> Json:
    """Return the claim without reservations for placeholder pods."""
    consumers = reservations_of(claim)
    kept = [consumer for consumer in consumers if not consumer["name"].startswith(_PREFIX)]
    return claim if len(kept) == len(consumers) else with_status(claim, reservedFor=kept or None)

"""ResourceClaims that no pod uses: an invisible pod without requests finds a node for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.pods import (
    claim_keys,
    owner_of,
    reservations_of,
    special_key,
    with_status,
)

Json = Any

_PREFIX = "claim/"
"""What names of invisible pods begin with."""


def lone_claims(claims: Sequence[Json], pods: Sequence[Json]) -> Iterator[Json]:
    """The claims that no pod names, that were made for no pod, and that are not reserved."""
    used: set[Key | None] = {key for pod in pods for _, key in claim_keys(pod)}
    used |= {special_key(pod) for pod in pods}
    for claim in claims:
        if key_in(claim) not in used and owner_of(claim) is None and not reservations_of(claim):
            yield claim


def invisible_pod(claim: Json) -> Json:
    """A pod that wants nothing but the claim. No manifest can have a pod of its name."""
    _, namespace, name = key_in(claim)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"{_PREFIX}{name}", "namespace": namespace},
        "spec": {"containers": [], "resourceClaims": [{"name": "claim", "resourceClaimName": name}]},
    }


def without_invisible_users(claim: Json) -> Json:
    """The claim without the reservation of an invisible pod."""
    users = reservations_of(claim)
    kept = [one for one in users if not one["name"].startswith(_PREFIX)]
    return claim if len(kept) == len(users) else with_status(claim, reservedFor=kept or None)

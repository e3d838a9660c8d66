"""The ResourceClaim controller: creates claims from templates, reserves claims, and releases them."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.simulation.changes import Changes
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.controllers.claim_generation import generate_claims
from dra_conform.controlplane.simulation.controllers.reservations import (
    release_claims,
    reserve_for_assigned_pods,
)
from dra_conform.controlplane.simulation.events import Events
from dra_conform.controlplane.simulation.keys import Key
from dra_conform.controlplane.simulation.pods import owner_of, reservations_of

Json = Any

_KIND = "ResourceClaim"


class ClaimController:
    """The ResourceClaim controller; it does nothing while the gate DynamicResourceAllocation is off."""

    def __init__(self, client: Client, events: Events) -> None:
        self._client = client
        self._events = events
        self._used = _UsedClaims(client)

    def run(self) -> None:
        """Release, create and reserve claims once."""
        if self._client.profile.enabled("DynamicResourceAllocation"):
            release_claims(self._client, self._used.current())
            generate_claims(self._client, self._events, self._used.current)
            reserve_for_assigned_pods(self._client)


class _UsedClaims:
    """The claims that are reserved, owned or being deleted; the set is updated from changed claims only."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._changes = Changes(client)
        self._used: set[Key] = set()

    def current(self) -> list[Json]:
        """Return the claims that need processing now, in creation order."""
        claims = self._client.by_key(_KIND)
        for key in self._changes.of(_KIND):
            claim = claims.get(key)
            if claim is not None and _is_used(claim):
                self._used.add(key)
            else:
                self._used.discard(key)
        return [claim for key, claim in claims.items() if key in self._used] if self._used else []


def _is_used(claim: Json) -> bool:
    return bool(reservations_of(claim)) or "deletionTimestamp" in claim["metadata"] or bool(owner_of(claim))

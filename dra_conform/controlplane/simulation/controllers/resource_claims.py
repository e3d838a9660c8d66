"""The ResourceClaim controller: creates claims from templates, reserves claims, and releases them."""

from __future__ import annotations

from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.controllers.claim_generation import generate_claims
from dra_conform.controlplane.simulation.controllers.reservations import (
    release_claims,
    reserve_for_assigned_pods,
)
from dra_conform.controlplane.simulation.controllers.used_claims import UsedClaims
from dra_conform.controlplane.simulation.events import Events


class ClaimController:
    """The ResourceClaim controller; it does nothing while the gate DynamicResourceAllocation is off."""

    def __init__(self, client: Client, events: Events) -> None:
        self._client = client
        self._events = events
        self._used = UsedClaims(client)

    def run(self) -> None:
        """Release, create and reserve claims once."""
        if self._client.profile.enabled("DynamicResourceAllocation"):
            release_claims(self._client, self._used.current())
            generate_claims(self._client, self._events, self._used.current)
            reserve_for_assigned_pods(self._client)

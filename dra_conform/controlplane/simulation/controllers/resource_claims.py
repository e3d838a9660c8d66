"""The controller for claims: it makes them of templates, reserves them, and takes them back."""

from __future__ import annotations

from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.controllers.claim_generation import generate_claims
from dra_conform.controlplane.simulation.controllers.reservations import (
    release_claims,
    reserve_for_assigned_pods,
)
from dra_conform.controlplane.simulation.events import Events


def manage_claims(client: Client, events: Events) -> None:
    """Do what there is to do for all claims, nothing while DynamicResourceAllocation is off."""
    if client.profile.enabled("DynamicResourceAllocation"):
        release_claims(client)
        generate_claims(client, events)
        reserve_for_assigned_pods(client)

"""The accounting policy of a device's node resources (KEP-5517 "Accounting Policies")."""

from __future__ import annotations

from enum import StrEnum

from dra_conform.kube.resource import Device, DeviceClass


class AccountingPolicy(StrEnum):
    """How what a claim takes of a resource meets what containers request of it."""

    ADD_PER_CLAIM = "AddPerClaim"
    """It is added once, however many containers and pods use the claim."""
    ADD_PER_REFERENCE = "AddPerReference"
    """It is added for each container that uses the claim."""
    MAX = "Max"
    """A container that uses the claim takes the larger of both."""
    CONSUME_FROM = "ConsumeFrom"
    """It is reserved once, and what the containers that use the claim request is part of it."""


SHARED = frozenset({AccountingPolicy.ADD_PER_CLAIM, AccountingPolicy.CONSUME_FROM})
"""What a node is charged once, whichever of its pods use the claim."""


def policy_for(device: Device, resource: str, device_class: DeviceClass | None) -> AccountingPolicy | None:
    """The policy of a mapped resource: the device's own, else that of the class; None where neither has one.

    KEP-5517/policy-precedence/device-over-class.
    """
    own = device.node_allocatable_resource_mappings[resource].accounting_policy
    policies = device_class.spec.node_allocatable_resource_accounting_policies if device_class else {}
    said = own or policies.get(resource)
    return AccountingPolicy(said) if said in set(AccountingPolicy) else None


def without_policy(device: Device, device_class: DeviceClass) -> str:
    """The first resource, by name, that the device maps and nobody says how to count; else empty."""
    mapped = sorted(device.node_allocatable_resource_mappings)
    return next((name for name in mapped if policy_for(device, name, device_class) is None), "")

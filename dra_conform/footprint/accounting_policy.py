"""The accounting policy of a device's node resources (KEP-5517 "Accounting Policies")."""

from __future__ import annotations

from enum import StrEnum

from dra_conform.kube.resource import Device, DeviceClass


class AccountingPolicy(StrEnum):
    """How the usage of a resource by a claim is combined with the requests of containers."""

    ADD_PER_CLAIM = "AddPerClaim"
    """The usage is added once for all containers and pods that use the claim."""
    ADD_PER_REFERENCE = "AddPerReference"
    """The usage is added for each container that uses the claim."""
    MAX = "Max"
    """A container that uses the claim counts with the maximum of its request and the usage."""
    CONSUME_FROM = "ConsumeFrom"
    """The usage is a pool that is reserved once; requests of containers that use the claim are taken from
    it."""


SHARED = frozenset({AccountingPolicy.ADD_PER_CLAIM, AccountingPolicy.CONSUME_FROM})
"""The policies whose usage counts once for all pods of a node."""


def policy_for(device: Device, resource: str, device_class: DeviceClass | None) -> AccountingPolicy | None:
    """Return the policy of a mapped resource, None if it has no policy.

    The policy of the device takes precedence over that of the DeviceClass
    (KEP-5517/policy-precedence/device-over-class).
    """
    own = device.node_allocatable_resource_mappings[resource].accounting_policy
    policies = device_class.spec.node_allocatable_resource_accounting_policies if device_class else {}
    policy = own or policies.get(resource)
    return AccountingPolicy(policy) if policy in set(AccountingPolicy) else None


def without_policy(device: Device, device_class: DeviceClass) -> str:
    """Return the first mapped resource by name without a policy, empty if all have one."""
    mapped = sorted(device.node_allocatable_resource_mappings)
    return next((name for name in mapped if policy_for(device, name, device_class) is None), "")

"""The node resource usage of one allocated device, and the accounting policy of its resources (KEP-5517
"Accounting Policies")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from dra_conform.footprint.amounts import added, multiplied
from dra_conform.kube.core import Node
from dra_conform.kube.node_selectors import SelectorError, is_available_on_node
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import (
    Device,
    DeviceClass,
    DeviceRequestAllocationResult,
    ResourceSlice,
    ResourceSliceSpec,
)
from dra_conform.kube.switches.node_resources import NodeResourceSwitches


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


ONE = Quantity.whole(1)


class CountingFailed(Exception):  # noqa: N818 - it reads as what happened
    """The node resource usage of a claim cannot be determined."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """The overhead of the users of devices for one resource."""

    per_pod: Quantity | None = None
    per_container: Quantity | None = None

    def __add__(self, other: Overhead) -> Overhead:
        return Overhead(_sum(self.per_pod, other.per_pod), _sum(self.per_container, other.per_container))


@dataclass(frozen=True, slots=True)
class DeviceUsage:
    """The node resources that allocated devices map to, and the overhead of their users."""

    resources: Mapping[str, Quantity] = field(default_factory=dict)
    overhead: Mapping[str, Overhead] = field(default_factory=dict)

    def __add__(self, other: DeviceUsage) -> DeviceUsage:
        names = {**self.overhead, **other.overhead}
        overhead = {
            name: self.overhead.get(name, Overhead()) + other.overhead.get(name, Overhead()) for name in names
        }
        return DeviceUsage(added(self.resources, other.resources), overhead)

    def __bool__(self) -> bool:
        return bool(self.resources or self.overhead)


def newest_of_pools(slices: Sequence[ResourceSlice]) -> list[ResourceSlice]:
    """Return the ResourceSlices of the newest generation of each pool, in their order."""
    newest: dict[tuple[str, str], int] = {}
    for slice_ in slices:
        pool = slice_.spec.driver, slice_.spec.pool.name
        newest[pool] = max(newest.get(pool, 0), slice_.spec.pool.generation)
    return [
        slice_
        for slice_ in slices
        if slice_.spec.pool.generation == newest[slice_.spec.driver, slice_.spec.pool.name]
    ]


class DevicesInSlices:
    """The devices of the newest generation of each pool by driver, pool and name."""

    def __init__(self, slices: Iterable[ResourceSlice], switches: NodeResourceSwitches) -> None:
        self._any_driver = switches.any_driver
        self._devices: dict[tuple[str, str, str], tuple[ResourceSliceSpec, Device]] = {}
        for slice_ in newest_of_pools(list(slices)):
            for device in slice_.spec.devices:
                key = self._key(slice_.spec.driver, slice_.spec.pool.name, device.name)
                self._devices.setdefault(key, (slice_.spec, device))

    def get(self, result: DeviceRequestAllocationResult) -> Device | None:
        """Return the device of an allocation result, None if it is not published."""
        published = self._devices.get(self._key(result.driver, result.pool, result.device))
        return published[1] if published else None

    def get_on(self, node: Node, result: DeviceRequestAllocationResult) -> Device | None:
        """Return the device of an allocation result, None if it is not published or unavailable on the
        node."""
        spec, device = self._devices.get(self._key(result.driver, result.pool, result.device), (None, None))
        if spec is None or device is None:
            return None
        try:
            reached = is_available_on_node(device if spec.per_device_node_selection else spec, node)
        except SelectorError:
            return None
        return device if reached else None

    def _key(self, driver: str, pool: str, device: str) -> tuple[str, str, str]:
        return ("" if self._any_driver else driver, pool, device)


def device_usage(
    device: Device, result: DeviceRequestAllocationResult, switches: NodeResourceSwitches
) -> DeviceUsage:
    """Return the usage of an allocated device; raise CountingFailed if the consumed capacity is unknown."""
    if not switches.overhead:
        mappings = device.node_allocatable_resource_mappings.items()
        return DeviceUsage(
            dict(
                _mapped_quantities(
                    (
                        (name, mapping.capacity_key, mapping.allocation_multiplier)
                        for name, mapping in mappings
                    ),
                    device,
                    result,
                    switches,
                )
            )
        )
    resources = device.node_allocatable_resources
    mapped = (
        (name, resource.mapping) for name, resource in resources.items() if resource.mapping is not None
    )
    entries = (
        (name, mapping.capacity_key, mapping.capacity_multiplier or mapping.device_multiplier)
        for name, mapping in mapped
    )
    overhead = {
        name: Overhead(resource.overhead.per_pod, resource.overhead.per_container)
        for name, resource in resources.items()
        if resource.overhead is not None
    }
    return DeviceUsage(dict(_mapped_quantities(entries, device, result, switches)), overhead)


def _mapped_quantities(
    entries: Iterable[tuple[str, str | None, Quantity | None]],
    device: Device,
    result: DeviceRequestAllocationResult,
    switches: NodeResourceSwitches,
) -> Iterator[tuple[str, Quantity]]:
    for name, key, multiplier in entries:
        times = ONE if multiplier is None else multiplier
        if not key:
            yield name, times
            continue
        consumed = _consumed(key, device, result, switches)
        if consumed is not None:
            yield name, multiplied(consumed, times)


def _consumed(
    key: str, device: Device, result: DeviceRequestAllocationResult, switches: NodeResourceSwitches
) -> Quantity | None:
    """Return the consumed quantity of a capacity, None if the result does not consume it."""
    if result.consumed_capacity:
        return result.consumed_capacity.get(key)
    if switches.whole_capacity and not device.allow_multiple_allocations:
        capacity = device.capacity.get(key)
        return capacity.value if capacity else None
    raise CountingFailed(f"device {result.device}: the allocation result has no consumedCapacity for {key}")


def _sum(first: Quantity | None, second: Quantity | None) -> Quantity | None:
    if first is None or second is None:
        return first if second is None else second
    return first + second

"""The node resource usage of one allocated device."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dra_conform.footprint.amounts import added, multiplied
from dra_conform.footprint.rules import FootprintRules
from dra_conform.kube.core import Node
from dra_conform.kube.node_selectors import SelectorError, reaches_node
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import Device, DeviceRequestAllocationResult, ResourceSlice, ResourceSliceSpec

ONE = Quantity.whole(1)


class CountingFailed(Exception):  # noqa: N818 - it reads as what happened
    """What a claim takes cannot be said."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """What the users of devices need besides, of one resource."""

    per_pod: Quantity | None = None
    per_container: Quantity | None = None

    def __add__(self, other: Overhead) -> Overhead:
        return Overhead(_sum(self.per_pod, other.per_pod), _sum(self.per_container, other.per_container))


@dataclass(frozen=True, slots=True)
class TakenByDevice:
    """The amounts of a node's resources that devices are, and those that their users need besides."""

    resources: Mapping[str, Quantity] = field(default_factory=dict)
    overhead: Mapping[str, Overhead] = field(default_factory=dict)

    def __add__(self, other: TakenByDevice) -> TakenByDevice:
        names = {**self.overhead, **other.overhead}
        overhead = {
            name: self.overhead.get(name, Overhead()) + other.overhead.get(name, Overhead()) for name in names
        }
        return TakenByDevice(added(self.resources, other.resources), overhead)

    def __bool__(self) -> bool:
        return bool(self.resources or self.overhead)


class DevicesInSlices:
    """The devices of slices, each by driver, pool and name; the newest generation of a pool counts."""

    def __init__(self, slices: Iterable[ResourceSlice], rules: FootprintRules) -> None:
        self._any_driver = rules.any_driver
        self._devices: dict[tuple[str, str, str], tuple[ResourceSliceSpec, Device]] = {}
        several = list(slices)
        newest: dict[tuple[str, str], int] = {}
        for one in several:
            pool = (one.spec.driver, one.spec.pool.name)
            newest[pool] = max(newest.get(pool, 0), one.spec.pool.generation)
        for one in several:
            if one.spec.pool.generation == newest[one.spec.driver, one.spec.pool.name]:
                for device in one.spec.devices:
                    key = self._key(one.spec.driver, one.spec.pool.name, device.name)
                    self._devices.setdefault(key, (one.spec, device))

    def get(self, result: DeviceRequestAllocationResult) -> Device | None:
        """The device that a result names, None where it is not published."""
        found = self._devices.get(self._key(result.driver, result.pool, result.device))
        return found[1] if found else None

    def get_on(self, node: Node, result: DeviceRequestAllocationResult) -> Device | None:
        """The same, None also for one that the node cannot reach."""
        spec, device = self._devices.get(self._key(result.driver, result.pool, result.device), (None, None))
        if spec is None or device is None:
            return None
        try:
            reached = reaches_node(device if spec.per_device_node_selection else spec, node)
        except SelectorError:
            return None
        return device if reached else None

    def _key(self, driver: str, pool: str, device: str) -> tuple[str, str, str]:
        return ("" if self._any_driver else driver, pool, device)


def taken_by(device: Device, result: DeviceRequestAllocationResult, rules: FootprintRules) -> TakenByDevice:
    """What an allocated device takes; raises CountingFailed where the consumed capacity is not known."""
    if not rules.overhead:
        mappings = device.node_allocatable_resource_mappings.items()
        return TakenByDevice(
            dict(
                _amounts(
                    ((name, one.capacity_key, one.allocation_multiplier) for name, one in mappings),
                    device,
                    result,
                    rules,
                )
            )
        )
    resources = device.node_allocatable_resources
    mapped = ((name, one.mapping) for name, one in resources.items() if one.mapping is not None)
    entries = (
        (name, one.capacity_key, one.capacity_multiplier or one.device_multiplier) for name, one in mapped
    )
    overhead = {
        name: Overhead(one.overhead.per_pod, one.overhead.per_container)
        for name, one in resources.items()
        if one.overhead is not None
    }
    return TakenByDevice(dict(_amounts(entries, device, result, rules)), overhead)


def _amounts(
    entries: Iterable[tuple[str, str | None, Quantity | None]],
    device: Device,
    result: DeviceRequestAllocationResult,
    rules: FootprintRules,
) -> Iterator[tuple[str, Quantity]]:
    for name, key, multiplier in entries:
        times = ONE if multiplier is None else multiplier
        if not key:
            yield name, times
            continue
        consumed = _consumed(key, device, result, rules)
        if consumed is not None:
            yield name, multiplied(consumed, times)


def _consumed(
    key: str, device: Device, result: DeviceRequestAllocationResult, rules: FootprintRules
) -> Quantity | None:
    """What the result consumes of a capacity, None where it consumes nothing of it."""
    if result.consumed_capacity is not None:
        return result.consumed_capacity.get(key)
    if rules.whole_capacity and not device.allow_multiple_allocations:
        capacity = device.capacity.get(key)
        return capacity.value if capacity else None
    raise CountingFailed(f"device {result.device}: what is consumed of {key} is not known")


def _sum(one: Quantity | None, other: Quantity | None) -> Quantity | None:
    if one is None or other is None:
        return one if other is None else other
    return one + other

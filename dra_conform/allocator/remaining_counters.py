"""The remaining counters of partitionable devices (DRA/partitionable/*)."""

from __future__ import annotations

from collections.abc import Container, Hashable

from dra_conform.allocator.node_devices import DeviceKey, NodeDevices, NodePool
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import Device, ResourceSlice
from dra_conform.kube.switches.allocation import CounterSwitches
from dra_conform.kube.switches.values import CounterScope

Counter = tuple[str, str]
"""Names of a counter set and of a counter in it."""


class RemainingCounters:
    """The remaining value of each counter, in nano units. Each allocated device consumes its counters once.

    `drawing` has the allocated devices, published or not.
    """

    __slots__ = ("_declared", "_devices", "_drawing", "_draws", "_left", "_short", "_switches")

    def __init__(
        self, devices: NodeDevices, drawing: Container[DeviceKey], switches: CounterSwitches
    ) -> None:
        self._devices = devices
        self._drawing = drawing
        self._switches = switches
        self._left: dict[Hashable, dict[Counter, int]] = {}
        self._short: dict[Hashable, Counter | None] = {}
        self._draws: dict[int, dict[Counter, int]] = {}
        self._declared: dict[Hashable, dict[Counter, Quantity]] = {}

    def draw(self, index: int) -> str:
        """Consume the device's counters and return an empty string.

        If a counter does not suffice, return the reason and change nothing.
        """
        scope = self._scope(index)
        left = self._left_of(scope, index)
        draws = self._draws_of(index)
        short = self._short[scope]
        if short is not None and self._switches.short_blocks_all:
            rest = Quantity(left[short], self._declared[scope][short].format)
            return f"{_named(short)}: the remaining value is negative, {rest}"
        for counter, amount in draws.items():
            if counter in left and left[counter] < amount:
                declared = self._declared[scope][counter]
                needs, rest = Quantity(amount, declared.format), Quantity(left[counter], declared.format)
                return f"{_named(counter)}: needs {needs}, remaining {rest} of {declared}"
        for counter, amount in draws.items():
            if counter in left:
                left[counter] -= amount
        return ""

    def forget(self, device: DeviceKey) -> None:
        """Discard the remaining counters of the device's scope, which are computed again at the next `draw`.

        Called when the device becomes allocated.
        """
        if not self._left:
            return
        match self._switches.scope:
            case CounterScope.POOL:
                self._left.pop(device[:2], None)
            case CounterScope.POOL_NAME:
                self._left.pop(device[1], None)
            case CounterScope.SLICE:
                self._left.clear()

    def undo_draw(self, index: int) -> None:
        """Release the counters that one `draw` of the device consumed."""
        left = self._left[self._scope(index)]
        for counter, amount in self._draws_of(index).items():
            if counter in left:
                left[counter] += amount

    def _scope(self, index: int) -> Hashable:
        match self._switches.scope:
            case CounterScope.POOL:
                return self._devices.keys[index][:2]
            case CounterScope.POOL_NAME:
                return self._devices.keys[index][1]
            case CounterScope.SLICE:
                return self._devices.slices[index].metadata.name

    def _left_of(self, scope: Hashable, index: int) -> dict[Counter, int]:
        left = self._left.get(scope)
        if left is None:
            pool = self._devices.pool_of(index)
            is_slice = self._switches.scope is CounterScope.SLICE
            slices = (self._devices.slices[index],) if is_slice else pool.everywhere
            values: dict[Counter, Quantity] = {}
            left = self._left[scope] = self._at_first(pool, slices, values)
            self._declared[scope] = values
            self._short[scope] = next((counter for counter, amount in left.items() if amount < 0), None)
        return left

    def _at_first(
        self, pool: NodePool, slices: tuple[ResourceSlice, ...], values: dict[Counter, Quantity]
    ) -> dict[Counter, int]:
        """Return the counters of the ResourceSlices minus the consumption of their allocated devices.

        The declared values are added to `values`.
        """
        left: dict[Counter, int] = {}
        for item in slices:
            for counter_set in item.spec.shared_counters:
                for name, declared in counter_set.counters.items():
                    left[counter_set.name, name] = declared.value.nano
                    values[counter_set.name, name] = declared.value
        for item in slices:
            if item.spec.shared_counters and not self._switches.slices_have_devices:
                continue
            for device in item.spec.devices:
                if (pool.driver, pool.name, device.name) in self._drawing:
                    for counter, amount in draws_of(device).items():
                        if counter in left:
                            left[counter] -= amount
        return left

    def _draws_of(self, index: int) -> dict[Counter, int]:
        draws = self._draws.get(index)
        if draws is None:
            draws = self._draws[index] = draws_of(self._devices.devices[index])
        return draws


def draws_of(device: Device) -> dict[Counter, int]:
    """Return what a device consumes of each counter, in nano units."""
    draws: dict[Counter, int] = {}
    for consumption in device.consumes_counters:
        for name, counter in consumption.counters.items():
            key = (consumption.counter_set, name)
            draws[key] = draws.get(key, 0) + counter.value.nano
    return draws


def _named(counter: Counter) -> str:
    return f"counter {counter[1]} of {counter[0]}"

"""The devices in use on a node: allocated by claims before a call, or chosen during the call.

The choice of a device consumes counters and affects the compatibility groups of its counter sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dra_conform.allocator.capacity_needs import published_name
from dra_conform.allocator.compatibility_groups import CompatibilityGroups, Undo
from dra_conform.allocator.inventory import has_groups
from dra_conform.allocator.node_devices import DeviceKey, NodeDevices
from dra_conform.allocator.remaining_counters import RemainingCounters
from dra_conform.capacity import Aggregate
from dra_conform.kube.category import Category
from dra_conform.kube.resource import DeviceRequestAllocationResult
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import GroupSemantics

FREE, ALLOCATED, CHOSEN = 0, 1, 2


class Occupancy:
    """Devices in use, consumed capacity, counters and groups, by the index of the device in total order.

    `in_use` is FREE, ALLOCATED (to an earlier claim) or CHOSEN (in this call). `consumed` sums all shared
    allocations. `marked` are shared devices whose counters are consumed by shared allocations of earlier
    claims. `cursors` is, for each kind of request, the first device that may still be allocated. The cursors
    stay valid because a session never releases devices.
    """

    __slots__ = (
        "_allocated",
        "_devices",
        "_drawing",
        "_places",
        "_switches",
        "consumed",
        "counters",
        "cursors",
        "groups",
        "in_use",
        "marked",
        "share_ids",
    )

    def __init__(self, devices: NodeDevices, switches: AllocationSwitches, share_ids: set[str]) -> None:
        self._devices = devices
        self._switches = switches
        self._places: dict[DeviceKey, int] = {}
        self._allocated: dict[DeviceKey, list[DeviceRequestAllocationResult]] = {}
        self._drawing: set[DeviceKey] = set()
        self.in_use = bytearray(len(devices.keys))
        self.consumed: Aggregate[int] = Aggregate()
        self.share_ids = share_ids
        self.marked: set[int] = set()
        self.cursors: dict[object, int] = {}
        self.counters = RemainingCounters(devices, self._drawing, switches.counters)
        self.groups = CompatibilityGroups(devices, self._allocated, switches)

    def hold(self, results: Iterable[DeviceRequestAllocationResult]) -> None:
        """Mark the devices of allocated claims on any node as in use; ignore results with adminAccess."""
        for result in results:
            if result.admin_access:
                continue
            if not self._places:
                self._places = {key: index for index, key in enumerate(self._devices.keys)}
            key = (result.driver, result.pool, result.device)
            if self._devices.draw:
                self._remember(key, result)
                self.counters.forget(key)
                self.groups.forget(key)
            index = self._places.get(key)
            if index is not None:
                self._take(index, result)

    def remember(self, results: Iterable[DeviceRequestAllocationResult]) -> None:
        """Record that chosen devices are now allocated, for counters and compatibility groups."""
        if self._devices.draw:
            for result in results:
                self._remember((result.driver, result.pool, result.device), result)

    def _remember(self, key: DeviceKey, result: DeviceRequestAllocationResult) -> None:
        self._allocated.setdefault(key, []).append(result)
        if self._switches.counters.shares_draw or not self._is_share(result):
            self._drawing.add(key)

    def _amounts(self, index: int, result: DeviceRequestAllocationResult) -> dict[str, int]:
        """Return what a shared allocation consumes in nano units, by the present names of its capacities."""
        switches, capacities = self._switches.capacity, self._devices.devices[index].capacity
        amounts: dict[str, int] = {}
        for name, amount in (result.consumed_capacity or {}).items():
            nano = amount.nano if switches.negative_shares_add_capacity else max(amount.nano, 0)
            bare = switches.bare_names_in_driver_domain
            published = published_name(name, result.driver, capacities) if bare else name
            amounts[published] = amounts.get(published, 0) + nano
        return amounts

    def _is_share(self, result: DeviceRequestAllocationResult) -> bool:
        return bool(result.share_id) and self._switches.features.consumable_capacity

    def _take(self, index: int, result: DeviceRequestAllocationResult) -> None:
        if not self._is_share(result):
            self.in_use[index] = ALLOCATED
            return
        self.consumed.add(index, self._amounts(index, result))
        if (
            result.consumed_capacity is not None
            or not self._switches.counters.consumed_capacity_marks_sharing
        ):
            self.marked.add(index)
        if self._switches.capacity.shares_block_exclusive and not self._devices.shared[index]:
            self.in_use[index] = ALLOCATED


class Drawn(NamedTuple):
    """What it takes to undo the choice of a device: its effect on counters and on compatibility groups.

    `counted`: whether the device consumed counters. `joined` is the argument of `CompatibilityGroups.leave`.
    """

    joined: Undo
    counted: bool


class DrawFailure(NamedTuple):
    """The reason why a device cannot consume its counters or join its compatibility groups."""

    category: Category
    message: str


NOTHING_DRAWN = Drawn((), counted=False)


def draw(
    index: int,
    devices: NodeDevices,
    occupancy: Occupancy,
    switches: AllocationSwitches,
    *,
    uses: bool,
    shares: int,
) -> Drawn | DrawFailure:
    """Consume the counters of the device and join its groups. If that fails, return why and change nothing.

    `uses` is false for adminAccess that consumes nothing. `shares` is the number of shared allocations of the
    device that were chosen in this call.
    """
    device = devices.devices[index]
    if not device.consumes_counters:
        return NOTHING_DRAWN
    if not switches.features.partitionable_devices:
        message = "the device consumes counters, but the DRAPartitionableDevices feature is disabled"
        return DrawFailure(Category.FEATURE_DISABLED, message)
    if switches.groups is GroupSemantics.EXCLUDED and has_groups((device,)):
        message = "the device has groups, but the DRADeviceCompatibilityGroups feature is disabled"
        return DrawFailure(Category.FEATURE_DISABLED, message)
    if not uses:
        return NOTHING_DRAWN
    drawn_before = devices.shared[index] and (shares > 0 or index in occupancy.marked)
    again = drawn_before and not switches.counters.each_share_draws
    joined: Undo = ()
    if not (again and switches.groups is GroupSemantics.LIVE):
        message, joined = occupancy.groups.join(index)
        if message:
            return DrawFailure(Category.INCOMPATIBLE_GROUP, message)
    if again:
        return Drawn(joined, counted=False)
    message = occupancy.counters.draw(index)
    if message:
        occupancy.groups.leave(joined)
        return DrawFailure(Category.COUNTER_EXHAUSTED, message)
    return Drawn(joined, counted=True)


def undo_draw(index: int, occupancy: Occupancy, drawn: Drawn) -> None:
    """Release the counters that a `draw` consumed, and leave the compatibility groups that it joined."""
    if drawn.counted:
        occupancy.counters.undo_draw(index)
    occupancy.groups.leave(drawn.joined)

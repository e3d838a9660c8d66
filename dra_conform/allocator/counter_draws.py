"""The counters that a chosen device consumes, and its effect on the compatibility groups of its counter
sets."""

from __future__ import annotations

from typing import NamedTuple

from dra_conform.allocator.compatibility_groups import Undo
from dra_conform.allocator.inventory import NodeDevices, has_groups
from dra_conform.allocator.occupancy import Occupancy
from dra_conform.kube.category import Category
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import GroupSemantics


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

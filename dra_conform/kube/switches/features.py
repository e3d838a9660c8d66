"""The enabled DRA features of a profile, and which allocator its release runs."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.declarations import ProfileCondition, Reader, Switches, gate, switch, when

BINDING = gate("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")


@dataclass(frozen=True, slots=True)
class FeatureSwitches(Switches):
    """The DRA features whose gates are on. Allocation ignores the fields of other features."""

    READ_BY = (Reader.ALLOCATOR, Reader.JUDGE)

    admin_access: bool = switch(gate("DRAAdminAccess"))
    """Requests may set `adminAccess`."""
    prioritized_list: bool = switch(gate("DRAPrioritizedList"))
    """Requests may have a prioritized list, `firstAvailable`."""
    consumable_capacity: bool = switch(
        gate("DRAConsumableCapacity"), read_by=(Reader.ALLOCATOR, Reader.JUDGE, Reader.API_SERVER)
    )
    """Devices may have `allowMultipleAllocations`; with the gate off every allocation is exclusive."""
    partitionable_devices: bool = switch(gate("DRAPartitionableDevices"))
    """ResourceSlices may have counters and `perDeviceNodeSelection`."""
    binding_conditions: bool = switch(BINDING)
    """Devices may have binding conditions and `bindsToNode`."""
    list_attributes: bool = switch(gate("DRAListTypeAttributes"))
    """Constraints compare list-type attributes; with the gate off such an attribute is missing."""
    device_taints: bool = switch(gate("DRADeviceTaints"))
    """Device taints prevent allocation unless tolerated."""
    device_taint_rules: bool = switch(
        when("until 1.34") & gate("DRADeviceTaints"),
        gate("DRADeviceTaints", "DRADeviceTaintRules"),
        read_by=(Reader.ALLOCATOR, Reader.JUDGE, Reader.PREVIEWS),
    )
    """DeviceTaintRules taint devices; since 1.35 they have their own gate."""


_BEYOND_STABLE = (
    "DRAConsumableCapacity",
    "DRAListTypeAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAFractionalCapacityRange",
)
_BINDING_COUNTS = (
    BINDING,
    when("in 1.34") & gate("DRADeviceBindingConditions"),
    when("in 1.34") & gate("DRAResourceClaimDeviceStatus"),
)


def _runs_stable_allocator(profile: Profile) -> bool:
    newer_gate = any(map(profile.enabled, _BEYOND_STABLE))
    newer = newer_gate or any(condition.holds(profile) for condition in _BINDING_COUNTS)
    return profile.release is not None and not newer


STABLE_ALLOCATOR = ProfileCondition("the stable allocator", _runs_stable_allocator)
"""A release with all newer features off runs its stable allocator, which does not implement them. In 1.34
each gate of binding conditions counts as a newer feature, also the gate that is on by default."""

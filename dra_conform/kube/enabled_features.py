"""The DRA features of a profile, and the allocator that its release runs for them."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import ProfileCondition, gate, switch, when

BINDING = gate("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")


@dataclass(frozen=True, slots=True)
class EnabledFeatures:
    """The features whose gates are on. What is off does not exist for allocation."""

    admin_access: bool = switch(gate("DRAAdminAccess"))
    """Requests may ask for administrative access."""
    prioritized_list: bool = switch(gate("DRAPrioritizedList"))
    """Requests may have subrequests."""
    consumable_capacity: bool = switch(gate("DRAConsumableCapacity"))
    """Without it every device is dedicated."""
    partitionable_devices: bool = switch(gate("DRAPartitionableDevices"))
    """Counters, and devices of a slice that choose their nodes themselves."""
    binding_conditions: bool = switch(BINDING)
    """Devices may have binding conditions, and bind to their nodes."""
    list_attributes: bool = switch(gate("DRAListTypeAttributes"))
    """Without it a list is no value to compare."""
    device_taints: bool = switch(gate("DRADeviceTaints"))
    """Taints of devices count."""
    device_taint_rules: bool = switch(
        when("until 1.34") & gate("DRADeviceTaints"), gate("DRADeviceTaints", "DRADeviceTaintRules")
    )
    """DeviceTaintRules taint devices; they have a gate of their own since 1.35."""


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


def _runs_stable_variant(profile: Profile) -> bool:
    newer = any(map(profile.enabled, _BEYOND_STABLE)) or any(one.holds(profile) for one in _BINDING_COUNTS)
    return profile.release is not None and not newer


STABLE_VARIANT = ProfileCondition("the stable allocator", _runs_stable_variant)
"""A release that has none of the newer features on runs its most stable allocator, which knows nothing of
them. 1.34 counts each gate of binding conditions, also the one on by default, among the newer features."""

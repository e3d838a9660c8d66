"""The table of releases and their DRA feature gates.

A release that behaves like the one before it is one more line in CHECKED_WITH.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CHECKED_WITH: Mapping[str, str] = MappingProxyType(
    {
        "1.33": "",
        "1.34": "v0.34.13",
        "1.35": "v0.35.10",
        "1.36": "v0.36.6",
        "1.37": "v0.37.2",
        "1.38": "v0.38.0-alpha.0",
    }
)
"""The releases in order, each with the version of k8s.io/dynamic-resource-allocation whose allocator was put
to the suite; empty where only the source was read."""

_ON = {"alpha": False, "beta-off": False, "beta": True, "GA": True}
"""The stages of a gate, and whether it is on by default."""

_STAGES = {
    "DynamicResourceAllocation": "1.33 beta-off, 1.34 GA",
    "DRAAdminAccess": "1.33 alpha, 1.34 beta, 1.36 GA",
    "DRAPrioritizedList": "1.33 alpha, 1.34 beta, 1.36 GA",
    "DRAPartitionableDevices": "1.33 alpha, 1.36 beta",
    "DRADeviceTaints": "1.33 alpha, 1.36 beta, 1.37 GA",
    "DRADeviceTaintRules": "1.35 alpha, 1.36 beta-off, 1.37 GA",
    "DRAConsumableCapacity": "1.34 alpha, 1.36 beta",
    "DRAExtendedResource": "1.34 alpha, 1.36 beta, 1.37 GA",
    "DRADeviceBindingConditions": "1.34 alpha, 1.36 beta",
    "DRAResourceClaimDeviceStatus": "1.33 beta, 1.37 GA",
    "DRAResourceClaimGranularStatusAuthorization": "1.36 beta",
    "DRANodeAllocatableResources": "1.36 alpha",
    "DRADeviceCompatibilityGroups": "1.37 alpha",
    "DRAListTypeAttributes": "1.36 alpha",
    "DRASchedulerFilterTimeout": "1.34 beta",
    "DRAFractionalCapacityRange": "1.37 beta-off, 1.38 beta",
}
"""Each gate with the releases in which it appeared or changed; a stage lasts until the next."""

GATES: tuple[str, ...] = tuple(_STAGES)

_NEEDS = {
    "DRADeviceBindingConditions": "DRAResourceClaimDeviceStatus",
    "DRADeviceCompatibilityGroups": "DRAPartitionableDevices",
    "DRADeviceTaintRules": "DRADeviceTaints",
    "DRAFractionalCapacityRange": "DRAConsumableCapacity",
    "DRAResourceClaimGranularStatusAuthorization": "DRAResourceClaimDeviceStatus",
}

_LOCKED = {
    "1.36": ("DynamicResourceAllocation", "DRAAdminAccess"),
    "1.37": ("DRAPrioritizedList", "DRAExtendedResource", "DRAResourceClaimDeviceStatus"),
}
"""From which release on a component does not start with the gate off."""


def locked(release: str | None) -> frozenset[str]:
    """The gates that are on in a release whatever one says, of the newest release for None."""
    order = list(CHECKED_WITH)
    last = len(order) if release is None else order.index(release)
    return frozenset(gate for since, gates in _LOCKED.items() if order.index(since) <= last for gate in gates)


def consistent(gates: Mapping[str, bool]) -> Mapping[str, bool]:
    """The gates with those off that depend on one that is off: a component would not start otherwise."""
    off = {gate for gate, needed in _NEEDS.items() if gates.get(gate) and not gates.get(needed, True)}
    return consistent({**gates, **dict.fromkeys(off, False)}) if off else gates


def defaults(release: str) -> Mapping[str, bool]:
    """The gates that exist in a release (`1.36`), and whether each is on; KeyError for an unknown release."""
    order = list(CHECKED_WITH)
    if release not in order:
        raise KeyError(release)
    found = {}
    for gate, stages in _STAGES.items():
        for change in stages.split(", "):
            since, stage = change.split(" ")
            if order.index(since) <= order.index(release):
                found[gate] = _ON[stage]
    return MappingProxyType(found)

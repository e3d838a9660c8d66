"""The table of releases and their DRA feature gates.

To add a release that behaves like the previous one, add a line to CHECKED_WITH.
"""

from __future__ import annotations

from collections.abc import KeysView, Mapping
from types import MappingProxyType

CHECKED_WITH: Mapping[str, str] = MappingProxyType(
    {
        "1.33": "",
        "1.34": "v0.34.13",
        "1.35": "v0.35.10",
        "1.36": "v0.36.6",
        "1.37": "v0.37.2",
        "1.38": "v0.38.0-beta.0",
    }
)
"""The releases in order, each with the version of k8s.io/dynamic-resource-allocation that was run on the
suite. The version is empty if only the source was read."""

_ON = {"alpha": False, "beta-off": False, "beta": True, "GA": True}
"""Whether a gate of each stage is on by default."""

_STAGES = {
    "DynamicResourceAllocation": "1.33 beta-off, 1.34 GA",
    "DRAAdminAccess": "1.33 alpha, 1.34 beta, 1.36 GA",
    "DRAPrioritizedList": "1.33 alpha, 1.34 beta, 1.36 GA",
    "DRAPartitionableDevices": "1.33 alpha, 1.36 beta, 1.38 GA",
    "DRADeviceTaints": "1.33 alpha, 1.36 beta, 1.37 GA",
    "DRADeviceTaintRules": "1.35 alpha, 1.36 beta-off, 1.37 GA",
    "DRAConsumableCapacity": "1.34 alpha, 1.36 beta, 1.38 GA",
    "DRAExtendedResource": "1.34 alpha, 1.36 beta, 1.37 GA",
    "DRADeviceBindingConditions": "1.34 alpha, 1.36 beta, 1.38 GA",
    "DRAResourceClaimDeviceStatus": "1.33 beta, 1.37 GA",
    "DRAResourceClaimGranularStatusAuthorization": "1.36 beta",
    "DRANodeAllocatableResources": "1.36 alpha",
    "DRADeviceCompatibilityGroups": "1.37 alpha",
    "DRAListTypeAttributes": "1.36 alpha",
    "DRASchedulerFilterTimeout": "1.34 beta",
    "DRAFractionalCapacityRange": "1.37 beta-off, 1.38 GA",
}
"""The stages of each gate, each with its first release; a stage lasts until the next."""

GATES: KeysView[str] = _STAGES.keys()
"""The names of all DRA feature gates, with those of plugins."""


def add(stages: Mapping[str, str]) -> None:
    """Add the gates of a plugin with their stages."""
    _STAGES.update(stages)


_NEEDS = {
    "DRADeviceBindingConditions": "DRAResourceClaimDeviceStatus",
    "DRADeviceCompatibilityGroups": "DRAPartitionableDevices",
    "DRADeviceTaintRules": "DRADeviceTaints",
    "DRAFractionalCapacityRange": "DRAConsumableCapacity",
    "DRAResourceClaimGranularStatusAuthorization": "DRAResourceClaimDeviceStatus",
}
"""The gate that each gate depends on; a component does not start if only the dependent gate is on."""

_LOCKED = {
    "1.35": ("DynamicResourceAllocation",),
    "1.36": ("DRAAdminAccess",),
    "1.37": ("DRAPrioritizedList", "DRAExtendedResource", "DRAResourceClaimDeviceStatus"),
    "1.38": (
        "DRADeviceTaints",
        "DRADeviceTaintRules",
        "DRAPartitionableDevices",
        "DRADeviceBindingConditions",
    ),
}
"""Gates that are locked to on, by the first release in which a component does not start with the gate off."""


def locked(release: str | None) -> frozenset[str]:
    """Return the gates that cannot be turned off in a release; None means the newest release."""
    order = list(CHECKED_WITH)
    last = len(order) if release is None else order.index(release)
    return frozenset(gate for since, gates in _LOCKED.items() if order.index(since) <= last for gate in gates)


def consistent(gates: Mapping[str, bool]) -> Mapping[str, bool]:
    """Return the gates with each gate turned off whose dependency is off, so that components start."""
    off = {gate for gate, needed in _NEEDS.items() if gates.get(gate) and not gates.get(needed, True)}
    return consistent({**gates, **dict.fromkeys(off, False)}) if off else gates


def defaults(release: str) -> Mapping[str, bool]:
    """Return whether each gate of a release (`1.36`) is on by default.

    Raises KeyError for an unknown release.
    """
    order = list(CHECKED_WITH)
    if release not in order:
        raise KeyError(release)
    values = {}
    for gate, stages in _STAGES.items():
        for change in stages.split(", "):
            since, stage = change.split(" ")
            if order.index(since) <= order.index(release):
                values[gate] = _ON[stage]
    return MappingProxyType(values)

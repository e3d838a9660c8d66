"""The feature gates of DRA by release: stage and default, as Kubernetes has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

RELEASES = ("1.32", "1.33", "1.34", "1.35", "1.36", "1.37")


@dataclass(frozen=True, slots=True)
class Stage:
    """Maturity of a gate in one release: `level` is alpha, beta or GA; a locked gate stays on."""

    level: str
    on: bool
    locked: bool = False


_STAGES = {
    "-": None,
    "alpha": Stage("alpha", on=False),
    "beta": Stage("beta", on=True),
    "beta-off": Stage("beta", on=False),
    "GA": Stage("GA", on=True),
    "GA-locked": Stage("GA", on=True, locked=True),
}

_TABLE = {
    "DynamicResourceAllocation": "beta-off beta-off GA GA-locked GA-locked GA-locked",
    "DRAAdminAccess": "alpha alpha beta beta GA-locked GA-locked",
    "DRAPrioritizedList": "- alpha beta beta GA GA-locked",
    "DRAPartitionableDevices": "- alpha alpha alpha beta beta",
    "DRADeviceTaints": "- alpha alpha alpha beta GA",
    "DRADeviceTaintRules": "- - - alpha beta-off GA",
    "DRAConsumableCapacity": "- - alpha alpha beta beta",
    "DRAExtendedResource": "- - alpha alpha beta GA-locked",
    "DRADeviceBindingConditions": "- - alpha alpha beta beta",
    "DRAResourceClaimDeviceStatus": "alpha beta beta beta beta GA-locked",
    "DRANodeAllocatableResources": "- - - - alpha alpha",
    "DRADeviceCompatibilityGroups": "- - - - - alpha",
    "DRAListTypeAttributes": "- - - - alpha alpha",
    "DRASchedulerFilterTimeout": "- - beta beta beta beta",
    "DRAFractionalCapacityRange": "- - - - - beta",
}

GATES: tuple[str, ...] = tuple(_TABLE)

_NEEDS = {
    "DRADeviceBindingConditions": "DRAResourceClaimDeviceStatus",
    "DRADeviceCompatibilityGroups": "DRAPartitionableDevices",
    "DRADeviceTaintRules": "DRADeviceTaints",
    "DRAFractionalCapacityRange": "DRAConsumableCapacity",
}


def consistent(gates: Mapping[str, bool]) -> Mapping[str, bool]:
    """The gates with those off that depend on one that is off: a component would not start otherwise."""
    off = {gate for gate, needed in _NEEDS.items() if gates.get(gate) and not gates.get(needed, True)}
    return consistent({**gates, **dict.fromkeys(off, False)}) if off else gates


def stages(release: str) -> Mapping[str, Stage]:
    """The gates that exist in a release (`1.36`), and their stage; KeyError for an unknown release."""
    if release not in RELEASES:
        raise KeyError(release)
    column = RELEASES.index(release)
    found = {gate: _STAGES[row.split()[column]] for gate, row in _TABLE.items()}
    return MappingProxyType({gate: stage for gate, stage in found.items() if stage is not None})

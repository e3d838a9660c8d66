"""The devices that are allocated to ResourceClaims in a state of the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.conformance.cluster.observed_scenario import State
from dra_conform.kube.field_paths import field_at

Json = Any
DeviceKey = tuple[str, str, str]
"""The identity of a device: driver, pool, device."""


@dataclass(frozen=True, slots=True)
class DeviceOfClaim:
    """One device allocated to a ResourceClaim; `is_new`: it was not in the previous state."""

    claim: str
    device: DeviceKey
    share: str
    consumed: Json
    is_new: bool


_NAMES = ("driver", "pool", "device")


def results_of(claim: Json) -> list[Mapping[str, Json]]:
    """Return the results of a ResourceClaim that name a device; none if it is not allocated."""
    results = field_at(claim, "status.allocation.devices.results")
    if not isinstance(results, (list, tuple)):
        return []
    return [one for one in results if isinstance(one, Mapping) and all(one.get(name) for name in _NAMES)]


def allocated_devices(before: State, state: State) -> Iterator[DeviceOfClaim]:
    """Yield allocated devices, without those with adminAccess (DRA/admin-access/does-not-consume)."""
    for key, claim in state.claims.items():
        known = results_of(before.claims.get(key))
        for result in results_of(claim):
            if not result.get("adminAccess"):
                yield DeviceOfClaim(
                    key,
                    (result["driver"], result["pool"], result["device"]),
                    result.get("shareID") or "",
                    result.get("consumedCapacity") or {},
                    result not in known,
                )

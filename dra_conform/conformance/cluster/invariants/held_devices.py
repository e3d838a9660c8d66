"""The devices that are allocated to claims in a state of the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.conformance.cluster.observed_scenario import State
from dra_conform.kube.field_paths import field_at

Json = Any
DeviceKey = tuple[str, str, str]
"""driver, pool, device: the identity of a device."""


@dataclass(frozen=True, slots=True)
class HeldByClaim:
    """One device, or a share of it, that a claim holds; `is_new`: it did not in the state before."""

    claim: str
    device: DeviceKey
    share: str
    consumed: Json
    is_new: bool


_NAMES = ("driver", "pool", "device")


def results_of(claim: Json) -> list[Mapping[str, Json]]:
    """The results of a claim's allocation that name a device; none where it is not allocated."""
    results = field_at(claim, "status.allocation.devices.results")
    if not isinstance(results, (list, tuple)):
        return []
    return [one for one in results if isinstance(one, Mapping) and all(one.get(name) for name in _NAMES)]


def held_devices(before: State, state: State) -> Iterator[HeldByClaim]:
    """What claims hold; with admin access they hold nothing (DRA/admin-access/does-not-consume)."""
    for key, claim in state.claims.items():
        known = results_of(before.claims.get(key))
        for result in results_of(claim):
            if not result.get("adminAccess"):
                yield HeldByClaim(
                    key,
                    (result["driver"], result["pool"], result["device"]),
                    result.get("shareID") or "",
                    result.get("consumedCapacity") or {},
                    result not in known,
                )

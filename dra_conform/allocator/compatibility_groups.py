"""Compatibility groups: which devices may consume counters of the same counter set (KEP-5963)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.allocator.node_devices import DeviceKey, NodeDevices, PoolKey
from dra_conform.kube.resource import Device, DeviceRequestAllocationResult
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import GroupSemantics

Agreed = frozenset[str] | None
"""The common groups of the devices on a counter set, None if the devices have no groups."""

SetKey = tuple[PoolKey, str]
"""Pool and counter set."""
Undo = Sequence[tuple[SetKey, Agreed, bool]]
"""The state that `leave` restores: counter set, earlier groups, and whether it had devices before."""


class CompatibilityGroups:
    """The common groups on each counter set, which each added device can narrow.

    Every device can join a counter set that no allocated device consumes. `allocated` has the allocation
    results of claims, by device.
    """

    __slots__ = ("_agreed", "_allocated", "_closed", "_devices", "_initialized", "_switches")

    def __init__(
        self,
        devices: NodeDevices,
        allocated: Mapping[DeviceKey, Sequence[DeviceRequestAllocationResult]],
        switches: AllocationSwitches,
    ) -> None:
        self._devices = devices
        self._allocated = allocated
        self._switches = switches
        self._agreed: dict[SetKey, Agreed] = {}
        self._closed: set[SetKey] = set()
        self._initialized: set[PoolKey] = set()

    def join(self, index: int) -> tuple[str, Undo]:
        """Add the device to its counter sets, and return how to undo it.

        If the device is not compatible, return the reason and change nothing.
        """
        check = self._switches.groups
        if check in (GroupSemantics.UNKNOWN, GroupSemantics.SLICES_IGNORED):
            return "", ()
        driver, pool, _ = self._devices.keys[index]
        self._add_allocated((driver, pool), index)
        undo: list[tuple[SetKey, Agreed, bool]] = []
        for consumption in self._devices.devices[index].consumes_counters:
            key = ((driver, pool), consumption.counter_set)
            groups = frozenset(consumption.compatibility_groups)
            reason = self._incompatibility(key, groups)
            if reason:
                self.leave(undo)
                return reason, ()
            occupied = key in self._agreed
            undo.append((key, self._agreed.get(key), occupied))
            self._fold(key, groups)
        return "", undo

    def forget(self, device: DeviceKey) -> None:
        """Discard the common groups of the device's pool, which are computed again at the next `join`.

        Called when the device becomes allocated.
        """
        pool = device[:2]
        if pool not in self._initialized:
            return
        self._initialized.remove(pool)
        self._closed = {key for key in self._closed if key[0] != pool}
        for key in [key for key in self._agreed if key[0] == pool]:
            del self._agreed[key]

    def leave(self, undo: Undo) -> None:
        """Undo the latest `join`."""
        for key, agreed, occupied in reversed(undo):
            if occupied:
                self._agreed[key] = agreed
            else:
                del self._agreed[key]

    def _incompatibility(self, key: SetKey, groups: frozenset[str]) -> str:
        if self._switches.groups is GroupSemantics.EXCLUDED:
            if key in self._closed:
                return (
                    f"counter set {key[1]} is used by devices with compatibility groups, "
                    "but the feature is disabled"
                )
            return ""
        if key not in self._agreed:
            return ""
        agreed = self._agreed[key]
        if (agreed is None and not groups) or (agreed is not None and agreed & groups):
            return ""
        return (
            f"counter set {key[1]} is used by devices {_described(agreed)}, this device has {_listed(groups)}"
        )

    def _fold(self, key: SetKey, groups: frozenset[str]) -> None:
        if key not in self._agreed:
            self._agreed[key] = groups or None
            return
        agreed = self._agreed[key]
        if self._switches.groups is GroupSemantics.LIVE and (agreed is None or not groups):
            return
        if agreed is None and not groups:
            return
        self._agreed[key] = (agreed or frozenset()) & groups

    def _add_allocated(self, pool: PoolKey, index: int) -> None:
        """Add the allocated devices of a pool at its first use."""
        if pool in self._initialized:
            return
        self._initialized.add(pool)
        published = {
            (*pool, device.name): device
            for item in self._devices.pool_of(index).everywhere
            if not item.spec.shared_counters or self._switches.counters.slices_have_devices
            for device in item.spec.devices
        }
        if self._switches.groups is GroupSemantics.LIVE:
            for key, device in published.items():
                if key in self._allocated:
                    for consumption in device.consumes_counters:
                        self._fold(
                            (pool, consumption.counter_set), frozenset(consumption.compatibility_groups)
                        )
            return
        for key, results in self._allocated.items():
            if key[:2] == pool:
                for result in results:
                    self._recorded(pool, published.get(key), result)

    def _recorded(self, pool: PoolKey, device: Device | None, result: DeviceRequestAllocationResult) -> None:
        """Add the groups that an allocation result recorded; a counter set without a record has no groups."""
        recorded = {name: frozenset(groups) for name, groups in (result.compatibility_groups or {}).items()}
        if self._switches.groups is GroupSemantics.EXCLUDED:
            self._closed.update((pool, name) for name, groups in recorded.items() if groups)
            return
        consumed = (item.counter_set for item in device.consumes_counters) if device is not None else ()
        for name in dict.fromkeys((*recorded, *consumed)):
            self._fold((pool, name), recorded.get(name, frozenset()))


def recorded_groups(device: Device) -> dict[str, tuple[str, ...]] | None:
    """Return a device's groups by counter set, as an allocation result records them; None if it has none."""
    groups = {
        item.counter_set: item.compatibility_groups
        for item in device.consumes_counters
        if item.compatibility_groups
    }
    return groups or None


def _described(agreed: Agreed) -> str:
    if agreed is None:
        return "without groups"
    if not agreed:
        return "without a common group"
    return f"with the common groups {_listed(agreed)}"


def _listed(groups: frozenset[str]) -> str:
    return ", ".join(sorted(groups)) or "no group"

"""The remaining capacity of each device and counter set after claims are allocated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.allocator.remaining_counters import draws_of
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import (
    Device,
    DeviceRequestAllocationResult,
    DeviceTaint,
    ResourceClaim,
    ResourceSlice,
    ResourceSliceSpec,
)
from dra_conform.kube.switches.allocation import PoolSwitches
from dra_conform.simulation.tainted_devices import PublishedDevice

PoolKey = tuple[str, str]
"""The driver and the name of a pool."""


Allocated = Mapping[PublishedDevice, Sequence[tuple[str, DeviceRequestAllocationResult]]]
"""The allocation results of each device, each with the key of its claim."""

Taints = Mapping[PublishedDevice, Sequence[DeviceTaint]]
"""The taints of devices that prevent allocations without a toleration."""


@dataclass(frozen=True, slots=True)
class UsedQuantity:
    """A quantity in use, and its `holder`: a ResourceClaim for capacity, a device for counters."""

    holder: str
    amount: Quantity


@dataclass(frozen=True, slots=True)
class RemainingQuantity:
    """A capacity or counter with its uses; `left` is negative if more is used than `total`."""

    name: str
    total: Quantity
    parts: tuple[UsedQuantity, ...]

    @property
    def left(self) -> Quantity:
        """The remaining quantity in the format of the total."""
        return Quantity(self.total.nano - sum(part.amount.nano for part in self.parts), self.total.format)


@dataclass(frozen=True, slots=True)
class RemainingDevice:
    """A device with the claims it is allocated to, and its capacities if it allows multiple allocations.

    `holders` has one entry for each shared allocation. `admins` are the claims with admin access, which use
    nothing. `lack` says why an unallocated device cannot be allocated: which counter or ResourceSlices of its
    pool are missing. `taints` are those that prevent further allocations without a toleration.
    """

    name: str
    shared: bool
    holders: tuple[str, ...]
    admins: tuple[str, ...]
    capacities: tuple[RemainingQuantity, ...]
    lack: str = ""
    taints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RemainingCounterSet:
    """A counter set of a pool with its counters."""

    name: str
    counters: tuple[RemainingQuantity, ...]

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices that consume counters of the counter set."""
        return tuple({part.holder: None for counter in self.counters for part in counter.parts})


@dataclass(frozen=True, slots=True)
class RemainingPool:
    """The devices of a pool that are available on `node`, which can be `all nodes` or `several nodes`.

    The counter sets of a pool with devices on different nodes are in an entry of their own.
    """

    node: str
    driver: str
    name: str
    devices: tuple[RemainingDevice, ...]
    counter_sets: tuple[RemainingCounterSet, ...]


def left_over(
    slices: Iterable[ResourceSlice], claims: Iterable[ResourceClaim], taints: Taints, profile: Profile
) -> tuple[RemainingPool, ...]:
    """Return the newest generation of every pool by node, with its remaining quantities and its users."""
    incomplete_usable = PoolSwitches.of(profile).incomplete_usable
    allocated: dict[PublishedDevice, list[tuple[str, DeviceRequestAllocationResult]]] = {}
    for claim in claims:
        for result in claim.allocation.devices.results if claim.allocation is not None else ():
            key = result.driver, result.pool, result.device
            allocated.setdefault(key, []).append((claim.key, result))
    return tuple(
        entry
        for key, pool in _newest(slices).items()
        for entry in _pool(key, pool, allocated, taints, "" if incomplete_usable else _missing(pool))
    )


def _newest(slices: Iterable[ResourceSlice]) -> dict[PoolKey, list[ResourceSlice]]:
    pools: dict[PoolKey, list[ResourceSlice]] = {}
    for slice_ in slices:
        pools.setdefault((slice_.spec.driver, slice_.spec.pool.name), []).append(slice_)
    for key, members in pools.items():
        newest = max(slice_.spec.pool.generation for slice_ in members)
        pools[key] = [slice_ for slice_ in members if slice_.spec.pool.generation == newest]
    return pools


def _missing(slices: Sequence[ResourceSlice]) -> str:
    """Return which ResourceSlices a pool lacks, empty if none."""
    total = slices[0].spec.pool.resource_slice_count
    return f"its pool has {len(slices)} of {total} ResourceSlices" if len(slices) < total else ""


def _pool(
    key: PoolKey, slices: Sequence[ResourceSlice], allocated: Allocated, taints: Taints, missing: str
) -> Iterator[RemainingPool]:
    devices = [device for slice_ in slices for device in slice_.spec.devices]
    parts: dict[tuple[str, str], list[UsedQuantity]] = {}
    for device in devices:
        if any(not result.admin_access for _, result in allocated.get((*key, device.name), ())):
            for counter, nano in draws_of(device).items():
                parts.setdefault(counter, []).append(UsedQuantity(device.name, Quantity(nano)))
    counter_sets = tuple(
        RemainingCounterSet(
            counter_set.name,
            tuple(
                RemainingQuantity(name, counter.value, tuple(parts.get((counter_set.name, name), ())))
                for name, counter in counter_set.counters.items()
            ),
        )
        for slice_ in slices
        for counter_set in slice_.spec.shared_counters
    )
    left = {
        (counter_set.name, counter.name): counter.left
        for counter_set in counter_sets
        for counter in counter_set.counters
    }
    by_node: dict[str, list[RemainingDevice]] = {}
    for slice_ in slices:
        for device in slice_.spec.devices:
            node = _node(device if slice_.spec.per_device_node_selection else slice_.spec)
            remaining = _device((*key, device.name), device, allocated, left, taints, missing)
            by_node.setdefault(node, []).append(remaining)
    if not by_node:
        by_node[_node(slices[0].spec)] = []
    on_one = len(by_node) == 1
    for node, members in by_node.items():
        yield RemainingPool(node, *key, tuple(members), counter_sets if on_one else ())
    if counter_sets and not on_one:
        yield RemainingPool("several nodes", *key, (), counter_sets)


def _node(selection: ResourceSliceSpec | Device) -> str:
    return selection.node_name or ("all nodes" if selection.all_nodes else "several nodes")


def _device(
    key: PublishedDevice,
    device: Device,
    allocated: Allocated,
    left: Mapping[tuple[str, str], Quantity],
    taints: Taints,
    missing: str,
) -> RemainingDevice:
    results = allocated.get(key, ())
    shared = bool(device.allow_multiple_allocations)
    holders = [(claim, result) for claim, result in results if not result.admin_access]
    capacities = tuple(
        RemainingQuantity(name, capacity.value, tuple(_consumed(key[0], name, holders)))
        for name, capacity in device.capacity.items()
        if shared
    )
    return RemainingDevice(
        device.name,
        shared,
        tuple(claim for claim, _ in holders),
        tuple(claim for claim, result in results if result.admin_access),
        capacities,
        "" if holders else missing or _lack(device, left),
        tuple(taint.text for taint in taints.get(key, ())),
    )


def _consumed(
    driver: str, name: str, holders: Iterable[tuple[str, DeviceRequestAllocationResult]]
) -> Iterator[UsedQuantity]:
    names = name, f"{driver}/{name}", name.removeprefix(f"{driver}/")
    for claim, result in holders:
        consumed = result.consumed_capacity or {}
        for qualified in names:
            if qualified in consumed:
                yield UsedQuantity(claim, consumed[qualified])
                break


def _lack(device: Device, left: Mapping[tuple[str, str], Quantity]) -> str:
    for (counter_set, name), nano in draws_of(device).items():
        remaining = left.get((counter_set, name))
        if remaining is not None and remaining.nano < nano:
            return f"{name} of {counter_set}: needs {Quantity(nano, remaining.format)}, {remaining} is left"
    return ""

"""The remaining capacity of each device and counter set after claims are allocated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.allocator.remaining_counters import draws_of
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import Device, DeviceRequestAllocationResult, ResourceClaim, ResourceSlice

PoolKey = tuple[str, str]
"""Driver, pool."""


@dataclass(frozen=True, slots=True)
class HeldAmount:
    """An amount that somebody holds: a claim (`namespace/name`) of a device, a device of a counter set."""

    holder: str
    amount: Quantity


@dataclass(frozen=True, slots=True)
class AmountLeft:
    """A capacity or counter; `left` is below zero where more is held than there is."""

    name: str
    total: Quantity
    parts: tuple[HeldAmount, ...]

    @property
    def left(self) -> Quantity:
        """In the notation of the total."""
        return Quantity(self.total.nano - sum(part.amount.nano for part in self.parts), self.total.format)


@dataclass(frozen=True, slots=True)
class DeviceLeft:
    """A device with its holders, one entry a share, and its capacities where it can be shared.

    `admins` are the claims with admin access, which hold nothing. `lack` says which counter is too short for
    a device that nobody holds.
    """

    name: str
    shared: bool
    holders: tuple[str, ...]
    admins: tuple[str, ...]
    capacities: tuple[AmountLeft, ...]
    lack: str = ""


@dataclass(frozen=True, slots=True)
class CounterSetLeft:
    """A counter set of a pool."""

    name: str
    counters: tuple[AmountLeft, ...]

    @property
    def devices(self) -> tuple[str, ...]:
        """Those that draw on it."""
        return tuple({part.holder: None for counter in self.counters for part in counter.parts})


@dataclass(frozen=True, slots=True)
class PoolLeft:
    """A pool, `node` being that of its slices, or a few words where they are not for one node."""

    node: str
    driver: str
    name: str
    devices: tuple[DeviceLeft, ...]
    counter_sets: tuple[CounterSetLeft, ...]


def left_over(slices: Iterable[ResourceSlice], claims: Iterable[ResourceClaim]) -> tuple[PoolLeft, ...]:
    """Every pool in the order of the slices, of its newest generation, with what the claims hold of it."""
    held: dict[tuple[str, str, str], list[tuple[str, DeviceRequestAllocationResult]]] = {}
    for claim in claims:
        for result in claim.allocation.devices.results if claim.allocation is not None else ():
            key = result.driver, result.pool, result.device
            held.setdefault(key, []).append((claim.key, result))
    return tuple(_pool(key, pool, held) for key, pool in _newest(slices).items())


def _newest(slices: Iterable[ResourceSlice]) -> dict[PoolKey, list[ResourceSlice]]:
    pools: dict[PoolKey, list[ResourceSlice]] = {}
    for one in slices:
        pools.setdefault((one.spec.driver, one.spec.pool.name), []).append(one)
    for key, members in pools.items():
        newest = max(one.spec.pool.generation for one in members)
        pools[key] = [one for one in members if one.spec.pool.generation == newest]
    return pools


Held = Mapping[tuple[str, str, str], Sequence[tuple[str, DeviceRequestAllocationResult]]]


def _pool(key: PoolKey, slices: Sequence[ResourceSlice], held: Held) -> PoolLeft:
    devices = [device for one in slices for device in one.spec.devices]
    parts: dict[tuple[str, str], list[HeldAmount]] = {}
    for device in devices:
        if any(not result.admin_access for _, result in held.get((*key, device.name), ())):
            for counter, nano in draws_of(device).items():
                parts.setdefault(counter, []).append(HeldAmount(device.name, Quantity(nano)))
    counter_sets = tuple(
        CounterSetLeft(
            counter_set.name,
            tuple(
                AmountLeft(name, counter.value, tuple(parts.get((counter_set.name, name), ())))
                for name, counter in counter_set.counters.items()
            ),
        )
        for one in slices
        for counter_set in one.spec.shared_counters
    )
    left = {(one.name, counter.name): counter.left for one in counter_sets for counter in one.counters}
    return PoolLeft(
        _where(slices),
        *key,
        devices=tuple(_device(key[0], one, held.get((*key, one.name), ()), left) for one in devices),
        counter_sets=counter_sets,
    )


def _where(slices: Sequence[ResourceSlice]) -> str:
    names = {one.spec.node_name or "" for one in slices}
    if all(one.spec.all_nodes for one in slices):
        return "all nodes"
    return names.pop() if len(names) == 1 and "" not in names else "several nodes"


def _device(
    driver: str,
    device: Device,
    held: Sequence[tuple[str, DeviceRequestAllocationResult]],
    left: Mapping[tuple[str, str], Quantity],
) -> DeviceLeft:
    shared = bool(device.allow_multiple_allocations)
    holders = [(claim, result) for claim, result in held if not result.admin_access]
    capacities = tuple(
        AmountLeft(name, capacity.value, tuple(_consumed(driver, name, holders)))
        for name, capacity in device.capacity.items()
        if shared
    )
    return DeviceLeft(
        device.name,
        shared,
        tuple(claim for claim, _ in holders),
        tuple(claim for claim, result in held if result.admin_access),
        capacities,
        "" if holders else _lack(device, left),
    )


def _consumed(
    driver: str, name: str, holders: Iterable[tuple[str, DeviceRequestAllocationResult]]
) -> Iterator[HeldAmount]:
    names = name, f"{driver}/{name}", name.removeprefix(f"{driver}/")
    for claim, result in holders:
        consumed = result.consumed_capacity or {}
        for one in names:
            if one in consumed:
                yield HeldAmount(claim, consumed[one])
                break


def _lack(device: Device, left: Mapping[tuple[str, str], Quantity]) -> str:
    for (counter_set, name), nano in draws_of(device).items():
        rest = left.get((counter_set, name))
        if rest is not None and rest.nano < nano:
            return f"{name} of {counter_set}: needs {Quantity(nano, rest.format)}, {rest} is left"
    return ""

"""Checks of pools: complete, of one generation, with unique names, in a stable order, and of their counters
and of the compatibilityGroups of devices on a counter set (KEP-5963)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import groupby, pairwise

from dra_conform.kube.resource import CounterSet, DeviceCounterConsumption, ResourceSlice
from dra_conform.kube.switches.allocation import PoolSwitches
from dra_conform.previews.slice_lint.published import (
    LintFinding,
    Located,
    PublishedPoolSlices,
    devices_of,
)

_COUNT = ("spec", "pool", "resourceSliceCount")
_GENERATION = ("spec", "pool", "generation")


def check_pool(pool: PublishedPoolSlices, switches: PoolSwitches) -> Iterator[LintFinding]:
    """Yield the reasons why devices of a pool cannot be allocated, and remains of earlier generations."""
    yield from _completeness(pool, switches)
    yield from _unique_devices(pool)
    yield from _owners(pool)
    for found in pool.older:
        yield found.part(found.item, *_GENERATION).advice(
            "DRA/pool/highest-generation-only",
            f"generation {found.item.spec.pool.generation} of pool {pool.label} is ignored, "
            f"expected deletion after generation {pool.generation} was published",
        )
    yield from _order(pool)


def _completeness(pool: PublishedPoolSlices, switches: PoolSwitches) -> Iterator[LintFinding]:
    counts = {found.item.spec.pool.resource_slice_count for found in pool.slices}
    last = pool.slices[-1]
    if len(counts) > 1:
        yield last.part(last.item, *_COUNT).error(
            "DRIVER/slices/complete",
            f"the ResourceSlices of pool {pool.label} have the resourceSliceCounts "
            f"{', '.join(map(str, sorted(counts)))}, expected one value",
        )
        return
    [count] = counts
    actual = len(pool.slices)
    if actual != count:
        if switches.incomplete_usable:
            effect = "no request with allocationMode All can be allocated on its nodes"
        else:
            effect = "none of its devices is allocated" if actual < count else "the pool is not complete"
        yield last.part(last.item, *_COUNT).error(
            "DRIVER/slices/complete",
            f"pool {pool.label} has {actual} of {count} ResourceSlices of generation {pool.generation}, "
            f"so {effect}",
        )


def _unique_devices(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    names: set[str] = set()
    for device in pool.devices():
        if device.item.name in names:
            yield device.part(device.item, "name").error(
                "DRA/pool/duplicate-device-name",
                f"device {device.item.name} occurs twice in pool {pool.label}, expected unique names",
            )
        names.add(device.item.name)


def _owners(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    """Check the owners of ResourceSlices that come from a cluster; written ones have none yet."""
    for found in pool.slices:
        metadata = found.item.metadata
        if metadata.uid and found.item.spec.node_name and not metadata.owner_references:
            yield found.part(found.item, "metadata").advice(
                "DRIVER/slices/owner",
                f"ResourceSlice {metadata.name} has no owner, expected the Node {found.item.spec.node_name}, "
                "so that it is deleted with the node",
            )


def _order(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    """Compare the order of devices between generations with equal sets of devices."""
    generations = [
        tuple(group)
        for _, group in groupby(
            (*pool.older, *pool.slices), key=lambda found: found.item.spec.pool.generation
        )
    ]
    for before, after in pairwise(generations):
        earlier, later = _names(before), _names(after)
        if earlier != later and sorted(earlier) == sorted(later):
            yield (
                after[0]
                .part(after[0].item, "spec", "devices")
                .advice(
                    "DRIVER/slices/order-is-preference",
                    f"pool {pool.label} lists the devices of the previous generation in a different order, "
                    "expected a stable order, because allocators use the first device that fits",
                )
            )


def _names(slices: Sequence[Located[ResourceSlice]]) -> list[str]:
    ordered = sorted(slices, key=lambda found: found.item.metadata.name)
    return [device.item.name for device in devices_of(ordered)]


Consumption = Located[DeviceCounterConsumption]


def check_counters(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    """Yield the counters of a pool that are missing, exceeded by one device, or never consumed."""
    sets: dict[str, Located[CounterSet]] = {}
    for counter_set in pool.counter_sets():
        if counter_set.item.name in sets:
            yield counter_set.part(counter_set.item, "name").error(
                "DRA/partitionable/counter-sets-declare-shared-resources",
                f"counter set {counter_set.item.name} occurs twice in pool {pool.label}, so no device of the "
                "pool is allocated",
            )
        sets.setdefault(counter_set.item.name, counter_set)
    consumed: set[tuple[str, str]] = set()
    for name, consumption in consumptions(pool):
        consumed.update((consumption.item.counter_set, counter) for counter in consumption.item.counters)
        yield from _consumption(name, consumption, sets)
    for counter_set in sets.values():
        yield from _unused(counter_set, consumed)


def consumptions(pool: PublishedPoolSlices) -> Iterator[tuple[str, Consumption]]:
    """Yield the name of each device with each of its entries of `consumesCounters`."""
    for device in pool.devices():
        for index, consumption in enumerate(device.item.consumes_counters):
            yield device.item.name, device.part(consumption, "consumesCounters", index)


def _consumption(
    device: str, consumption: Consumption, sets: Mapping[str, Located[CounterSet]]
) -> Iterator[LintFinding]:
    name = consumption.item.counter_set
    if name not in sets:
        yield consumption.part(name, "counterSet").error(
            "DRA/partitionable/devices-reference-counters",
            f"device {device} consumes counters of {name}, which the pool does not have, so no device of the "
            f"pool is allocated{_expected(name, sets)}",
        )
        return
    available = sets[name].item.counters
    for counter, needed in consumption.item.counters.items():
        at = consumption.part(needed, "counters", counter)
        if counter not in available:
            yield at.error(
                "DRA/partitionable/devices-reference-counters",
                f"device {device} consumes {counter} of counter set {name}, which has no such counter, so no "
                f"device of the pool is allocated{_expected(counter, available)}",
            )
        elif needed.value > available[counter].value:
            yield at.error(
                "DRA/partitionable/allocatable-iff-enough-left",
                f"device {device} consumes {needed.value} of {counter}, and counter set {name} has "
                f"{available[counter].value}, so the device is never allocated",
            )


def _unused(counter_set: Located[CounterSet], consumed: set[tuple[str, str]]) -> Iterator[LintFinding]:
    name = counter_set.item.name
    unused = [counter for counter in counter_set.item.counters if (name, counter) not in consumed]
    if len(unused) == len(counter_set.item.counters):
        yield counter_set.advice(
            "DRA/partitionable/counter-sets-declare-shared-resources",
            f"no device consumes counter set {name}, expected a device that consumes it",
        )
        return
    for counter in unused:
        yield counter_set.part(counter, "counters", counter).advice(
            "DRA/partitionable/counter-sets-declare-shared-resources",
            f"no device consumes {counter} of counter set {name}, expected a device that consumes it",
        )


def _expected(name: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(name, known, n=1) or sorted(known)[:5]
    return f", expected {' or '.join(near)}" if near else ""


def check_groups(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    """Yield devices whose compatibilityGroups exclude every other device on the counter set."""
    members: dict[str, list[tuple[str, Consumption]]] = {}
    for device, consumption in consumptions(pool):
        members.setdefault(consumption.item.counter_set, []).append((device, consumption))
    for counter_set, entries in members.items():
        if any(consumption.item.compatibility_groups for _, consumption in entries):
            yield from _counter_set(counter_set, entries)


def _counter_set(counter_set: str, entries: Sequence[tuple[str, Consumption]]) -> Iterator[LintFinding]:
    if len(entries) == 1:
        return
    devices: dict[str, int] = {}
    for _, consumption in entries:
        for group in set(consumption.item.compatibility_groups):
            devices[group] = devices.get(group, 0) + 1
    for device, consumption in entries:
        groups = consumption.item.compatibility_groups
        if not groups:
            yield consumption.advice(
                "KEP-5963/compatibility/ungrouped-candidate-beside-grouped-refused",
                f"device {device} has no compatibilityGroups on counter set {counter_set}, so it is never "
                "allocated together with a device that has them",
            )
        elif all(devices[group] == 1 for group in groups):
            yield consumption.part(groups, "compatibilityGroups").advice(
                "KEP-5963/compatibility/disjoint-groups-refused",
                f"no other device on counter set {counter_set} has a group of device {device} "
                f"({', '.join(groups)}), so it is never allocated together with another device",
            )

"""The invariant of partitionable devices: what is allocated stays within the shared counters."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from dra_conform.conformance.allocate.judged_answer import Decided, Taken, key_of
from dra_conform.conformance.allocate.judged_world import DeviceKey, Placed
from dra_conform.conformance.allocate.published_pools import Pool
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switch_values import CounterScope

CounterKey = tuple[str, str, str]
"""slice, counter set, counter; the slice is empty where a counter set belongs to the whole pool."""


def counters_not_oversold(decided: Decided) -> Iterator[str]:
    """What all allocated devices of a pool draw from a counter stays within its value.

    DRA/partitionable/allocatable-iff-enough-left, .../same-attempt-counts. Each device draws once, however
    many shares of it there are; admin access draws nothing (DRA/admin-access/does-not-consume). Only counters
    count from which a device is newly allocated: what was oversold before is not the answer's fault, unless
    the release gives nothing beside it.
    """
    if not decided.rules.features.partitionable_devices:
        return
    new = newly_taken(decided)
    already = frozenset(_drawing_already(decided))
    for pool in decided.pools.values():
        mine = {key: taken for key, taken in new.items() if key[:2] == pool.key}
        if not mine or _mixed(decided, pool):
            continue
        values = dict(_declared(decided, pool))
        if decided.rules.counters.short_blocks_all:
            yield from _beside_a_short_one(decided, pool, mine, values, _sums(decided, pool, already))
        sums = _sums(decided, pool, already | new.keys())
        for counter, takers in _takers(decided, mine).items():
            if counter in values and sums[counter] > values[counter]:
                *_, last = takers
                yield (
                    f"{last.label}: counter {counter[2]} of counter set {counter[1]} in pool {pool.name} is "
                    f"{values[counter]}, with device {last.key[2]} allocated devices take {sums[counter]}"
                )


def _sums(decided: Decided, pool: Pool, drawing: Container[DeviceKey]) -> dict[CounterKey, Quantity]:
    sums: dict[CounterKey, Quantity] = {}
    for placed in pool.devices.values():
        if placed.key in drawing:
            for counter, amount in _drawn(decided, placed):
                sums[counter] = sums[counter] + amount if counter in sums else amount
    return sums


def _beside_a_short_one(
    decided: Decided,
    pool: Pool,
    mine: Mapping[DeviceKey, Taken],
    values: Mapping[CounterKey, Quantity],
    held: Mapping[CounterKey, Quantity],
) -> Iterator[str]:
    """Devices given although claims hold more of another counter of their scope than there is."""
    short = [counter for counter, amount in held.items() if counter in values and amount > values[counter]]
    for taken in mine.values():
        drawn = [counter for counter, _ in _drawn(decided, taken.placed)] if taken.placed is not None else []
        scopes = {scope for scope, _, _ in drawn}
        beside = [counter for counter in short if counter[0] in scopes]
        if beside and not set(beside) & set(drawn):
            _, short_set, name = beside[0]
            yield (
                f"{taken.label}: claims hold more of counter {name} of counter set {short_set} in pool "
                f"{pool.name} than there is, and this release then gives no device that draws on its counters"
            )


def newly_taken(decided: Decided) -> dict[DeviceKey, Taken]:
    """The devices that the answer is the first to allocate; admin access allocates none."""
    held = held_devices(decided)
    return {
        taken.key: taken
        for taken in decided.taken
        if taken.placed is not None and not taken.is_admin and taken.key not in held
    }


def held_devices(decided: Decided) -> frozenset[DeviceKey]:
    """The devices of claims that are not asked for."""
    return frozenset(key_of(result) for result in decided.held)


def _drawing_already(decided: Decided) -> Iterator[DeviceKey]:
    shares_too = decided.rules.counters.shares_draw or not decided.rules.features.consumable_capacity
    return (key_of(result) for result in decided.held if shares_too or not result.share_id)


def _mixed(decided: Decided, pool: Pool) -> bool:
    """Whether the release would take counters of another driver's pool for those of this one."""
    return decided.rules.counters.scope is CounterScope.POOL_NAME and any(
        other.key[1] == pool.key[1] and other.key != pool.key for other in decided.pools.values()
    )


def _declared(decided: Decided, pool: Pool) -> Iterator[tuple[CounterKey, Quantity]]:
    for item in pool.slices:
        scope = item.metadata.name if decided.rules.counters.scope is CounterScope.SLICE else ""
        for one in item.spec.shared_counters:
            for name, counter in one.counters.items():
                yield (scope, one.name, name), counter.value


def _drawn(decided: Decided, placed: Placed) -> Iterator[tuple[CounterKey, Quantity]]:
    scope = placed.slice.metadata.name if decided.rules.counters.scope is CounterScope.SLICE else ""
    for entry in placed.device.consumes_counters:
        for name, counter in entry.counters.items():
            yield (scope, entry.counter_set, name), counter.value


def _takers(decided: Decided, mine: Mapping[DeviceKey, Taken]) -> dict[CounterKey, list[Taken]]:
    takers: dict[CounterKey, list[Taken]] = {}
    for taken in mine.values():
        if taken.placed is not None:
            for counter, _ in _drawn(decided, taken.placed):
                takers.setdefault(counter, []).append(taken)
    return takers

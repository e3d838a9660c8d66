"""The invariant of partitionable devices: allocated devices stay within the shared counters."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from dra_conform.conformance.allocate.judged_answer import Decided, Taken, key_of
from dra_conform.conformance.allocate.judged_world import DeviceKey, Placed
from dra_conform.conformance.allocate.published_pools import Pool
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switch_values import CounterScope

CounterKey = tuple[str, str, str]
"""Slice, counter set, counter. The slice is empty if a counter set belongs to the whole pool."""


def counters_not_oversold(decided: Decided) -> Iterator[str]:
    """The consumption of a counter by all allocated devices of a pool stays within its value.

    DRA/partitionable/allocatable-iff-enough-left, .../same-attempt-counts. Each device consumes once,
    whatever its number of shared allocations. A result with adminAccess consumes nothing
    (DRA/admin-access/does-not-consume). Only counters of newly allocated devices are checked. The answer is
    not responsible for counters that were overcommitted before, unless the release then allocates no device.
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
            yield from _despite_overcommitted_counter(
                decided, pool, mine, values, _sums(decided, pool, already)
            )
        sums = _sums(decided, pool, already | new.keys())
        for counter, takers in _takers(decided, mine).items():
            if counter in values and sums[counter] > values[counter]:
                *_, last = takers
                yield (
                    f"{last.label}: with device {last.key[2]}, allocated devices consume {sums[counter]} of "
                    f"counter {counter[2]} of counter set {counter[1]} in pool {pool.name}, "
                    f"expected at most {values[counter]}"
                )


def _sums(decided: Decided, pool: Pool, drawing: Container[DeviceKey]) -> dict[CounterKey, Quantity]:
    sums: dict[CounterKey, Quantity] = {}
    for placed in pool.devices.values():
        if placed.key in drawing:
            for counter, amount in _drawn(decided, placed):
                sums[counter] = sums[counter] + amount if counter in sums else amount
    return sums


def _despite_overcommitted_counter(
    decided: Decided,
    pool: Pool,
    mine: Mapping[DeviceKey, Taken],
    values: Mapping[CounterKey, Quantity],
    held: Mapping[CounterKey, Quantity],
) -> Iterator[str]:
    """Yield devices allocated while another counter of their scope was overcommitted before."""
    short = [counter for counter, amount in held.items() if counter in values and amount > values[counter]]
    for taken in mine.values():
        drawn = [counter for counter, _ in _drawn(decided, taken.placed)] if taken.placed is not None else []
        scopes = {scope for scope, _, _ in drawn}
        beside = [counter for counter in short if counter[0] in scopes]
        if beside and not set(beside) & set(drawn):
            _, short_set, name = beside[0]
            yield (
                f"{taken.label}: counter {name} of counter set {short_set} in pool {pool.name} was "
                f"overcommitted before, and this release then allocates no device that consumes its counters"
            )


def newly_taken(decided: Decided) -> dict[DeviceKey, Taken]:
    """Return the devices that were not allocated before the answer; adminAccess allocates none."""
    held = devices_allocated_before(decided)
    return {
        taken.key: taken
        for taken in decided.taken
        if taken.placed is not None and not taken.is_admin and taken.key not in held
    }


def devices_allocated_before(decided: Decided) -> frozenset[DeviceKey]:
    """Return the devices that were allocated before the answer."""
    return frozenset(key_of(result) for result in decided.held)


def _drawing_already(decided: Decided) -> Iterator[DeviceKey]:
    shares_too = decided.rules.counters.shares_draw or not decided.rules.features.consumable_capacity
    return (key_of(result) for result in decided.held if shares_too or not result.share_id)


def _mixed(decided: Decided, pool: Pool) -> bool:
    """Whether the release confuses the counters of the pool with those of another driver's pool."""
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

"""The invariant of partitionable devices: allocated devices stay within the shared counters."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from dra_conform.conformance.allocate.case_objects import DeviceKey, PublishedDevice
from dra_conform.conformance.allocate.invariants.violation import Violation
from dra_conform.conformance.allocate.judged_answer import AllocatedDevice, JudgedAnswer, key_of
from dra_conform.conformance.allocate.published_pools import Pool
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.values import CounterScope

CounterKey = tuple[str, str, str]
"""Slice, counter set, counter. The slice is empty if a counter set belongs to the whole pool."""


_ENOUGH_LEFT = "DRA/partitionable/allocatable-iff-enough-left"


def counters_not_overcommitted(answer: JudgedAnswer) -> Iterator[Violation]:
    """The consumption of a counter by all allocated devices of a pool stays within its value.

    DRA/partitionable/allocatable-iff-enough-left, .../same-attempt-counts. Each device consumes once,
    whatever its number of shared allocations. A result with adminAccess consumes nothing
    (DRA/admin-access/does-not-consume). Only counters of newly allocated devices are checked. The answer is
    not responsible for counters that were overcommitted before. Some releases then allocate no device of the
    same scope that consumes other counters; this is checked too.
    """
    if not answer.switches.features.partitionable_devices:
        return
    new = newly_allocated(answer)
    before = frozenset(_consuming_before(answer))
    for pool in answer.pools.values():
        of_pool = {key: allocated for key, allocated in new.items() if key[:2] == pool.key}
        if not of_pool or _confuses_pools(answer, pool):
            continue
        values = dict(_declared(answer, pool))
        if answer.switches.counters.short_blocks_all:
            yield from _despite_overcommitted_counter(
                answer, pool, of_pool, values, _sums(answer, pool, before)
            )
        sums = _sums(answer, pool, before | new.keys())
        for counter, consumers in _consumers(answer, of_pool).items():
            if counter in values and sums[counter] > values[counter]:
                *others, last = consumers
                yield Violation(
                    "DRA/partitionable/same-attempt-counts" if others else _ENOUGH_LEFT,
                    f"{last.label}: with device {last.key[2]}, allocated devices consume {sums[counter]} of "
                    f"counter {counter[2]} of counter set {counter[1]} in pool {pool.name}, "
                    f"expected at most {values[counter]}",
                )


def _sums(answer: JudgedAnswer, pool: Pool, devices: Container[DeviceKey]) -> dict[CounterKey, Quantity]:
    sums: dict[CounterKey, Quantity] = {}
    for published in pool.devices.values():
        if published.key in devices:
            for counter, amount in _consumed_counters(answer, published):
                sums[counter] = sums[counter] + amount if counter in sums else amount
    return sums


def _despite_overcommitted_counter(
    answer: JudgedAnswer,
    pool: Pool,
    of_pool: Mapping[DeviceKey, AllocatedDevice],
    values: Mapping[CounterKey, Quantity],
    sums_before: Mapping[CounterKey, Quantity],
) -> Iterator[Violation]:
    """Yield a violation for each device allocated although a counter of its scope was overcommitted before.

    Only counters that the device does not consume matter here.
    """
    overcommitted = [
        counter for counter, amount in sums_before.items() if counter in values and amount > values[counter]
    ]
    for allocated in of_pool.values():
        consumed = (
            [counter for counter, _ in _consumed_counters(answer, allocated.published)]
            if allocated.published is not None
            else []
        )
        scopes = {scope for scope, _, _ in consumed}
        in_scope = [counter for counter in overcommitted if counter[0] in scopes]
        if in_scope and not set(in_scope) & set(consumed):
            _, counter_set, name = in_scope[0]
            yield Violation(
                _ENOUGH_LEFT,
                f"{allocated.label}: counter {name} of counter set {counter_set} in pool {pool.name} was "
                f"overcommitted before, expected no device that consumes another counter of the same scope",
            )


def newly_allocated(answer: JudgedAnswer) -> dict[DeviceKey, AllocatedDevice]:
    """Return the devices that were not allocated before the answer; adminAccess allocates none."""
    before = devices_allocated_before(answer)
    return {
        allocated.key: allocated
        for allocated in answer.allocated_devices
        if allocated.published is not None and not allocated.is_admin and allocated.key not in before
    }


def devices_allocated_before(answer: JudgedAnswer) -> frozenset[DeviceKey]:
    """Return the devices that were allocated before the answer."""
    return frozenset(key_of(result) for result in answer.allocated_before)


def _consuming_before(answer: JudgedAnswer) -> Iterator[DeviceKey]:
    shared_devices_consume = (
        answer.switches.counters.shares_draw or not answer.switches.features.consumable_capacity
    )
    return (
        key_of(result) for result in answer.allocated_before if shared_devices_consume or not result.share_id
    )


def _confuses_pools(answer: JudgedAnswer, pool: Pool) -> bool:
    """Whether the release mixes up the counters of equally named pools of two drivers."""
    return answer.switches.counters.scope is CounterScope.POOL_NAME and any(
        other.key[1] == pool.key[1] and other.key != pool.key for other in answer.pools.values()
    )


def _declared(answer: JudgedAnswer, pool: Pool) -> Iterator[tuple[CounterKey, Quantity]]:
    for resource_slice in pool.slices:
        scope = resource_slice.metadata.name if answer.switches.counters.scope is CounterScope.SLICE else ""
        for counter_set in resource_slice.spec.shared_counters:
            for name, counter in counter_set.counters.items():
                yield (scope, counter_set.name, name), counter.value


def _consumed_counters(
    answer: JudgedAnswer, published: PublishedDevice
) -> Iterator[tuple[CounterKey, Quantity]]:
    scope = published.slice.metadata.name if answer.switches.counters.scope is CounterScope.SLICE else ""
    for entry in published.device.consumes_counters:
        for name, counter in entry.counters.items():
            yield (scope, entry.counter_set, name), counter.value


def _consumers(
    answer: JudgedAnswer, of_pool: Mapping[DeviceKey, AllocatedDevice]
) -> dict[CounterKey, list[AllocatedDevice]]:
    consumers: dict[CounterKey, list[AllocatedDevice]] = {}
    for allocated in of_pool.values():
        if allocated.published is not None:
            for counter, _ in _consumed_counters(answer, allocated.published):
                consumers.setdefault(counter, []).append(allocated)
    return consumers

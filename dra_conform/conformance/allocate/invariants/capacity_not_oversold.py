"""The invariants of consumable capacity (KEP-5075): correct consumption, and no overcommitted capacity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.capacity import Violation, consume
from dra_conform.conformance.allocate.judged_answer import Asked, Decided, Taken, key_of
from dra_conform.conformance.allocate.judged_world import DeviceKey, Placed
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import ALL


def requested(decided: Decided, request: Asked | None, placed: Placed | None) -> dict[str, Quantity]:
    """Return the requested capacity by capacity name of the device; unknown names stay unchanged."""
    if not decided.rules.features.consumable_capacity or request is None or request.capacity is None:
        return {}
    asked = request.capacity.requests
    if not decided.rules.capacity.bare_names_in_driver_domain or placed is None:
        return dict(asked)
    driver = placed.key[0]
    published = {_full(driver, name): name for name in placed.device.capacity}
    return {published.get(_full(driver, name), name): amount for name, amount in asked.items()}


def _full(driver: str, name: str) -> str:
    return name if "/" in name else f"{driver}/{name}"


def consumed_capacity_complete(decided: Decided) -> Iterator[str]:
    """A shared allocation records each capacity with the rounded quantity; an exclusive one records none.

    KEP-5075/status/consumed-capacity-*, KEP-5075/rounding/*, KEP-5075/default/*.
    """
    for taken in decided.taken:
        if taken.placed is None or taken.request is None:
            continue
        recorded = taken.result.consumed_capacity or {}
        if not decided.is_shared(taken):
            if recorded:
                yield f"{taken.label}: exclusive device {taken.key[2]} has consumedCapacity, expected none"
            continue
        capacities = taken.placed.device.capacity
        asked = requested(decided, taken.request, taken.placed)
        for name in asked:
            if name not in capacities:
                yield f"{taken.label}: device {taken.key[2]} lacks the requested capacity {name}"
        for name in recorded:
            if name not in capacities:
                yield f"{taken.label}: consumedCapacity has {name}, which device {taken.key[2]} lacks"
        for name, capacity in capacities.items():
            right = consume(capacity, asked.get(name), decided.rules.capacity.arithmetic)
            if isinstance(right, Violation):
                yield f"{taken.label}: {name} of device {taken.key[2]}: {right.message}"
            elif name not in recorded:
                yield f"{taken.label}: consumedCapacity lacks {name}, expected {right.amount}"
            elif recorded[name] != right.amount:
                yield (
                    f"{taken.label}: consumedCapacity {name} of device {taken.key[2]} is {recorded[name]}, "
                    f"expected {right.amount}"
                )


def shared_capacity_not_oversold(decided: Decided) -> Iterator[str]:
    """All shared allocations of a device stay within its capacity (KEP-5075/capacity-accounting/*)."""
    total = all_shares(decided)
    touched = {taken.key: taken for taken in decided.taken if _consumes(decided, taken)}
    unchecked = _taken_unchecked(decided)
    for key, taken in touched.items():
        if key in unchecked:
            continue
        capacities = taken.placed.device.capacity if taken.placed else {}
        for name, capacity in capacities.items():
            used = total[key].get(name)
            if used is not None and used > capacity.value:
                yield (
                    f"{taken.label}: shared allocations of device {key[2]} consume {used} of {name}, "
                    f"expected at most {capacity.value}"
                )
    for taken in decided.taken:
        if decided.is_shared(taken) and not _consumes(decided, taken):
            yield from _too_small(taken)


def _taken_unchecked(decided: Decided) -> frozenset[DeviceKey]:
    """Return the devices whose own capacity the release does not check (`checks_another_device`)."""
    if not decided.rules.capacity.checks_another_device:
        return frozenset()
    return frozenset(
        taken.key for taken in decided.taken if taken.request and taken.request.allocation_mode == ALL
    )


def _too_small(taken: Taken) -> Iterator[str]:
    """Yield each quantity of a shared allocation that exceeds the capacity, without other allocations."""
    capacities = taken.placed.device.capacity if taken.placed else {}
    for name, amount in (taken.result.consumed_capacity or {}).items():
        value = capacities[name].value if name in capacities else amount
        if amount > value:
            yield (
                f"{taken.label}: the shared allocation of device {taken.key[2]} consumes {amount} of {name}, "
                f"expected at most {value}"
            )


Amounts = dict[DeviceKey, dict[str, Quantity]]
"""Sums of consumed capacity, by device and capacity name."""


def held_shares(decided: Decided) -> Amounts:
    """Return the capacity that shared allocations consumed before the answer."""
    total: Amounts = {}
    for result in decided.held:
        if result.share_id:
            key = key_of(result)
            _add(total, key, _counted(decided, key, result.consumed_capacity or {}))
    return total


def _counted(decided: Decided, key: DeviceKey, recorded: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Return what an earlier shared allocation consumes, by the capacity names that its device has now."""
    rules, placed = decided.rules.capacity, decided.devices.get(key)
    counted = {name: _at_least_zero(amount) for name, amount in recorded.items()}
    counted = dict(recorded) if rules.negative_shares_add_capacity else counted
    if not rules.bare_names_in_driver_domain or placed is None:
        return counted
    published = {_full(key[0], name): name for name in placed.device.capacity}
    renamed: dict[str, Quantity] = {}
    for name, amount in counted.items():
        present = name if name in placed.device.capacity else published.get(_full(key[0], name), name)
        renamed[present] = renamed[present] + amount if present in renamed else amount
    return renamed


def _at_least_zero(amount: Quantity) -> Quantity:
    return amount if amount.nano > 0 else Quantity(0)


def all_shares(decided: Decided) -> Amounts:
    """Return the capacity that all shared allocations consume, including those of the answer."""
    total = held_shares(decided)
    for taken in decided.taken:
        if _consumes(decided, taken):
            _add(total, taken.key, taken.result.consumed_capacity or {})
    return total


def _consumes(decided: Decided, taken: Taken) -> bool:
    """Whether the shared allocation consumes capacity. With adminAccess it may not."""
    return decided.is_shared(taken) and not (taken.is_admin and decided.rules.admin_is_free)


def _add(total: Amounts, key: DeviceKey, amounts: Mapping[str, Quantity]) -> None:
    sums = total.setdefault(key, {})
    for name, amount in amounts.items():
        sums[name] = sums[name] + amount if name in sums else amount


def dedicated_capacity_suffices(decided: Decided) -> Iterator[str]:
    """On an exclusive device a capacity request is a filter: the value must be at least the quantity.

    KEP-5075/filter/dedicated-greater-or-equal, KEP-5075/filter/unknown-capacity-ineligible. If request
    policies apply to exclusive devices, each capacity must suffice for the rounded request together with
    earlier shared allocations.
    """
    rules = decided.rules
    earlier = held_shares(decided) if rules.capacity.policy_on_dedicated else {}
    for taken in decided.taken:
        if taken.placed is None or decided.is_shared(taken):
            continue
        capacities = taken.placed.device.capacity
        asked = requested(decided, taken.request, taken.placed)
        device = taken.key[2]
        yield from (
            f"{taken.label}: device {device} lacks the requested capacity {name}"
            for name in asked
            if name not in capacities
        )
        for name, capacity in capacities.items():
            where = f"{taken.label}: {name} of device {device}"
            if not (rules.capacity.policy_on_dedicated and rules.features.consumable_capacity):
                if name in asked and asked[name] > capacity.value:
                    yield f"{where} is {capacity.value}, expected at least {asked[name]}"
                continue
            right = consume(capacity, asked.get(name), rules.capacity.arithmetic)
            held = earlier.get(taken.key, {}).get(name, Quantity(0))
            if isinstance(right, Violation):
                yield f"{where}: {right.message}"
            elif right.amount + held > capacity.value:
                earlier_shares = f" in addition to {held} of earlier shared allocations" if held else ""
                yield f"{where} is {capacity.value}, expected at least {right.amount}{earlier_shares}"

"""The invariants of consumable capacity (KEP-5075): what a share consumes, and that nothing is oversold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.capacity import Violation, consume
from dra_conform.conformance.decision import Decided, Taken
from dra_conform.conformance.world import DeviceKey
from dra_conform.kube.quantity import Quantity


def requested(decided: Decided, taken: Taken) -> dict[str, Quantity]:
    """What the request asks of the device, by the device's capacity names; unknown names stay as they are."""
    if not decided.rules.consumable or taken.request is None or taken.request.capacity is None:
        return {}
    asked = taken.request.capacity.requests
    if not decided.rules.bare_names_in_driver_domain or taken.placed is None:
        return dict(asked)
    published = {_full(taken, name): name for name in taken.placed.device.capacity}
    return {published.get(_full(taken, name), name): amount for name, amount in asked.items()}


def _full(taken: Taken, name: str) -> str:
    return name if "/" in name else f"{taken.key[0]}/{name}"


def consumed_capacity_complete(decided: Decided) -> Iterator[str]:
    """A share records every capacity of its device with the amount its policy gives; others record none.

    KEP-5075/status/consumed-capacity-*, KEP-5075/rounding/*, KEP-5075/default/*.
    """
    for taken in decided.taken:
        if taken.placed is None or taken.request is None:
            continue
        recorded = taken.result.consumed_capacity or {}
        if not decided.is_shared(taken):
            if taken.result.consumed_capacity is not None:
                yield f"{taken.label}: device {taken.key[2]} is not shared and records consumedCapacity"
            continue
        capacities = taken.placed.device.capacity
        asked = requested(decided, taken)
        for name in asked.keys() - capacities.keys():
            yield f"{taken.label}: device {taken.key[2]} has no capacity {name}"
        for name in recorded.keys() - capacities.keys():
            yield f"{taken.label}: consumedCapacity has {name}, which device {taken.key[2]} does not have"
        for name, capacity in capacities.items():
            right = consume(capacity, asked.get(name), decided.rules.arithmetic)
            if isinstance(right, Violation):
                yield f"{taken.label}: {name} of device {taken.key[2]}: {right.message}"
            elif name not in recorded:
                yield f"{taken.label}: consumedCapacity lacks {name}, which consumes {right.amount}"
            elif recorded[name] != right.amount:
                yield (
                    f"{taken.label}: {name} of device {taken.key[2]} consumes {right.amount}, "
                    f"recorded is {recorded[name]}"
                )


def shared_capacity_not_oversold(decided: Decided) -> Iterator[str]:
    """What all shares of a device consume stays within its capacity (KEP-5075/capacity-accounting/*)."""
    total: dict[DeviceKey, dict[str, Quantity]] = {}
    for result in decided.held:
        if result.share_id:
            _add(total, (result.driver, result.pool, result.device), result.consumed_capacity or {})
    touched: dict[DeviceKey, Taken] = {}
    for taken in decided.taken:
        if decided.is_shared(taken):
            _add(total, taken.key, taken.result.consumed_capacity or {})
            touched[taken.key] = taken
    for key, taken in touched.items():
        capacities = taken.placed.device.capacity if taken.placed else {}
        for name, capacity in capacities.items():
            used = total[key].get(name)
            if used is not None and used > capacity.value:
                yield f"{taken.label}: {name} of device {key[2]} is {capacity.value}, shares consume {used}"


def _add(
    total: dict[DeviceKey, dict[str, Quantity]], key: DeviceKey, amounts: Mapping[str, Quantity]
) -> None:
    sums = total.setdefault(key, {})
    for name, amount in amounts.items():
        sums[name] = sums[name] + amount if name in sums else amount


def dedicated_capacity_suffices(decided: Decided) -> Iterator[str]:
    """On a dedicated device a capacity request is a filter: the value must be at least the amount.

    KEP-5075/filter/dedicated-greater-or-equal, KEP-5075/filter/unknown-capacity-ineligible.
    """
    for taken in decided.taken:
        if taken.placed is None or decided.is_shared(taken):
            continue
        for name, amount in requested(decided, taken).items():
            capacity = taken.placed.device.capacity.get(name)
            if capacity is None:
                yield f"{taken.label}: device {taken.key[2]} has no capacity {name}"
                continue
            needed = amount
            if decided.rules.policy_on_dedicated:
                right = consume(capacity, amount, decided.rules.arithmetic)
                if isinstance(right, Violation):
                    yield f"{taken.label}: {name} of device {taken.key[2]}: {right.message}"
                    continue
                needed = right.amount
            if needed > capacity.value:
                where = f"{name} of device {taken.key[2]}"
                yield f"{taken.label}: {where} is {capacity.value}, needed is {needed}"

"""A table of the remaining capacity of devices and counter sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.cli.alignment import aligned
from dra_conform.controlplane.remaining_capacity import RemainingDevice, RemainingPool, RemainingQuantity


def remaining_table(pools: Sequence[RemainingPool]) -> Iterator[str]:
    """Yield a line for each device and counter set, with its remaining capacity and its claims."""
    yield from aligned(_rows(pools))


def _rows(pools: Sequence[RemainingPool]) -> Iterator[tuple[str, ...]]:
    yield "NODE", "DEVICE OR COUNTER SET", "REMAINING", "ALLOCATED TO"
    for pool in pools:
        label = f"{pool.driver}/{pool.name}"
        for device in pool.devices:
            yield pool.node, f"{label}/{device.name}", _left(device), _allocated_to(device)
        for counter_set in pool.counter_sets:
            amounts = ", ".join(map(_amount, counter_set.counters))
            yield (
                pool.node,
                f"{label}/{counter_set.name} (counters)",
                amounts,
                ", ".join(counter_set.devices) or "-",
            )


def _allocated_to(device: RemainingDevice) -> str:
    allocations: dict[str, int] = {}
    for claim in device.holders:
        allocations[claim] = allocations.get(claim, 0) + 1
    claims = [
        f"{claim} ({number} shared allocations)" if number > 1 else claim
        for claim, number in allocations.items()
    ]
    return ", ".join([*claims, *(f"{claim} (admin access)" for claim in device.admins)]) or "-"


def _left(device: RemainingDevice) -> str:
    if device.lack:
        return f"not allocatable: {device.lack}"
    if device.capacities:
        return ", ".join(map(_amount, device.capacities))
    return "everything" if device.shared or not device.holders else "nothing"


def _amount(amount: RemainingQuantity) -> str:
    return f"{amount.name} {amount.left} of {amount.total}"

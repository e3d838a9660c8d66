"""A table of the remaining capacity of devices and counter sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.cli.alignment import aligned
from dra_conform.controlplane.remaining_capacity import AmountLeft, DeviceLeft, PoolLeft


def left_table(pools: Sequence[PoolLeft]) -> Iterator[str]:
    """The lines: a device or counter set a line, with who holds it and what is left of it."""
    yield from aligned(_rows(pools))


def _rows(pools: Sequence[PoolLeft]) -> Iterator[tuple[str, ...]]:
    yield "NODE", "DEVICE OR COUNTER SET", "LEFT", "ALLOCATED TO"
    for pool in pools:
        label = f"{pool.driver}/{pool.name}"
        for device in pool.devices:
            yield pool.node, f"{label}/{device.name}", _left(device), _held_by(device)
        for counter_set in pool.counter_sets:
            amounts = ", ".join(map(_amount, counter_set.counters))
            yield (
                pool.node,
                f"{label}/{counter_set.name} (counters)",
                amounts,
                ", ".join(counter_set.devices) or "-",
            )


def _held_by(device: DeviceLeft) -> str:
    shares: dict[str, int] = {}
    for claim in device.holders:
        shares[claim] = shares.get(claim, 0) + 1
    held = [f"{claim} ({number} shares)" if number > 1 else claim for claim, number in shares.items()]
    return ", ".join([*held, *(f"{claim} (admin access)" for claim in device.admins)]) or "-"


def _left(device: DeviceLeft) -> str:
    if device.lack:
        return f"no room: {device.lack}"
    if device.capacities:
        return ", ".join(map(_amount, device.capacities))
    return "everything" if device.shared or not device.holders else "nothing"


def _amount(amount: AmountLeft) -> str:
    return f"{amount.name} {amount.left} of {amount.total}"

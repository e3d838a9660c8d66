"""Many capacities at once: the one place that chooses between the scalar rule and the columns."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from dra_conform.capacity.columns import LIMITS, RULES, SCALAR, PolicyColumns
from dra_conform.capacity.policy import Arithmetic, Consumed, Violation, consume
from dra_conform.kube.quantity import NANO, Quantity
from dra_conform.kube.resource import DeviceCapacity

WORTHWHILE = 512
"""From so many rows on the columns are faster."""


class CapacityTable:
    """Distinct capacities, each asked for by its place; what one request consumes of every one of them."""

    def __init__(self, capacities: Sequence[DeviceCapacity], arithmetic: Arithmetic) -> None:
        self.capacities = tuple(capacities)
        self.arithmetic = arithmetic
        self._columns: PolicyColumns | None = None

    def consumed(self, requested: Quantity | None) -> list[int | None]:
        """The consumed amount of each capacity in nano units, None where its policy refuses."""
        if len(self.capacities) < WORTHWHILE:
            return [self._one(capacity, requested) for capacity in self.capacities]
        if self._columns is None:
            self._columns = PolicyColumns.of(self.capacities, self.arithmetic)
        count = len(self.capacities)
        nano = None if requested is None else requested.nano
        amounts, _ = _rows(
            self._columns,
            self.capacities,
            pl.Series(range(count), dtype=pl.UInt32),
            [nano] * count,
        )
        return amounts

    def _one(self, capacity: DeviceCapacity, requested: Quantity | None) -> int | None:
        found = consume(capacity, requested, self.arithmetic)
        return found.amount.nano if isinstance(found, Consumed) else None


def consume_rows(
    capacities: Sequence[DeviceCapacity],
    which: Sequence[int],
    requested: Sequence[int | None],
    arithmetic: Arithmetic,
) -> tuple[list[int | None], list[str]]:
    """Amounts in nano units, and the violated rules (empty where none), of many (capacity, request) rows.

    `which` names the capacity of each row by its place, `requested` is in nano units.
    """
    if len(which) < WORTHWHILE:
        found = [
            consume(capacities[place], None if nano is None else Quantity(nano), arithmetic)
            for place, nano in zip(which, requested, strict=True)
        ]
        return (
            [one.amount.nano if isinstance(one, Consumed) else None for one in found],
            [one.rule if isinstance(one, Violation) else "" for one in found],
        )
    columns = PolicyColumns.of(capacities, arithmetic)
    return _rows(columns, capacities, pl.Series(which, dtype=pl.UInt32), requested)


def _rows(
    columns: PolicyColumns,
    capacities: Sequence[DeviceCapacity],
    which: pl.Series,
    requested: Sequence[int | None],
) -> tuple[list[int | None], list[str]]:
    narrow = columns.width is pl.Int64 and all(
        nano is None or (nano % NANO == 0 and abs(nano) < LIMITS[pl.Int64] * NANO) for nano in set(requested)
    )
    if not narrow and columns.width is pl.Int64:
        columns = PolicyColumns.of(capacities, columns.arithmetic, pl.Int128)
    unit = NANO if narrow else 1
    limit = LIMITS[columns.width]
    # What is too large for the width is left to the scalar rule, as a negative number is.
    fitting = [
        None if nano is None else nano // unit if 0 <= nano < limit * unit else -1 for nano in requested
    ]
    found = columns.consume(which, pl.Series(fitting, dtype=columns.width))
    amounts: list[int | None] = []
    rules: list[str] = []
    for row, (amount, code) in enumerate(found.iter_rows()):
        if code == SCALAR:
            nano = requested[row]
            asked = None if nano is None else Quantity(nano)
            one = consume(capacities[which[row]], asked, columns.arithmetic)
            amounts.append(one.amount.nano if isinstance(one, Consumed) else None)
            rules.append(one.rule if isinstance(one, Violation) else "")
        else:
            amounts.append(amount * unit if code == 0 else None)
            rules.append(RULES[code])
    return amounts, rules

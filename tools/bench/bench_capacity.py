"""Benchmarks of the request policy over columns: 1 M rows of a capacity and a request."""

from __future__ import annotations

import random
import time

import polars as pl
from row import Row

from dra_conform.capacity.policy_columns import PolicyColumns
from dra_conform.kube.quantity import NANO, Quantity
from dra_conform.kube.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity
from dra_conform.kube.switches.values import Arithmetic

ROWS = 1_000_000
POLICIES = 64


def bench() -> list[Row]:
    """Measure rows per second in each width and arithmetic."""
    return [
        Row("request policy, Int64 whole units", _rate(0, Arithmetic.EXACT), "rows/s", 10_000_000),
        Row("request policy, Int128 nano, exact", _rate(NANO // 2, Arithmetic.EXACT), "rows/s", 4_000_000),
        Row("request policy, Int128 nano, whole", _rate(NANO // 2, Arithmetic.WHOLE), "rows/s", 4_000_000),
    ]


def _rate(offset: int, arithmetic: Arithmetic) -> float:
    """Return rows per second. `offset`, in nano units, is added to every quantity of the policies."""
    generator = random.Random(1)
    columns = PolicyColumns.of([_capacity(place, offset) for place in range(POLICIES)], arithmetic)
    unit = 1 if columns.width is pl.Int64 else NANO
    which = pl.Series([generator.randrange(POLICIES) for _ in range(ROWS)], dtype=pl.UInt32)
    quantities = [generator.randrange(100) * unit if generator.random() > 0.1 else None for _ in range(ROWS)]
    requested = pl.Series(quantities, dtype=columns.width)
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        columns.consume(which, requested)
        best = min(best, time.perf_counter() - start)
    return ROWS / best


def _capacity(place: int, offset: int) -> DeviceCapacity:
    """Return capacities in rotation: no policy, a range with a step, a range, ten valid values."""

    def quantity(units: int) -> Quantity:
        return Quantity(units * NANO + offset)

    policies = (
        None,
        CapacityRequestPolicy(
            default=quantity(2),
            valid_range=CapacityRequestPolicyRange(
                min=quantity(2), max=quantity(90), step=quantity(3 + place)
            ),
        ),
        CapacityRequestPolicy(
            default=quantity(2), valid_range=CapacityRequestPolicyRange(min=quantity(2), max=quantity(90))
        ),
        CapacityRequestPolicy(
            default=quantity(2), valid_values=tuple(quantity(2 + 9 * n) for n in range(10))
        ),
    )
    return DeviceCapacity(value=quantity(100), request_policy=policies[place % 4])


if __name__ == "__main__":
    for row in bench():
        print(row)

"""The expected validation of request policies, computed for all rows together over polars columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches
from dra_conform.sweep.capacity_expectation import OUTCOMES, WIDTH
from dra_conform.sweep.capacity_row import Capacity
from dra_conform.sweep.decision import RowOutcome
from dra_conform.sweep.quantities import MILLI, NANO, WrittenQuantity

_MAX = 2**63 - 1
_BOUNDS = ("default", "minimum", "maximum", "step")


def admitted(capacities: Sequence[Capacity], profile: Profile) -> pl.DataFrame:
    """Return the columns `expected` (accepted, rejected or errored) and `expected_nano` of capacities.

    The quantity is the sum of all quantities of an admitted capacity. A step of zero is an error of the whole
    write in releases that divide by it.
    """
    switches = ApiServerSwitches.of(profile)
    longest = max((len(capacity.values) for capacity in capacities), default=0)
    table = pl.DataFrame(
        [
            _column("value", [capacity.value for capacity in capacities]),
            *(_column(name, [getattr(capacity, name) for capacity in capacities]) for name in _BOUNDS),
            *(
                _column(f"v{place}", [_at(capacity.values, place) for capacity in capacities])
                for place in range(longest)
            ),
        ]
    )
    values = [pl.col(f"v{place}") for place in range(longest)]
    has_values = values[0].is_not_null() if values else pl.lit(False)
    has_range = pl.any_horizontal(pl.col(name).is_not_null() for name in ("minimum", "maximum", "step"))
    of_range, crashes = _of_range(switches)
    wrong = (
        pl.when(has_values & has_range)
        .then(True)
        .when(pl.col("default").is_null())
        .then(has_values | has_range)
        .when(has_values)
        .then(_of_values(values, switches))
        .when(has_range)
        .then(of_range)
        .otherwise(False)
    )
    errored = has_range & ~has_values & pl.col("default").is_not_null() & crashes
    outcome = (
        pl.when(errored)
        .then(pl.lit(RowOutcome.ERRORED.value))
        .when(wrong.fill_null(False))
        .then(pl.lit(RowOutcome.REJECTED.value))
        .otherwise(pl.lit(RowOutcome.ACCEPTED.value))
    )
    total = pl.sum_horizontal(pl.all().fill_null(0)).cast(WIDTH)
    return table.select(outcome.cast(OUTCOMES).alias("expected"), total.alias("expected_nano")).with_columns(
        pl.when(pl.col("expected") == RowOutcome.ACCEPTED.value).then("expected_nano").alias("expected_nano")
    )


def _of_values(values: Sequence[pl.Expr], switches: ApiServerSwitches) -> pl.Expr:
    """Whether validValues are invalid: not ascending, above the capacity, duplicate, or without the
    default."""
    wrong = [value > pl.col("value") for value in values]
    number = (lambda value: value) if switches.fractional_ranges else _ceiling(NANO)
    for place, value in enumerate(values):
        for earlier in values[:place]:
            wrong.append(number(earlier) == number(value))
        if place:
            wrong.append(values[place - 1] > value)
    found = pl.any_horizontal((value == pl.col("default")).fill_null(False) for value in values)
    return pl.any_horizontal(part.fill_null(False) for part in wrong) | ~found


def _of_range(switches: ApiServerSwitches) -> tuple[pl.Expr, pl.Expr]:
    """Return whether a range is invalid, and whether its step crashes the API server."""
    value, default, low, high, step = map(pl.col, ("value", *_BOUNDS))
    wrong = (low > value) | (default < low)
    wrong |= (low < 0) if switches.negative_min_rejected else pl.lit(False)
    wrong |= ((low > high) | (high > value) | (default > high)).fill_null(False)
    bounds = [pl.col(name) for name in _BOUNDS]
    by_milli = pl.lit(False)
    if switches.fractional_ranges:
        by_milli = pl.any_horizontal((bound % _lit(NANO) != 0).fill_null(False) for bound in bounds)
    beyond_milli = pl.any_horizontal(
        ((bound % _lit(MILLI) != 0) | (bound.abs() >= _lit((_MAX + 1) * MILLI))).fill_null(False)
        for bound in bounds
    )
    wrong |= by_milli & beyond_milli
    off_step = pl.lit(False)
    for unit, applies in ((MILLI, by_milli), (NANO, ~by_milli)):
        ceiling = _ceiling(unit)
        size = pl.when(ceiling(step) == 0).then(None).otherwise(ceiling(step))
        off = [((ceiling(bound) - ceiling(low)) % size != 0).fill_null(False) for bound in (default, high)]
        off_step |= applies & pl.any_horizontal(off)
    wrong_step = (low + step > value) | off_step
    crashes = pl.lit(False)
    if switches.steps_checked:
        beyond = pl.any_horizontal(
            ((bound < 0) | (bound > _lit(_MAX * NANO))).fill_null(False) for bound in bounds
        )
        wrong_step |= (step <= 0) | (~by_milli & beyond)
    else:
        crashes = low.is_not_null() & (step == 0).fill_null(False)
    wrong |= (step.is_not_null() & wrong_step).fill_null(False)
    return low.is_null() | wrong.fill_null(False), crashes


def _ceiling(unit: int) -> Callable[[pl.Expr], pl.Expr]:
    """Return the function that rounds nano-units away from zero to whole units."""

    def ceiling(nano: pl.Expr) -> pl.Expr:
        up = (nano.abs() + _lit(unit - 1)) // _lit(unit)
        return pl.when(nano < 0).then(_lit(0) - up).otherwise(up)

    return ceiling


def _lit(number: int) -> pl.Expr:
    return pl.lit(number, dtype=WIDTH)


def _column(name: str, parts: Sequence[WrittenQuantity | None]) -> pl.Series:
    return pl.Series(name, [None if part is None else part.nano for part in parts], dtype=WIDTH)


def _at(values: Sequence[WrittenQuantity], place: int) -> WrittenQuantity | None:
    return values[place] if place < len(values) else None

"""Comparison of expected and actual decisions as columns, counts by class, and descriptions of
differences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

import polars as pl

from dra_conform.sweep.area import SweepRow
from dra_conform.sweep.capacity_expectation import OUTCOMES, WIDTH
from dra_conform.sweep.decision import RowDecision, RowOutcome
from dra_conform.sweep.quantities import MILLI, NANO

_LIMITS = tuple((f"2^{bits}-1", (2**bits - 1) * NANO) for bits in (31, 32, 53, 63, 64))
_WRAPS = tuple((f"2^{bits}", 2**bits) for bits in (64, 32))
_FACTORS = tuple((f"{base}^{power}", base**power) for base in (1000, 1024) for power in range(1, 9))


def kind_of(expected: RowDecision, actual: RowDecision) -> str:
    """Return the kind of a difference in words. Equal kinds suggest one cause."""
    if actual.outcome in (RowOutcome.FAULT, RowOutcome.UNREADABLE, RowOutcome.MISSING):
        return f"{actual.outcome.value}: {re.sub(r'[0-9]+', 'N', actual.detail)[:80]}"
    if actual.outcome is not expected.outcome:
        return f"{actual.outcome.value} instead of {expected.outcome.value}"
    if expected.nano is None or actual.nano is None:
        return "a quantity where none is expected" if expected.nano is None else "no quantity"
    return f"the quantity {_relation(expected.nano, actual.nano)}"


def _relation(expected: int, actual: int) -> str:
    """Describe how a quantity differs from the expected one, both in nano-units."""
    if actual < 0:
        return "is negative"
    if actual == 0:
        return "is zero"
    for name, limit in _LIMITS:
        if actual == limit < expected:
            return f"ends at {name}"
    for name, factor in _FACTORS:
        if actual * factor == expected or expected * factor == actual:
            return f"has another unit, by a factor of {name}"
    difference = actual - expected
    for name, size in _WRAPS:
        if difference % (size * NANO) == 0 and abs(actual) <= size * NANO:
            return f"differs by a multiple of {name}"
    for name, unit in (("nano-unit", 1), ("milli-unit", MILLI), ("unit", NANO)):
        if abs(difference) == unit:
            return f"is one {name} too {'large' if difference > 0 else 'small'}"
    for name, unit in (("units", NANO), ("milli-units", MILLI)):
        if expected % unit and actual % unit == 0 and abs(difference) < unit:
            return f"is rounded to whole {name}"
    if abs(difference) * 2**52 <= expected:
        return "has lost its last digits"
    return f"is too {'large' if difference > 0 else 'small'}"


def compared(
    rows: Sequence[SweepRow],
    factors: Sequence[str],
    expected: pl.DataFrame,
    actual: Mapping[int, RowDecision],
) -> pl.DataFrame:
    """Join expected and actual decisions by row.

    The columns are `row`, a column for each factor, `expected`, `expected_nano`, `actual`, `actual_nano`,
    `detail`, and `differs`, which is null for a row that the implementation declines. Rows without an answer
    are `missing`.
    """
    answered = pl.DataFrame(
        {
            "row": pl.Series(list(actual), dtype=pl.UInt32),
            "actual": pl.Series([decision.outcome.value for decision in actual.values()], dtype=OUTCOMES),
            "actual_nano": pl.Series([decision.nano for decision in actual.values()], dtype=WIDTH),
            "detail": pl.Series([decision.detail for decision in actual.values()], dtype=pl.String),
        }
    )
    classes = list(zip(*(row.classes for row in rows), strict=True)) or [()] * len(factors)
    table = pl.DataFrame(
        [
            pl.Series("row", range(len(rows)), dtype=pl.UInt32),
            *(
                pl.Series(factor, names, dtype=pl.Categorical)
                for factor, names in zip(factors, classes, strict=True)
            ),
        ]
    ).hstack(expected)
    joined = table.join(answered, on="row", how="left", maintain_order="left").with_columns(
        pl.col("actual").fill_null(RowOutcome.MISSING.value), pl.col("detail").fill_null("")
    )
    differs = (pl.col("actual") != pl.col("expected")) | pl.col("actual_nano").ne_missing(
        pl.col("expected_nano")
    )
    declined = pl.col("actual") == RowOutcome.UNSUPPORTED.value
    return joined.with_columns(pl.when(declined).then(None).otherwise(differs).alias("differs"))


def cells(table: pl.DataFrame, factors: Sequence[str]) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Return the number of compared and of differing rows for each factor, value class and policy class.

    The policy class is that of the first factor.
    """
    policy, *others = factors
    counted: dict[tuple[str, str, str], tuple[int, int]] = {}
    for factor in others:
        groups = table.group_by(factor, policy).agg(
            pl.col("differs").is_not_null().sum().alias("rows"), pl.col("differs").sum().alias("differ")
        )
        for name, policy_class, count, differing in groups.iter_rows():
            counted[factor, name, policy_class] = (count, differing)
    return counted


def pairs(table: pl.DataFrame, factors: Sequence[str]) -> set[tuple[str, str, str, str]]:
    """Return the pairs of value classes of two factors that occur in rows."""
    found: set[tuple[str, str, str, str]] = set()
    for first, second in combinations(factors, 2):
        for one, other in table.select(first, second).unique().iter_rows():
            found.add((first, one, second, other))
    return found

"""Comparison of expected and actual decisions as columns, and counts by class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import polars as pl

from dra_conform.sweep.area import SweepRow
from dra_conform.sweep.capacity_expectation import OUTCOMES, WIDTH
from dra_conform.sweep.decision import RowDecision, RowOutcome


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

"""A fault in any of the three, implementation, columns or textbook, is found."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest

from dra_conform.capacity import Consumed, consume
from dra_conform.capacity.policy_columns import PolicyColumns
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceCapacity
from dra_conform.kube.switches.values import Arithmetic
from dra_conform.sweep import textbook
from dra_conform.sweep.areas.table import AREAS as AREAS_BY_NAME
from tests.support.sweep.sweeping import swept

ROWS = 700


@pytest.mark.parametrize("area", AREAS_BY_NAME)
@pytest.mark.parametrize(
    "profile",
    ["kep", *(pytest.param(f"kubernetes-1.{minor}", marks=pytest.mark.slow) for minor in (34, 36, 37))],
)
def test_the_builtin_the_columns_and_the_textbook_agree(area: str, profile: str) -> None:
    totals = swept(area, ROWS, profile=profile)
    assert (totals.rows, totals.unexplained, totals.doubts) == (ROWS, [], {})
    assert totals.sampled > ROWS // 10


def test_a_fault_of_the_implementation_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> object:
        result = consume(capacity, requested, arithmetic)
        return Consumed(result.amount + Quantity(1)) if isinstance(result, Consumed) else result

    monkeypatch.setattr("dra_conform.allocator.capacity_needs.consume", wrong)
    totals = swept("rounding", ROWS)
    assert totals.differing > ROWS // 10
    assert not totals.doubts


def test_a_fault_of_the_columns_contradicts_builtin_and_textbook(monkeypatch: pytest.MonkeyPatch) -> None:
    right = PolicyColumns.consume

    def wrong(self: PolicyColumns, which: pl.Series, requested: pl.Series) -> pl.DataFrame:
        return right(self, which, requested).with_columns(pl.col("amount") + 1)

    monkeypatch.setattr(PolicyColumns, "consume", wrong)
    totals = swept("rounding", ROWS)
    assert totals.differing > ROWS // 10
    assert totals.doubts


def test_a_fault_of_the_textbook_contradicts_only_the_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(policy: textbook.TextbookPolicy, requested: Fraction | None, whole_steps: bool) -> object:
        consumed = textbook.consumed(policy, requested, whole_steps)
        return None if consumed == policy.maximum else consumed

    monkeypatch.setattr("dra_conform.sweep.areas.capacity_area.consumed", wrong)
    totals = swept("rounding", ROWS)
    assert totals.differing == 0
    assert totals.doubts

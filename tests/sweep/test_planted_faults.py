"""A fault in any of the three, implementation, columns or textbook, is found."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import polars as pl
import pytest

from dra_conform.capacity import Consumed, consume
from dra_conform.capacity.policy_columns import PolicyColumns
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceCapacity
from dra_conform.kube.switches.values import Arithmetic
from dra_conform.sweep import textbook
from dra_conform.sweep.area import AnyArea, SweepRow
from dra_conform.sweep.areas.table import AREAS as AREAS_BY_NAME
from dra_conform.sweep.capacity_expectation import OUTCOMES
from dra_conform.sweep.decision import RowDecision, RowOutcome
from dra_conform.sweep.part import SweepSettings
from tests.support.all_faults import only_with_all_faults
from tests.support.rows import mostly_slow
from tests.support.sweep.sweeping import swept

ROWS = 700

_QUICK = ("footprint", "usage")
_MOSTLY_SLOW = [
    pytest.param(area, marks=() if area in _QUICK else only_with_all_faults) for area in AREAS_BY_NAME
]


_SWEPT = [
    (profile, area)
    for profile in ("kep", "kubernetes-1.34", "kubernetes-1.36", "kubernetes-1.37")
    for area, swept_area in AREAS_BY_NAME.items()
    if all(map(Profile.named(profile).has, swept_area.gates))
]


@pytest.mark.parametrize(
    ("profile", "area"),
    [
        *mostly_slow([each for each in _SWEPT if each[0] == "kep"], 3),
        *(pytest.param(*each, marks=only_with_all_faults) for each in _SWEPT if each[0] != "kep"),
    ],
)
def test_the_builtin_the_columns_and_the_textbook_agree(profile: str, area: str) -> None:
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


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["kep", "kubernetes-1.36", "kubernetes-1.37"])
def test_the_textbook_contradicts_no_inadmissible_row(profile: str) -> None:
    area = AREAS_BY_NAME["rounding"]
    settings = SweepSettings("rounding", profile, 9, inadmissible=True, deadline_ms=0)
    rows = [*settings.rows(0, 6000), *settings.rows(9, 2000)]
    expected = area.expected(rows, settings.release())
    for row, (outcome, nano) in zip(rows, expected.iter_rows(), strict=True):
        textbook = area.textbook(row, settings.release())
        assert textbook in (None, RowDecision(RowOutcome(outcome), nano)), row.texts()


@pytest.mark.parametrize("profile", mostly_slow(["kep", "kubernetes-1.36", "kubernetes-1.37"]))
def test_no_expectation_of_a_valid_row_uses_the_rule_of_the_allocator(
    profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dra_conform.sweep.capacity_expectation.consume", None)
    settings = SweepSettings("rounding", profile, 3, inadmissible=False, deadline_ms=0)
    rows = [*settings.rows(0, 3000), *settings.rows(9, 3000)]
    expected = AREAS_BY_NAME["rounding"].expected(rows, settings.release())
    assert set(expected["expected"]) >= {"accepted", "rejected"}


def test_a_fault_of_the_textbook_contradicts_only_the_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(policy: textbook.TextbookPolicy, requested: Fraction | None, whole_steps: bool) -> object:
        consumed = textbook.consumed(policy, requested, whole_steps)
        return None if consumed == policy.maximum else consumed

    monkeypatch.setattr("dra_conform.sweep.areas.capacity_area.consumed", wrong)
    totals = swept("rounding", ROWS)
    assert totals.differing == 0
    assert totals.doubts


@pytest.mark.parametrize("area", _MOSTLY_SLOW)
def test_a_fault_of_the_expectation_is_found_in_each_area(area: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(AREAS_BY_NAME[area])
    right = kind.expected

    def wrong(self: AnyArea, rows: Sequence[SweepRow], profile: Profile) -> pl.DataFrame:
        flipped = pl.when(pl.col("expected") == "accepted").then(pl.lit("rejected")).otherwise("expected")
        return right(self, rows, profile).with_columns(flipped.cast(OUTCOMES).alias("expected"))

    monkeypatch.setattr(kind, "expected", wrong)
    totals = swept(area, ROWS // 2)
    assert totals.differing > 0
    assert totals.doubts


@pytest.mark.parametrize("area", _MOSTLY_SLOW)
def test_a_fault_of_the_textbook_is_found_in_each_area(area: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(AREAS_BY_NAME[area])
    monkeypatch.setattr(kind, "textbook", lambda self, row, profile: RowDecision(RowOutcome.ERRORED))
    totals = swept(area, ROWS // 2)
    assert totals.differing == 0
    assert totals.doubts

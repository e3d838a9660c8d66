"""Faulty arithmetic is found by few rows, and named by its cell."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.support.all_faults import only_with_all_faults
from tests.support.sweep.sweeping import differing, swept
from tests.support.sweep.wrong_arithmetic import WRONG

_QUICK = "64 bits, signed"
_IN_CHECK = ("1000E is 1", "max is exclusive", "default is min")
ROWS = 10_000
"""A tenth of the rows in which each fault must show. The first have every pair of classes."""


def _marks(name: str) -> Sequence[pytest.MarkDecorator]:
    if name == _QUICK:
        return ()
    return (pytest.mark.slow,) if name in _IN_CHECK else (only_with_all_faults,)


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in WRONG])
def test_faulty_arithmetic_is_found_in_its_cell(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = WRONG[name]
    monkeypatch.setattr("dra_conform.allocator.capacity_needs.consume", wrong.rule)
    totals = swept(wrong.area, ROWS)
    assert differing(totals, wrong.wrong) > 0
    assert differing(totals, wrong.right) == 0
    assert not totals.doubts, "the textbook and the columns are right"


def test_thirty_faults_are_tried() -> None:
    assert len(WRONG) >= 30

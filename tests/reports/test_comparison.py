"""The comparison of several implementations in the terminal."""

from __future__ import annotations

from dra_conform.conformance.verdict import Verdict
from dra_conform.reports.comparison import matrix_lines
from tests.support.reports.fake_runs import DEFAULTS, STEP_UP, result, run


def test_areas_are_counted_and_differences_are_named() -> None:
    good = run([result(), result(Verdict.PASS, "other")])
    bad = run([result(), result(Verdict.FAIL, "other")])
    lines = list(matrix_lines([good, bad, good]))
    assert lines[0].startswith("  [1] builtin 0.1.0, profile kep")
    [area] = [line for line in lines if line.startswith("  KEP-5075/rounding ")]
    assert area.split()[1:] == ["1/1", "0/1", "1/1"]
    [row] = [line for line in lines if line.startswith(f"  {STEP_UP}")]
    assert row.split()[1:] == ["passed", "failed", "passed"]
    assert not any(DEFAULTS in line for line in lines)


def test_equal_runs_have_no_differences() -> None:
    lines = list(matrix_lines([run([result()]), run([result()])]))
    assert not any("differ" in line for line in lines)

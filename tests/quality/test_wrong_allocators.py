"""The suite as judge of allocators: right ones pass, wrong ones fail in the requirement concerned."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from dra_conform.adapters import open_implementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite, select
from dra_conform.conformance.verdict import CaseResult, Verdict
from tests.quality.right import RIGHT, AnyFitting
from tests.quality.textbook import Textbook
from tests.quality.wrong import WRONG
from tests.quality.wrong_by_chance import WRONG_BY_CHANCE


def _results(
    suite: LoadedSuite,
    allocator: type[Textbook],
    wanted: Callable[[Case], bool] = lambda case: True,
    *,
    seed: int = 0,
) -> Sequence[CaseResult]:
    implementation = open_implementation(
        f"python:{allocator.__module__}:{allocator.__name__}", in_process=True
    )
    asked = select(suite.cases, "operation:allocate")
    cases = [case for case in applicable(asked, "kep") if wanted(case)]
    events = run(implementation, suite.as_suite(), cases, settings=Settings(seed=seed))
    return [event.result for event in events if isinstance(event, CaseFinished)]


@pytest.mark.parametrize(
    ("allocator", "seed"), [*((one, 0) for one in RIGHT), (AnyFitting, 1), (AnyFitting, 2)]
)
def test_a_right_allocator_passes_whichever_device_it_takes(
    shipped_suite: LoadedSuite, allocator: type[Textbook], seed: int
) -> None:
    results = _results(shipped_suite, allocator, seed=seed)
    wrong = [(one.case.id, one.detail, one.findings) for one in results if one.verdict is not Verdict.PASS]
    assert wrong == []


@pytest.mark.parametrize(
    ("allocator", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_allocator_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, allocator: type[Textbook], requirement: str
) -> None:
    results = _results(shipped_suite, allocator, lambda case: requirement in case.requirements)
    failed = [(one.case.id, one.verdict, one.detail) for one in results if one.verdict is not Verdict.PASS]
    assert failed
    assert {verdict for _, verdict, _ in failed} == {Verdict.FAIL}


@pytest.mark.parametrize(
    ("allocator", "rows"), WRONG_BY_CHANCE.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_what_is_wrong_by_chance_is_caught_by_the_rows_of_one_case(
    shipped_suite: LoadedSuite, allocator: type[Textbook], rows: str
) -> None:
    results = _results(shipped_suite, allocator, lambda case: case.id.startswith(f"{rows}["))
    verdicts = {one.verdict for one in results}
    assert Verdict.FAIL in verdicts
    assert verdicts <= {Verdict.PASS, Verdict.FAIL}

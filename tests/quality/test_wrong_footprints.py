"""The suite as judge of footprints: the textbook passes, and what gets one thing wrong fails where it does."""

from __future__ import annotations

import pytest

from dra_conform.adapters import open_implementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.quality.textbook_footprint import TextbookFootprint
from tests.quality.wrong_footprints import WRONG


def _cases(suite: LoadedSuite) -> list[Case]:
    return [one for one in applicable(suite.cases, "kep") if one.operation == "footprint"]


def _failing(suite: LoadedSuite, counter: type[TextbookFootprint], cases: list[Case]) -> list[str]:
    implementation = open_implementation(f"python:{counter.__module__}:{counter.__name__}", in_process=True)
    events = run(implementation, suite.as_suite(), cases, settings=Settings())
    results = [event.result for event in events if isinstance(event, CaseFinished)]
    return [one.case.id for one in results if one.verdict is not Verdict.PASS]


def test_the_textbook_counts_as_the_suite_demands(shipped_suite: LoadedSuite) -> None:
    assert _failing(shipped_suite, TextbookFootprint, _cases(shipped_suite)) == []


@pytest.mark.parametrize(
    ("counter", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_footprint_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, counter: type[TextbookFootprint], requirement: str
) -> None:
    cases = [one for one in _cases(shipped_suite) if requirement in one.requirements]
    assert _failing(shipped_suite, counter, cases)

"""The suite as judge of allocators: right ones pass, wrong ones fail in the requirement concerned."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dra_conform.adapters import open_implementation
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite import LoadedSuite, load_suite
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from tests.quality.textbook import Textbook
from tests.quality.wrong import WRONG, LastFitting


@pytest.fixture(scope="module")
def suite() -> LoadedSuite:
    return load_suite()


def _results(suite: LoadedSuite, allocator: type[Textbook]) -> Sequence[CaseResult]:
    implementation = open_implementation(f"python:{allocator.__module__}:{allocator.__name__}")
    cases = applicable(suite.cases, "kep")
    events = run(implementation, suite.as_suite(), cases, settings=Settings())
    return [event.result for event in events if isinstance(event, CaseFinished)]


@pytest.mark.parametrize("allocator", [Textbook, LastFitting])
def test_a_right_allocator_passes_whichever_device_it_takes(
    suite: LoadedSuite, allocator: type[Textbook]
) -> None:
    wrong = [
        (result.case.id, result.findings) for result in _results(suite, allocator) if not _passes(result)
    ]
    assert wrong == []


def _passes(result: CaseResult) -> bool:
    return result.verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("allocator", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_allocator_is_caught_where_it_is_wrong(
    suite: LoadedSuite, allocator: type[Textbook], requirement: str
) -> None:
    failed = [result for result in _results(suite, allocator) if result.verdict in CONFORMANCE_FAILURES]
    caught = {name for result in failed for name in result.case.requirements}
    assert requirement in caught
    assert all(result.verdict is Verdict.FAIL for result in failed)

"""The suite as judge of counters: wrong ones fail in the requirement concerned."""

from __future__ import annotations

import pytest

from dra_conform.adapters import open_implementation
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.quality.wrong_counters import WRONG, QuotaCounter

PROFILES = ("kep", "kubernetes-1.37")
"""What the documents leave open, such as how many a request for all devices counts, only releases show."""


def _verdicts(
    suite: LoadedSuite, counter: type[QuotaCounter], requirement: str, profile: str
) -> set[Verdict]:
    implementation = open_implementation(f"python:{counter.__module__}:{counter.__name__}", in_process=True)
    cases = [
        case
        for case in applicable(suite.cases, profile)
        if case.operation == "usage" and requirement in case.requirements
    ]
    events = run(implementation, suite.as_suite(), cases, settings=Settings(profile=profile))
    return {event.result.verdict for event in events if isinstance(event, CaseFinished)}


@pytest.mark.parametrize(
    ("counter", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_counter_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, counter: type[QuotaCounter], requirement: str
) -> None:
    assert _verdicts(shipped_suite, QuotaCounter, requirement, "kep") == {Verdict.PASS}
    assert any(Verdict.FAIL in _verdicts(shipped_suite, counter, requirement, one) for one in PROFILES)

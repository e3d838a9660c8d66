"""The suite as judge of API servers: wrong ones fail in the requirement concerned."""

from __future__ import annotations

import pytest

from dra_conform.adapters import open_implementation
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.quality import wrong_strategies, wrong_updates_and_versions
from tests.quality.wrong_strategies import ApiServer

WRONG = wrong_strategies.WRONG | wrong_updates_and_versions.WRONG


def _verdicts(suite: LoadedSuite, server: type[ApiServer], requirement: str) -> list[Verdict]:
    implementation = open_implementation(f"python:{server.__module__}:{server.__name__}", in_process=True)
    cases = [
        case
        for case in applicable(suite.cases, "kep")
        if case.operation == "admit" and requirement in case.requirements
    ]
    events = run(implementation, suite.as_suite(), cases, settings=Settings())
    return [event.result.verdict for event in events if isinstance(event, CaseFinished)]


@pytest.mark.parametrize(
    ("server", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_strategy_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, server: type[ApiServer], requirement: str
) -> None:
    assert set(_verdicts(shipped_suite, ApiServer, requirement)) == {Verdict.PASS}
    assert set(_verdicts(shipped_suite, server, requirement)) - {Verdict.PASS} == {Verdict.FAIL}

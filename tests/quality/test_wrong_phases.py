"""The suite as judge of attempts: wrong ones fail in the requirement concerned."""

from __future__ import annotations

import pytest

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.quality.wrong_phases import WRONG, Phases, PhasesCluster


def _verdicts(suite: LoadedSuite, cluster: type[PhasesCluster], requirement: str) -> set[Verdict]:
    cases = [
        case
        for case in applicable(suite.cases, "kep")
        if case.operation == "schedule" and requirement in case.requirements
    ]
    made = type(cluster.__name__, (Phases,), {"made": cluster})
    implementation = InProcessImplementation(made, spec=cluster.__name__)
    events = run(implementation, suite.as_suite(), cases, settings=Settings())
    return {event.result.verdict for event in events if isinstance(event, CaseFinished)}


@pytest.mark.parametrize(
    ("cluster", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_attempt_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, cluster: type[PhasesCluster], requirement: str
) -> None:
    assert _verdicts(shipped_suite, PhasesCluster, requirement) == {Verdict.PASS}
    assert Verdict.FAIL in _verdicts(shipped_suite, cluster, requirement)

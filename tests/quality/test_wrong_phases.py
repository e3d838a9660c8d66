"""The suite as judge of attempts: wrong ones fail in the requirement concerned."""

from __future__ import annotations

import pytest

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.quality.wrong_phases import WRONG, Phases, PhasesCluster

PROFILES = ("kep", "kubernetes-1.37")
"""What the documents leave to schedulers, such as codes of refusals, only releases show."""


def _verdicts(suite: LoadedSuite, cluster: type[PhasesCluster], requirement: str) -> set[Verdict]:
    return {one for profile in PROFILES for one in _of_profile(suite, cluster, requirement, profile)}


def _of_profile(
    suite: LoadedSuite, cluster: type[PhasesCluster], requirement: str, profile: str
) -> set[Verdict]:
    cases = [
        case
        for case in applicable(suite.cases, profile)
        if case.operation == "schedule" and requirement in case.requirements
    ]
    made = type(cluster.__name__, (Phases,), {"made": cluster})
    implementation = InProcessImplementation(made, spec=cluster.__name__)
    events = run(implementation, suite.as_suite(), cases, settings=Settings(profile=profile))
    return {event.result.verdict for event in events if isinstance(event, CaseFinished)}


@pytest.mark.parametrize(
    ("cluster", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_attempt_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, cluster: type[PhasesCluster], requirement: str
) -> None:
    assert _verdicts(shipped_suite, PhasesCluster, requirement) == {Verdict.PASS}
    assert Verdict.FAIL in _verdicts(shipped_suite, cluster, requirement)

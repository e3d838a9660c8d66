"""The suite as judge of components: wrong ones fail in the requirement concerned."""

from __future__ import annotations

import pytest

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.quality import (
    wrong_controllers,
    wrong_eviction,
    wrong_extended_resources,
    wrong_kubelets,
    wrong_metrics,
    wrong_schedulers,
    wrong_special_claims,
)
from tests.quality.wrong_components import ComponentCluster

WRONG = {
    **wrong_extended_resources.WRONG,
    **wrong_schedulers.WRONG,
    **wrong_controllers.WRONG,
    **wrong_eviction.WRONG,
    **wrong_special_claims.WRONG,
    **wrong_kubelets.WRONG,
    **wrong_metrics.WRONG,
}


PROFILES = ("kep", "kubernetes-1.37")
"""What the documents leave to components, such as the events they tell, only releases show."""


def _verdicts(
    suite: LoadedSuite, cluster: type[ComponentCluster], requirement: str, profile: str
) -> set[Verdict]:
    cases = [
        case
        for case in applicable(suite.cases, profile)
        if case.operation == "cluster" and requirement in case.requirements
    ]
    implementation = InProcessImplementation(cluster, spec=cluster.__name__)
    events = run(implementation, suite.as_suite(), cases, settings=Settings(profile=profile))
    return {event.result.verdict for event in events if isinstance(event, CaseFinished)}


@pytest.mark.parametrize(
    ("cluster", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_component_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, cluster: type[ComponentCluster], requirement: str
) -> None:
    assert _verdicts(shipped_suite, ComponentCluster, requirement, "kep") == {Verdict.PASS}
    assert any(Verdict.FAIL in _verdicts(shipped_suite, cluster, requirement, one) for one in PROFILES)

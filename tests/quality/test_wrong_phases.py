"""Faulty scheduling attempts fail a case of the violated requirement."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.phases import WRONG, Phases, PhasesCluster
from tests.faulty.implementations.running import KEP_AND_RELEASE, verdicts


@pytest.mark.parametrize(
    ("cluster", "requirement"),
    WRONG.items(),
    ids=lambda cluster_class: getattr(cluster_class, "__name__", None),
)
def test_a_faulty_attempt_fails_the_violated_requirement(
    shipped_suite: LoadedSuite, cluster: type[PhasesCluster], requirement: str
) -> None:
    right, wrong = (
        type(cluster_class.__name__, (Phases,), {"made": cluster_class})
        for cluster_class in (PhasesCluster, cluster)
    )
    assert verdicts(shipped_suite, right, "schedule", requirement, KEP_AND_RELEASE) == {Verdict.PASS}
    assert Verdict.FAIL in verdicts(shipped_suite, wrong, "schedule", requirement, KEP_AND_RELEASE)

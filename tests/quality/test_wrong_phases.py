"""Faulty scheduling attempts fail a case of the violated requirement."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.faulty.implementations.phases import WRONG, Phases, PhasesCluster
from tests.faulty.implementations.running import fails, passes


@pytest.mark.parametrize(
    ("cluster", "requirement"),
    WRONG.items(),
    ids=lambda cluster_class: getattr(cluster_class, "__name__", None),
)
def test_a_faulty_attempt_fails_the_violated_requirement(
    shipped_suite: LoadedSuite, cluster: type[PhasesCluster], requirement: str
) -> None:
    assert passes(Phases, "schedule", requirement)
    faulty = type(cluster.__name__, (Phases,), {"made": cluster})
    assert fails(shipped_suite, faulty, "schedule", requirement)

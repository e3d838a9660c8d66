"""The suite as judge of attempts: wrong ones fail in the requirement concerned."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.phases import WRONG, Phases, PhasesCluster
from tests.faulty.implementations.putting import KEP_AND_RELEASE, verdicts


@pytest.mark.parametrize(
    ("cluster", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_attempt_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, cluster: type[PhasesCluster], requirement: str
) -> None:
    right, wrong = (type(one.__name__, (Phases,), {"made": one}) for one in (PhasesCluster, cluster))
    assert verdicts(shipped_suite, right, "schedule", requirement, KEP_AND_RELEASE) == {Verdict.PASS}
    assert Verdict.FAIL in verdicts(shipped_suite, wrong, "schedule", requirement, KEP_AND_RELEASE)

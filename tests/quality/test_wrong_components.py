"""The suite as judge of components: wrong ones fail in the requirement concerned."""

from __future__ import annotations

import pytest

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
from tests.quality.putting import KEP_AND_RELEASE, verdicts
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


@pytest.mark.parametrize(
    ("cluster", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_component_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, cluster: type[ComponentCluster], requirement: str
) -> None:
    assert verdicts(shipped_suite, ComponentCluster, "cluster", requirement, KEP_AND_RELEASE) == {
        Verdict.PASS
    }
    assert Verdict.FAIL in verdicts(shipped_suite, cluster, "cluster", requirement, KEP_AND_RELEASE)

"""Faulty components fail a case of the violated requirement."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.faulty.implementations import (
    controllers,
    eviction,
    extended_resource_claims,
    extended_resources,
    kubelets,
    metrics,
    schedulers,
)
from tests.faulty.implementations.components import ComponentCluster
from tests.faulty.implementations.running import fails, passes

WRONG = {
    **extended_resources.WRONG,
    **schedulers.WRONG,
    **controllers.WRONG,
    **eviction.WRONG,
    **extended_resource_claims.WRONG,
    **kubelets.WRONG,
    **metrics.WRONG,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cluster", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_faulty_component_fails_the_violated_requirement(
    shipped_suite: LoadedSuite, cluster: type[ComponentCluster], requirement: str
) -> None:
    assert passes(ComponentCluster, "cluster", requirement)
    assert fails(shipped_suite, cluster, "cluster", requirement)

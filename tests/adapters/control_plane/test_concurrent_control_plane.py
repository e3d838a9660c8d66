"""A control plane gives concurrent scenarios the same results as sequential ones."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.implementation import Reply, Suite
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.compared_observations import (
    UnsupportedScenario,
    compare_scenarios,
)
from dra_conform.fuzz.multi_step.sorts import scenarios_of
from dra_conform.fuzz.multi_step.step_difference import StepDifferenceKind
from tests.support.adapters.control_plane.planes import RELEASES, build, chosen

pytestmark = [pytest.mark.live, pytest.mark.slow]
COUNT = 10


def replies_of(
    version: str, profile: str, scenarios: list[ClusterScenario], side_by_side: int
) -> list[Reply]:
    plane = open_implementation(f"kube:{version}", side_by_side=side_by_side)
    requests = [
        one.request(number, profile, seed=1, deadline_ms=60_000) for number, one in enumerate(scenarios)
    ]
    try:
        plane.start(Suite("", "", ""))
        return sorted(plane.run(requests), key=lambda reply: reply.id)
    finally:
        plane.close()


@pytest.mark.parametrize("version", chosen(RELEASES)[-1:])
def test_concurrent_scenarios_give_the_same_results(version: str) -> None:
    build(version)
    profile = f"kubernetes-{version[1:].rpartition('.')[0]}"
    scenarios = list(scenarios_of("pods", range(100, 100 + COUNT), 7001, profile))
    with ThreadPoolExecutor(2) as planes:
        sequential, concurrent = planes.map(
            lambda count: replies_of(version, profile, scenarios, count), (1, COUNT)
        )
    for scenario, one, other in zip(scenarios, sequential, concurrent, strict=True):
        compared = compare_scenarios(scenario, (profile, profile), one, other)
        assert not isinstance(compared, UnsupportedScenario)
        assert [found for found in compared if found.kind is not StepDifferenceKind.CHOICE] == []

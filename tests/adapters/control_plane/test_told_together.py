"""A control plane that is told stories side by side says what it says when they are told one after the other."""

from __future__ import annotations

import pytest

from dra_conform.adapters import open_implementation
from dra_conform.conformance.implementation import Reply, Suite
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.comparison.compared_observations import (
    UnsupportedScenario,
    compare_scenarios,
)
from dra_conform.fuzz.multi_step.comparison.step_difference import StepDifferenceKind
from dra_conform.fuzz.multi_step.generation.sorts import scenarios_of
from tests.support.adapters.control_plane.planes import RELEASES, build, chosen

pytestmark = [pytest.mark.live, pytest.mark.slow]
COUNT = 10


def told(version: str, profile: str, stories: list[ClusterScenario], side_by_side: int) -> list[Reply]:
    plane = open_implementation(f"kube:{version}", side_by_side=side_by_side)
    asked = [one.request(number, profile, seed=1, deadline_ms=60_000) for number, one in enumerate(stories)]
    try:
        plane.start(Suite("", "", ""))
        return sorted(plane.run(asked), key=lambda reply: reply.id)
    finally:
        plane.close()


@pytest.mark.parametrize("version", chosen(RELEASES)[-1:])
def test_side_by_side_as_one_after_the_other(version: str) -> None:
    build(version)
    profile = f"kubernetes-{version[1:].rpartition('.')[0]}"
    stories = list(scenarios_of("pods", range(100, 100 + COUNT), 7001, profile))
    alone, beside = (told(version, profile, stories, count) for count in (1, COUNT))
    for story, one, other in zip(stories, alone, beside, strict=True):
        compared = compare_scenarios(story, (profile, profile), one, other)
        assert not isinstance(compared, UnsupportedScenario)
        assert [found for found in compared if found.kind is not StepDifferenceKind.CHOICE] == []

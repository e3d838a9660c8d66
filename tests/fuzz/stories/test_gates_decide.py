"""Gates decide what becomes of writes: else random stories could not find one that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from dra_conform.adapters import open_implementation
from dra_conform.adapters.faults import Limits
from dra_conform.conformance.implementation import Suite
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.comparison.compared_observations import (
    UnsupportedScenario,
    compare_scenarios,
)
from dra_conform.fuzz.multi_step.generation.gate_choices import switchable
from dra_conform.fuzz.multi_step.generation.sorts import scenarios_of
from dra_conform.kube.profile import Profile
from tests.support.fuzz.stories.tellers import PROFILE

OF_NO_WRITE = {"DRADeviceTaintRules", "DRASchedulerFilterTimeout"}
"""What they switch is in the scheduler and in the eviction controller."""
GATES = [gate for gate in switchable(Profile.named(PROFILE)) if gate not in OF_NO_WRITE]
AT_ONCE = 20


def differing(gate: str) -> Iterator[ClusterScenario]:
    """Of 500 stories those that end otherwise with the gate switched."""
    built_in = open_implementation("builtin", limits=Limits())
    built_in.start(Suite("gates", "1", "sha256:0"))
    for first in range(0, 500, AT_ONCE):
        stories = list(scenarios_of("writes", range(first, first + AT_ONCE), 1, PROFILE))
        switched = [replace(one, gates={**one.gates, gate: not _is_on(gate, one)}) for one in stories]
        both = [*stories, *switched]
        requests = [
            one.request(number, PROFILE, seed=0, deadline_ms=60_000) for number, one in enumerate(both)
        ]
        replies = sorted(built_in.run(requests), key=lambda reply: reply.id)
        for number, story in enumerate(stories):
            found = compare_scenarios(story, (PROFILE, PROFILE), replies[number], replies[number + AT_ONCE])
            if not isinstance(found, UnsupportedScenario) and next(found, None) is not None:
                yield story


def _is_on(gate: str, story: ClusterScenario) -> bool:
    return story.profile(PROFILE).enabled(gate)


@pytest.mark.parametrize("gate", GATES)
def test_a_story_in_500_ends_otherwise_with_a_gate_switched(gate: str) -> None:
    assert next(differing(gate), None) is not None

"""Each gate influences some random scenarios of writes, so that a campaign can find a wrong gate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from dra_conform.adapters.faults import Limits
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.implementation import Suite
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario, switchable
from dra_conform.fuzz.multi_step.compared_observations import (
    UnsupportedScenario,
    compare_scenarios,
)
from dra_conform.fuzz.multi_step.sorts import scenarios_of
from dra_conform.kube.profile import Profile
from tests.support.fuzz.multi_step.clusters import PROFILE

OF_NO_WRITE = {"DRADeviceTaintRules", "DRASchedulerFilterTimeout"}
"""Gates that only influence the scheduler or the eviction controller."""
GATES = [gate for gate in switchable(Profile.named(PROFILE)) if gate not in OF_NO_WRITE]
AT_ONCE = 20


def differing(gate: str) -> Iterator[ClusterScenario]:
    """Yield those of 500 scenarios that have different observations with the gate switched."""
    built_in = open_implementation("builtin", limits=Limits())
    built_in.start(Suite("gates", "1", "sha256:0"))
    for first in range(0, 500, AT_ONCE):
        scenarios = list(scenarios_of("writes", range(first, first + AT_ONCE), 1, PROFILE))
        switched = [
            replace(scenario, gates={**scenario.gates, gate: not _is_on(gate, scenario)})
            for scenario in scenarios
        ]
        both = [*scenarios, *switched]
        requests = [
            side.request(number, PROFILE, seed=0, deadline_ms=60_000) for number, side in enumerate(both)
        ]
        replies = sorted(built_in.run(requests), key=lambda reply: reply.id)
        for number, scenario in enumerate(scenarios):
            found = compare_scenarios(
                scenario, (PROFILE, PROFILE), replies[number], replies[number + AT_ONCE]
            )
            if not isinstance(found, UnsupportedScenario) and next(found, None) is not None:
                yield scenario


def _is_on(gate: str, scenario: ClusterScenario) -> bool:
    return scenario.profile(PROFILE).enabled(gate)


@pytest.mark.slow
@pytest.mark.parametrize("gate", GATES)
def test_every_gate_changes_a_scenario_in_500(gate: str) -> None:
    assert next(differing(gate), None) is not None

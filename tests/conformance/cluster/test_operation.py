"""The components that a scenario judges: those that decide the expected observations."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.kube.json_values import Json
from tests.support.conformance.cluster.scenarios import scenario_case

GIVEN = """\
Feature: T
  @case:one
  Scenario: One
    Given the device
      | device |
      | gpu-0  |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
"""
SETTLES = "When the cluster reaches a steady state"
WRITES = 'When a ResourceClaim "d" requesting 1 device is created'
READS = 'When ResourceSlice "pool-1-slice" is read'
OFF = 'When the feature gate "DRADeviceTaints" is turned off in'

SCENARIOS = {
    "an allocation": ((SETTLES, 'Then ResourceClaim "c" is allocated'), ["allocator", "scheduler"]),
    "the phase of a pod": ((SETTLES, 'Then pod "p" is Running'), ["allocator", "scheduler"]),
    "the outcome of a write": ((SETTLES, WRITES, "Then the object is stored"), ["admission"]),
    "both": (
        (WRITES, "Then the object is stored", SETTLES, 'Then pod "p" is Running'),
        ["allocator", "admission", "scheduler"],
    ),
    "a write without expectation": ((WRITES, SETTLES, 'Then pod "p" is Running'), ["allocator", "scheduler"]),
    "a write to an API server with its own gates": (
        (f"{OFF} the API server", WRITES, SETTLES, 'Then pod "p" is Running'),
        ["allocator", "admission", "scheduler"],
    ),
    "a write with a scheduler with its own gates": (
        (f"{OFF} the scheduler", WRITES, SETTLES, 'Then pod "p" is Running'),
        ["allocator", "scheduler"],
    ),
    "an API server with its own gates without a write": (
        (f"{OFF} the API server", SETTLES, 'Then pod "p" is Running'),
        ["allocator", "scheduler"],
    ),
    "a read after a write": ((WRITES, READS, 'Then the field "spec.driver" is set'), ["admission"]),
    "a read of an object of the setup": ((READS, 'Then the field "spec.driver" is set'), []),
    "an allocation that is read": (
        (
            SETTLES,
            'When ResourceClaim "c" is read',
            'Then the field "status.allocation.devices" is set',
        ),
        ["allocator", "scheduler"],
    ),
    "an object that is left as it was": (
        (SETTLES, 'Then the spec of ResourceSlice "pool-1-slice" is unchanged'),
        [],
    ),
}


SHIPPED = {
    "dra/claim-lifetime/template-spec-copied": {"claim-controller"},
    "dra/claim-lifetime/user-claim-outlives-pods": {"scheduler", "claim-controller"},
    "dra/eviction/disruption-target-condition": {"scheduler", "eviction-controller"},
    "kep-5004/class-selection/devices-of-class-allocated[1]": {"scheduler"},
    "kep-5004/quota/resource-removed-from-quota": {"quota-controller"},
    "kep-5963/create-strategy/gate-off-slice-read": set(),
}


@pytest.mark.parametrize("case", SHIPPED)
def test_scenarios_judge_schedulers_and_controllers(case: str, shipped_suite: LoadedSuite) -> None:
    [found] = [known for known in shipped_suite.cases if known.id == case]
    assert {*found.ask["judges"]} - {"allocator", "admission"} == SHIPPED[case]


@pytest.mark.parametrize("name", SCENARIOS)
def test_judged_components(name: str) -> None:
    said, parts = SCENARIOS[name]
    assert scenario_case(GIVEN + "".join(f"    {one}\n" for one in said)).ask["judges"] == parts


def test_expectations_of_deviations_count() -> None:
    said = (
        WRITES,
        SETTLES,
        'Then node "node-1" does not exist',
        'But since Kubernetes 1.36, because why: pod "p" is Running',
    )
    case = scenario_case(GIVEN + "".join(f"    {one}\n" for one in said))
    assert case.ask["judges"] == ["allocator", "admission", "scheduler"]


CREATES = [
    "dynamic_resource_allocation_resourceclaim_creates_total",
    "scheduler_resourceclaim_creates_total",
]


@pytest.mark.parametrize(
    ("case", "needed"),
    [
        ("dra/claim-lifetime/template-spec-copied", {}),
        ("kep-5004/metrics/two-creates-succeed", {"metrics": CREATES}),
        ("kep-5075/metrics/no-new-kind-of-request", {"requests": True}),
        ("kep-5075/scheduler-log/requested-capacities-logged", {"log": 7}),
    ],
)
def test_a_scenario_says_which_observations_of_components_it_needs(
    case: str, needed: dict[str, Json], shipped_suite: LoadedSuite
) -> None:
    [found] = [known for known in shipped_suite.cases if known.id == case]
    assert {name: found.ask[name] for name in ("metrics", "requests", "log") if name in found.ask} == needed

"""The objects and actions of a scenario, and invalid scenarios."""

from __future__ import annotations

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import profile_of
from dra_conform.kube.errors import InputError
from tests.support.conformance.cluster.scenarios import Json, scenario_case

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
END = """\
    When the cluster reaches a steady state
    Then pod "p" is Running
"""


def scenario_with(*steps: str) -> Case:
    """The scenario with these steps in the middle."""
    return scenario_case(GIVEN + "".join(f"    {step}\n" for step in steps) + END)


def actions(*steps: str) -> list[Json]:
    return list(scenario_with(*steps).ask["actions"])


def test_the_default_node_and_class_exist_if_steps_imply_them() -> None:
    case = scenario_with()
    assert [one["metadata"]["name"] for one in case.objects["nodes"]] == ["node-1"]
    assert [one["metadata"]["name"] for one in case.objects["deviceClasses"]] == ["any"]
    assert case.ask == {"actions": [{"do": "settle"}], "judges": ["allocator", "scheduler"]}


def test_a_single_write_is_admit_and_a_write_among_steps_is_cluster() -> None:
    alone = scenario_case(GIVEN + '    When ResourceClaim "c" is created\n    Then the object is stored\n')
    assert (alone.operation, scenario_with('When ResourceClaim "c" is created').operation) == (
        "admit",
        "cluster",
    )


def test_a_created_object_of_the_setup_does_not_exist_before() -> None:
    case = scenario_with('When ResourceClaim "c" is created with', "  | field | value |", "  | spec.x | 1 |")
    assert "resourceClaims" not in case.objects
    [create, _] = case.ask["actions"]
    assert (create["do"], create["object"]["metadata"]["name"], create["object"]["spec"]["x"]) == (
        "create",
        "c",
        1,
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("c", {"name": "c", "namespace": "default"}),
        ("other/c", {"name": "c", "namespace": "other"}),
        ("gpu of pod p", {"forPod": "default/p", "entry": "gpu"}),
        ("other/gpu of pod p", {"forPod": "other/p", "entry": "gpu"}),
        ("extended resources of pod p", {"specialOf": "default/p"}),
    ],
)
def test_references_to_claims(name: str, meant: dict[str, str]) -> None:
    [delete, _] = actions(f'When ResourceClaim "{name}" is deleted')
    assert delete == {"do": "delete", "of": {"kind": "ResourceClaim", **meant}}


def test_publishing_again_increases_the_generation() -> None:
    first, second, third, _ = actions(
        "When the driver publishes the device",
        "  | device |",
        "  | gpu-1  |",
        'When the driver updates the device "gpu-1" with',
        "  | field                    | value |",
        "  | allowMultipleAllocations | true  |",
        "When the driver publishes the device",
        "  | device | slice | pool   |",
        "  | gpu-2  | new   | pool-2 |",
    )
    assert (first["do"], first["object"]["spec"]["pool"]["generation"]) == ("update", 2)
    assert (second["do"], second["object"]["spec"]["pool"]["generation"]) == ("update", 3)
    assert second["object"]["spec"]["devices"] == [{"name": "gpu-1", "allowMultipleAllocations": True}]
    assert (third["do"], third["object"]["metadata"]["name"]) == ("create", "new")


def test_features_of_written_objects() -> None:
    case = scenario_with(
        "When the driver publishes the device",
        "  | device | allowMultipleAllocations |",
        "  | x      | yes    |",
    )
    assert case.features == {"consumable-capacity"}


BROKEN = {
    "a name that leads elsewhere": (
        ['When ResourceClaim "../../namespaces/kube-system" is deleted'],
        "may not be '.' or '..' or contain '/' or '%'",
    ),
    "a state before any": (
        ['When pod "p" is deleted', 'Then pod "p" is Running'],
        "needs a steady state, expected an earlier step",
    ),
    "a write where there is none": (
        ["When the cluster reaches a steady state", "Then the object is stored"],
        "checks a write, expected a When step",
    ),
    "a reading where there is none": (
        [
            "When the cluster reaches a steady state",
            "Then the object read has",
            "  | field | value |",
            "  | x | 1 |",
        ],
        "checks an object that was read, expected",
    ),
    "a list where there is none": (
        ['When ResourceSlice "pool-1-slice" is read', "Then the list has no ResourceSlice"],
        "checks a list, expected a When step that lists objects",
    ),
    "two slices at once": (
        ["When the driver publishes the devices", "  | device | slice |", "  | x | a |", "  | y | b |"],
        "publishes 2 ResourceSlices, expected one in each step",
    ),
    "an unknown device": (
        ['When the driver updates the device "no" with', "  | field | value |", "  | x | 1 |"],
        "device dra.example.com/pool-1/no is not published",
    ),
    "an unknown gate": (
        ['When the feature gate "No" is turned off'],
        "unknown feature gate 'No'",
    ),
    "an unknown release": (
        ["When the scheduler restarts with Kubernetes 1.7"],
        "unknown release '1.7'",
    ),
    "an object created twice": (
        ['When ResourceClaim "c" is created', 'When ResourceClaim "c" is created'],
        "is not in the setup or already created",
    ),
    "no time": (["When 0 seconds pass"], "0 seconds, expected at least one"),
    "a path that leads nowhere": (
        ['When ResourceClaim "c" is created with', "  | field | value |", "  | metadata.name.x | 1 |"],
        "does not exist at",
    ),
    "a question of another kind": (
        ["When the cluster reaches a steady state", 'When allocation of ResourceClaim "c" is attempted'],
        "belongs to another operation, expected a When step of operation cluster",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_invalid_scenarios(name: str) -> None:
    steps, message = BROKEN[name]
    with pytest.raises(InputError, match=message):
        scenario_with(*steps)


def test_components_need_operation_cluster() -> None:
    text = GIVEN.replace("    And a pod", "    And the scheduler runs Kubernetes 1.36\n    And a pod")
    with pytest.raises(InputError, match="configures components"):
        scenario_case(
            f'{text}    When allocation of ResourceClaim "c" is attempted\n    Then ResourceClaim "c" is allocated\n'
        )
    case = scenario_case(text + END)
    assert case.ask["components"] == {"scheduler": {"release": "1.36"}}


@pytest.mark.parametrize(
    ("steps", "missing"),
    [
        (['When the feature gate "DRADeviceCompatibilityGroups" is turned on'], True),
        (['When the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler'], True),
        (['When the feature gate "DRADeviceCompatibilityGroups" is turned off'], False),
        (['When the feature gate "DRAConsumableCapacity" is turned on'], False),
        (
            [
                "When the scheduler restarts with Kubernetes 1.38",
                'When the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler',
            ],
            False,
        ),
        (
            [
                "When the scheduler restarts with Kubernetes 1.38",
                "When the scheduler restarts with the release under test",
                'When the feature gate "DRADeviceCompatibilityGroups" is turned on in the scheduler',
            ],
            True,
        ),
    ],
)
def test_a_release_must_have_the_gates_that_steps_turn_on(steps: list[str], missing: bool) -> None:
    _, gate = profile_of(scenario_with(*steps), "kubernetes-1.36")
    assert gate == ("DRADeviceCompatibilityGroups" if missing else "")


def test_a_release_must_have_the_gates_of_the_setup() -> None:
    for given, gate in (
        ('the feature gate "DRADeviceCompatibilityGroups" is on', "DRADeviceCompatibilityGroups"),
        ('the feature gate "DRADeviceCompatibilityGroups" is off', ""),
        (
            'the feature gate "DRADeviceCompatibilityGroups" is on in the scheduler',
            "DRADeviceCompatibilityGroups",
        ),
    ):
        assert profile_of(scenario_case(GIVEN + f"    And {given}\n" + END), "kubernetes-1.36")[1] == gate

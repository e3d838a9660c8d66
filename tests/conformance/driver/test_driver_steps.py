"""The steps of drivers: the question that they make, its features, and their errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dra_conform.adapters.driver.driver_file import VARIANTS
from dra_conform.conformance.driver.operation import Driver
from dra_conform.kube.errors import InputError
from tests.support.conformance.suite.writing import case_of


def ask_of(*steps: str) -> dict[str, Any]:
    asked: dict[str, Any] = json.loads(json.dumps(case_of(*steps).ask))
    return asked


DRIVER_STEP = "Given a driver with 2 devices"
RUNS = "Then the driver is running"


def test_a_question_has_claims_and_actions() -> None:
    assert ask_of(
        DRIVER_STEP,
        'Given ResourceClaim "a" is allocated devices 1 and "x" of the driver with a valid configuration',
        'Given ResourceClaim "b" without an allocation',
        'When the kubelet prepares ResourceClaims "a, b" 2 times in parallel',
        RUNS,
        'When the kubelet unprepares ResourceClaim "a" through the older instance',
    ) == {
        "devices": 2,
        "needs": ["configuration"],
        "claims": [
            {"name": "a", "results": [{"device": 1}, {"device": "x"}], "configuration": "good"},
            {"name": "b"},
        ],
        "actions": [
            {"do": "prepare", "claims": ["a", "b"], "times": 2, "parallel": True},
            {"do": "unprepare", "claims": ["a"], "predecessor": True},
        ],
    }


def test_claims_have_namespaces_and_configuration_of_a_class() -> None:
    asked = ask_of(
        DRIVER_STEP,
        'Given ResourceClaim "other/c" is allocated device 1 of the driver with an invalid configuration'
        " of its DeviceClass and a valid configuration of its own",
        'When ResourceClaim "other/c" is deleted, and created again with device 2 of the driver',
        'And ResourceClaim "other/c" is deallocated, and allocated device 1 of the driver',
        'And the kubelet unprepares ResourceClaim "other/c" by the service v1beta1.DRAPlugin',
        "And the driver's state file is emptied",
        RUNS,
    )
    assert asked["needs"] == ["configuration", "state-file"]
    assert asked["claims"] == [
        {
            "name": "other/c",
            "results": [{"device": 1}],
            "configuration": "good",
            "class_configuration": "bad",
        },
    ]
    assert asked["actions"] == [
        {"do": "change-claim", "claim": "other/c", "to": "recreated", "device": 2},
        {"do": "change-claim", "claim": "other/c", "to": "reallocated", "device": 1},
        {"do": "unprepare", "claims": ["other/c"], "service": "v1beta1.DRAPlugin"},
        {"do": "corrupt-state", "to": "empty"},
    ]


def test_the_configuration_of_a_claim_can_be_for_one_request() -> None:
    asked = ask_of(
        DRIVER_STEP,
        'Given ResourceClaim "c" has the allocated devices and an invalid configuration of request "right"\n'
        "  | request   | device |\n"
        "  | right/any | 1      |",
        "When the driver is killed",
        RUNS,
    )
    assert asked["needs"] == ["configuration"]
    assert asked["claims"] == [
        {
            "name": "c",
            "results": [{"device": 1, "request": "right/any"}],
            "configuration": "bad",
            "configured_request": "right",
        },
    ]


def test_an_earlier_claim_is_unprepared_and_nothing_happens_for_a_while() -> None:
    actions = ask_of(
        DRIVER_STEP,
        'When the kubelet unprepares the earlier ResourceClaim "c"',
        'And the kubelet unprepares ResourceClaims "a, b" in parallel',
        "And nothing happens for 40 seconds",
        "And the kubelet watches the health of the devices for 40 seconds",
        "And the kubelet watches the health of the devices by the service v1alpha1.DRAResourceHealth",
        RUNS,
    )["actions"]
    assert actions == [
        {"do": "unprepare", "claims": ["c"], "earlier": True},
        {"do": "unprepare", "claims": ["a", "b"], "parallel": True},
        {"do": "rest", "seconds": 40},
        {"do": "watch-health", "long": True},
        {"do": "watch-health", "service": "v1alpha1.DRAResourceHealth"},
    ]


def test_a_stream_of_health_can_stay_open_and_a_device_be_edited() -> None:
    actions = ask_of(
        DRIVER_STEP,
        "When the kubelet watches the health of the devices until the driver ends",
        "And another client adds an attribute to a device of the driver",
        RUNS,
    )["actions"]
    assert actions == [{"do": "watch-health", "open": True}, {"do": "change-slices", "to": "attribute-added"}]


@pytest.mark.parametrize(
    ("step", "need"),
    [
        ("When a second instance of the driver is started", "rolling-update"),
        ("When the driver's state file is cut in half", "state-file"),
        ("When the kubelet watches the health of the devices", "health"),
        ("When the API server becomes unavailable", "api-server-outage"),
        ("When the driver is killed and started again without devices", "without-devices"),
        ("When the driver is killed and started again 2 times with fewer devices", "fewer-devices"),
        ("When the driver is terminated and started again with other compatibilityGroups", "other-groups"),
    ],
)
def test_an_action_implies_what_the_driver_must_offer(step: str, need: str) -> None:
    case = case_of(DRIVER_STEP, step, RUNS)
    assert list(case.ask["needs"]) == [need]
    assert case.features == {"driver-devices", f"driver-{need}"}


@pytest.mark.parametrize(
    ("steps", "features"),
    [
        (["Given a driver with 1 device that offers shares"], {"driver-shares", "consumable-capacity"}),
        (
            ["Given a driver with 3 devices that offers compatibility groups and metadata"],
            {
                "driver-compatibility-groups",
                "driver-metadata",
                "partitionable-devices",
                "compatibility-groups",
            },
        ),
        (
            [DRIVER_STEP, 'Given ResourceClaim "c" is allocated device 1 of the driver with admin access'],
            {"admin-access"},
        ),
        (
            [
                DRIVER_STEP,
                'Given ResourceClaim "c" has the allocated device',
                "| request | device |",
                "| r/s     | 1      |",
            ],
            {"prioritized-list"},
        ),
    ],
)
def test_needs_and_claims_have_features_of_the_api(steps: list[str], features: set[str]) -> None:
    assert case_of(*steps, "When the driver is started", RUNS).features == {"driver-devices", *features}


def test_a_blocked_cdi_folder_needs_drivers_that_write_to_it() -> None:
    blocked = case_of(DRIVER_STEP, "When the CDI folder cannot be written", RUNS).features
    assert blocked == {"driver-devices", "driver-cdi-folder", "driver-cdi-files"}
    assert case_of(DRIVER_STEP, "When the files in the CDI folder are lost", RUNS).features == {
        "driver-devices"
    }


def test_gates_that_the_question_turns_on() -> None:
    on = ask_of(
        DRIVER_STEP,
        'When the API server restarts with the feature gate "DRADeviceTaints" off',
        'When the API server restarts with the feature gate "DRAAdminAccess" on',
        RUNS,
    )
    assert Driver().gates_turned_on(on) == {"DRAAdminAccess"}
    status = ask_of(
        DRIVER_STEP,
        'Given ResourceClaim "c" has the allocated devices and a device status of driver "other"',
        "| request | device | driver |",
        "| r0      | 1      |        |",
        "| r1      | d      | other  |",
        "When the driver is started",
        RUNS,
    )
    assert Driver().gates_turned_on(status) == {"DRAResourceClaimDeviceStatus"}


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (
            [DRIVER_STEP, 'Given ResourceClaim "c" is allocated device 3 of the driver'],
            "device 3 does not exist, expected 1 to 2",
        ),
        (
            [DRIVER_STEP, *['Given ResourceClaim "c" is allocated device 1 of the driver'] * 2],
            "ResourceClaim 'c' is defined twice, expected it once",
        ),
        (
            [DRIVER_STEP, 'Given ResourceClaim "c" has the allocated device', "| size |", "| 1    |"],
            "unknown column 'size', expected request, device, pool, driver or share",
        ),
        (
            [DRIVER_STEP, 'Given ResourceClaim "c" has the allocated device', "| request |", "| r0      |"],
            "a row has no device, expected its number or name",
        ),
        (
            [DRIVER_STEP, 'When the API server restarts with the feature gate "Unknown" off'],
            "unknown feature gate 'Unknown', expected one of",
        ),
        (
            [
                DRIVER_STEP,
                'Given ResourceClaim "c" has the allocated devices and an invalid configuration of request "x"',
                "| device |",
                "| 1      |",
            ],
            "request 'x' has no allocated device, expected a request of the table",
        ),
        (["Given a driver with 1 device that offers wings"], "unknown Given step"),
        (
            [
                DRIVER_STEP,
                'When ResourceClaim "c" is deleted, and created again with device 3 of the driver',
            ],
            "device 3 does not exist, expected 1 to 2",
        ),
    ],
)
def test_errors_of_steps(steps: list[str], said: str) -> None:
    with pytest.raises(InputError) as raised:
        case_of(*steps, "When the driver is started", RUNS)
    assert said in str(raised.value)


def test_the_same_demand_twice_is_an_error() -> None:
    with pytest.raises(InputError, match="is a duplicate Then step, expected each Then step once"):
        case_of(DRIVER_STEP, "When the driver is started", RUNS, RUNS)


def test_variants_of_driver_files_are_needs() -> None:
    needs = [step for step in VARIANTS if step not in ("other-groups", "without-devices", "fewer-devices")]
    for need in needs:
        words = need.replace("-", " ")
        asked = ask_of(
            f"Given a driver with 1 device that offers {words}", "When the driver is started", RUNS
        )
        assert asked["needs"] == [need]

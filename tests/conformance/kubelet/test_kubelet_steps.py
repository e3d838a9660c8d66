"""The steps of kubelets: the objects and the question that they make, and their errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dra_conform.kube.errors import InputError
from tests.support.conformance.suite.writing import case_of

CLAIM = 'Given ResourceClaim "c" is already allocated\n      | device |\n      | gpu-0  |'
POD = 'Given a pod "p" that uses ResourceClaim "c"'
PREPARED = 'When the kubelet prepares pod "p"\n    Then pod "p" is prepared'


def claim_of(*steps: str) -> Any:
    (claim,) = case_of(*steps).objects["resourceClaims"]
    return claim


def killed_during(call: str, *before: str, end: str = "") -> tuple[str, ...]:
    """Return the steps of a case whose kubelet is killed during a call after the changes `before`."""
    killed = f'the kubelet is killed during a call to {call} pod "p", and started again{end}'
    setup = ('Given DRA driver "d" on the node', CLAIM, POD)
    return (*setup, *(f"When {step}" for step in (*before, killed)), "Then no driver is called")


def test_a_question_has_drivers_and_actions() -> None:
    asked = case_of(
        'Given DRA driver "d" on the node with the services "v1beta1.DRAPlugin"',
        'Given DRA driver "e" on the node, whose first 2 GetInfo calls fail',
        'Given DRA driver "f" on the node, whose first 3 GetInfo answers have only an unknown service',
        'Given DRA driver "g" on the node, whose registration socket is "a/b"',
        'Given DRA driver "h" on the node, whose GetInfo answer has an empty endpoint',
        'Given DRA driver "i" on the node, whose first 1 NotifyRegistrationStatus calls fail',
        CLAIM,
        POD,
        'When driver "d" now answers calls to prepare with an error for ResourceClaim "c"',
        'When the kubelet prepares pod "p" 3 times',
        'Then preparing pod "p" fails',
        'When driver "e" reports device "gpu-0" as Unhealthy with the message "hot" for 4 seconds',
        "When the kubelet runs for at most 75 seconds until it calls a driver",
        "Then no driver is called",
    ).ask
    assert json.loads(json.dumps(asked)) == {
        "drivers": [
            {"name": "d", "services": ["v1beta1.DRAPlugin"]},
            {"name": "e", "failures": 2},
            {"name": "f", "unknown": 3},
            {"name": "g", "socket": "a/b"},
            {"name": "h", "one_socket": True},
            {"name": "i", "failing_notifications": 1},
        ],
        "actions": [
            {"do": "set-answer", "driver": "d", "call": "prepare", "to": "claim-error", "claim": "c"},
            {"do": "prepare", "pods": ["p"], "times": 3},
            {
                "do": "report-health",
                "driver": "e",
                "devices": [
                    {"device": "gpu-0", "health": "Unhealthy", "message": "hot", "timeout": 4},
                ],
            },
            {"do": "wait", "seconds": 75, "until": "driver-called"},
        ],
    }


def test_an_allocated_claim_is_reserved_for_its_pods() -> None:
    case = case_of(CLAIM, POD, 'Given a pod "q" without ResourceClaims', PREPARED)
    (claim,) = case.objects["resourceClaims"]
    uids = {pod["metadata"]["name"]: pod["metadata"]["uid"] for pod in case.objects["pods"]}
    assert claim["status"]["reservedFor"] == [{"resource": "pods", "name": "p", "uid": uids["p"]}]


def test_a_claim_can_be_left_without_reservation() -> None:
    claim = claim_of(CLAIM, POD, 'Given ResourceClaim "c" is not reserved for pod "p"', PREPARED)
    assert "reservedFor" not in claim["status"]


def test_a_claim_can_be_reserved_for_an_earlier_pod_of_the_same_name() -> None:
    step = 'Given ResourceClaim "c" is reserved for an earlier pod with the name of pod "p"'
    case = case_of(CLAIM, POD, step, PREPARED)
    (claim,), (pod,) = case.objects["resourceClaims"], case.objects["pods"]
    (user,) = claim["status"]["reservedFor"]
    assert user["name"] == "p"
    assert user["uid"] != pod["metadata"]["uid"]


def test_an_extended_resource_claim_is_mapped_and_reserved() -> None:
    case = case_of(
        CLAIM,
        'Given a pod "p" that requests 1 of "example.com/gpu"',
        'Given ResourceClaim "c" is the extended-resource claim of pod "p"',
        'Given pod "p" has the requestMappings\n'
        "      | container | resource        | request |\n"
        "      | main      | example.com/gpu | r0      |",
        PREPARED,
    )
    (pod,) = case.objects["pods"]
    assert pod["status"]["extendedResourceClaimStatus"] == {
        "resourceClaimName": "c",
        "requestMappings": [
            {"containerName": "main", "resourceName": "example.com/gpu", "requestName": "r0"}
        ],
    }
    (claim,) = case.objects["resourceClaims"]
    assert [user["uid"] for user in claim["status"]["reservedFor"]] == [pod["metadata"]["uid"]]


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ((CLAIM, POD, 'When the kubelet prepares pod "q"', "Then no driver is called"), "pod 'q' is not in"),
        ((CLAIM, POD, 'When driver "d" is stopped', "Then no driver is called"), "DRA driver 'd' is not in"),
        (
            (
                'Given DRA driver "d" on the node',
                CLAIM,
                POD,
                'When driver "d" now answers calls to prepare with an error for ResourceClaim "e"',
                "Then no driver is called",
            ),
            "ResourceClaim 'e' is not in the setup",
        ),
        (('Given DRA driver "d" on the node',) * 2, "defined twice"),
        (
            (
                CLAIM,
                POD,
                'Given pod "p" has the requestMappings\n'
                "      | container | resource | request |\n"
                "      | main      | gpu      | r0      |",
            ),
            "pod 'p' has no extended-resource claim",
        ),
        ((CLAIM, POD, PREPARED, 'Then pod "p" is prepared'), "duplicate Then step"),
        (
            killed_during("prepare", 'driver "d" no longer answers calls to unprepare'),
            "all drivers answer calls to prepare, expected one that does not",
        ),
        (
            killed_during(
                "unprepare",
                'driver "d" no longer answers calls to unprepare',
                'driver "d" now answers calls to unprepare correctly',
            ),
            "all drivers answer calls to unprepare, expected one that does not",
        ),
    ],
)
def test_errors(steps: tuple[str, ...], problem: str) -> None:
    with pytest.raises(InputError) as raised:
        case_of(*steps, *(() if "When" in "".join(steps) else (PREPARED,)))
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    "socket", ["/etc/hosts", "../reg.sock", "a/../../reg.sock", "a/b/c/d", ".hidden", "a/"]
)
def test_a_registration_socket_is_within_the_registry_folder(socket: str) -> None:
    with pytest.raises(InputError, match=r"4: '.*' is not a registration socket, expected a name or folder"):
        case_of(f'Given DRA driver "d" on the node, whose registration socket is "{socket}"', PREPARED)


@pytest.mark.parametrize("name", ["/etc/hosts", "../d", "a/b", ""])
def test_the_name_of_a_driver_is_no_path(name: str) -> None:
    with pytest.raises(InputError, match=f"'{name}' is not a driver name, expected a DNS subdomain"):
        case_of(f'Given DRA driver "{name}" on the node', PREPARED)


@pytest.mark.parametrize(("end", "removed"), [("", {}), (" without the pod", {"removed": True})])
def test_a_kubelet_is_killed_during_a_call(end: str, removed: dict[str, bool]) -> None:
    case = case_of(*killed_during("prepare", 'driver "d" no longer answers calls to prepare', end=end))
    assert case.ask["actions"][1] == {
        "do": "restart-during-call",
        "pod": "p",
        "call": "prepare",
        **removed,
    }


def test_a_pod_loses_its_claim_statuses() -> None:
    lost = 'When the status of pod "p" loses its resourceClaimStatuses'
    assert case_of(CLAIM, POD, lost, "Then no driver is called").ask["actions"] == (
        {"do": "lose-claim-statuses", "pod": "p"},
    )


def test_the_second_instance_reports_health() -> None:
    report = 'When the second instance of driver "d" reports device "gpu-0" as Healthy'
    case = case_of('Given DRA driver "d" on the node', CLAIM, POD, report, "Then no driver is called")
    assert case.ask["actions"][0] == {
        "do": "report-health",
        "driver": "d",
        "devices": ({"device": "gpu-0", "health": "Healthy"},),
        "instance": 2,
    }


def reported(*rows: str) -> tuple[str, ...]:
    table = "".join(f"\n      | {row} |" for row in rows)
    setup = ('Given DRA driver "d" on the node', CLAIM, POD)
    return (*setup, f'When driver "d" reports devices in one message{table}', "Then no driver is called")


def test_one_message_has_several_devices() -> None:
    rows = ("device | health | timeout", "gpu-0 | Healthy | 4", "gpu-1 | Unknown | 0")
    assert case_of(*reported(*rows)).ask["actions"][0]["devices"] == (
        {"device": "gpu-0", "health": "Healthy", "timeout": 4},
        {"device": "gpu-1", "health": "Unknown"},
    )


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ((), "the table is missing, expected the columns device, health, timeout"),
        (("device | pool", "gpu-0 | a"), "the table has no column pool, expected the columns device, health"),
        (("device | health", "gpu-0 | Hot"), "Invalid enum value 'Hot'"),
        (("device | health | timeout", "gpu-0 | Healthy | soon"), "devices[0].timeout"),
        (("device", "gpu-0"), "devices[0]"),
    ],
)
def test_a_message_with_a_wrong_table_is_rejected(rows: tuple[str, ...], problem: str) -> None:
    with pytest.raises(InputError) as raised:
        case_of(*reported(*rows))
    assert problem in str(raised.value)

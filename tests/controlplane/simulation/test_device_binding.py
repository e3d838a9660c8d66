"""Pods wait for the binding conditions of their devices."""

from __future__ import annotations

from typing import Any

from tests.support.controlplane.simulation.stories import (
    CLASS,
    DRIVER,
    SETTLE,
    change,
    claim,
    devices_of,
    gates,
    node,
    nodes_of,
    pod,
    slice_on,
    told,
    users_of,
)

Json = Any
DEVICE = {"name": "d", "bindingConditions": ["ready"], "bindingFailureConditions": ["broken"]}
GIVEN = [node("n"), CLASS, slice_on("n", DEVICE), claim("c"), pod("p", "c")]


def report(condition: str) -> Json:
    """The driver reports a condition of the allocated device."""
    told_of = {
        "type": condition,
        "status": "True",
        "reason": "R",
        "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    device = {"driver": DRIVER, "pool": "pool-n", "device": "d", "conditions": [told_of]}
    reference = {"kind": "ResourceClaim", "name": "c"}
    return change(reference, {"status.devices": [device]}, subresource="status")


def test_the_pod_is_bound_when_its_device_is_ready() -> None:
    waiting, reported, ready = told(GIVEN, SETTLE, report("ready"), SETTLE)
    assert nodes_of(waiting) == {"p": None}
    assert waiting["attempts"][-1]["message"] == "waiting for binding conditions of devices"
    assert devices_of(waiting) == {"c": ["d"]}
    assert users_of(waiting, "c") == ["p"]
    assert reported["outcome"] == "admitted"
    assert nodes_of(ready) == {"p": "n"}


def test_a_device_that_failed_is_given_up_and_allocated_anew() -> None:
    found = told(GIVEN, SETTLE, report("broken"), SETTLE)[-1]
    assert [one["result"] for one in found["attempts"][:2]] == ["Error", "Unschedulable"]
    assert found["attempts"][0]["message"] == "device binding failed"
    assert found["attempts"][1]["message"] == "deallocation of ResourceClaim completed"
    assert nodes_of(found) == {"p": None}
    assert "devices" not in found["objects"]["resourceClaims"][0]["status"]


def test_the_scheduler_gives_up_after_ten_minutes() -> None:
    wait = [{"do": "advance", "seconds": 599}, SETTLE, {"do": "advance", "seconds": 1}, SETTLE]
    *_, still, _, over = told(GIVEN, SETTLE, *wait)
    assert [one["message"] for one in still["attempts"]] == ["waiting for binding conditions of devices"]
    assert over["attempts"][0]["message"] == "device binding timeout"


def test_a_scheduler_without_the_gate_does_not_wait() -> None:
    *_, found = told(GIVEN, SETTLE, gates("scheduler", DRADeviceBindingConditions=False), SETTLE)
    assert nodes_of(found) == {"p": "n"}

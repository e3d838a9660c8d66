"""Binding conditions: a pod is bound only after its devices are ready."""

from __future__ import annotations

from dra_conform.kube.json_values import Json
from tests.support.simulation.scenarios import (
    CLASS,
    DRIVER,
    SETTLE,
    change,
    claim,
    devices_of,
    gates,
    node,
    nodes_of,
    observations_of,
    pod,
    slice_on,
    users_of,
)

DEVICE = {"name": "d", "bindingConditions": ["ready"], "bindingFailureConditions": ["broken"]}
SETUP = [node("n"), CLASS, slice_on("n", DEVICE), claim("c"), pod("p", "c")]


def report(condition: str) -> Json:
    """Return an action in which the driver sets a condition of the allocated device."""
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
    waiting, reported, ready = observations_of(SETUP, SETTLE, report("ready"), SETTLE)
    assert nodes_of(waiting) == {"p": None}
    assert waiting["attempts"][-1]["message"] == "waiting for binding conditions of devices"
    assert devices_of(waiting) == {"c": ["d"]}
    assert users_of(waiting, "c") == ["p"]
    assert reported["outcome"] == "admitted"
    assert nodes_of(ready) == {"p": "n"}


def test_a_claim_with_a_failed_device_is_deallocated_and_allocated_again() -> None:
    observed = observations_of(SETUP, SETTLE, report("broken"), SETTLE)[-1]
    assert [one["result"] for one in observed["attempts"][:2]] == ["Error", "Unschedulable"]
    assert observed["attempts"][0]["message"] == "device binding failed"
    assert observed["attempts"][1]["message"] == "deallocation of ResourceClaim completed"
    assert nodes_of(observed) == {"p": None}
    assert "devices" not in observed["objects"]["resourceClaims"][0]["status"]


def test_binding_conditions_time_out_after_ten_minutes() -> None:
    wait = [{"do": "advance", "seconds": 599}, SETTLE, {"do": "advance", "seconds": 1}, SETTLE]
    *_, still, _, over = observations_of(SETUP, SETTLE, *wait)
    assert [one["message"] for one in still["attempts"]] == ["waiting for binding conditions of devices"]
    assert over["attempts"][0]["message"] == "device binding timeout"


def test_a_scheduler_without_the_gate_does_not_wait() -> None:
    *_, observed = observations_of(
        SETUP, SETTLE, gates("scheduler", DRADeviceBindingConditions=False), SETTLE
    )
    assert nodes_of(observed) == {"p": "n"}

"""The When steps of changes by others: ResourceClaims, ResourceSlices, CDI files, and the API server."""

from __future__ import annotations

from typing import Literal

from dra_conform.conformance.driver.actions import (
    Action,
    AwaitSlices,
    ChangeCDI,
    ChangeClaim,
    ChangeSlices,
    CorruptState,
    RestartAPIServer,
)
from dra_conform.conformance.steps.driver_claims import ChangeAPIServer
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Params, Step, StepError, action_of, when
from dra_conform.kube.gates import GATES


class GateChange(Params, frozen=True, kw_only=True):
    """The state of a feature gate of the API server."""

    gate: str
    enabled: bool


class ClaimChange(Params, frozen=True, kw_only=True):
    """The change of a ResourceClaim in the API server, as in the action `ChangeClaim`."""

    resource_claim: str
    to: str
    device: int = 0


class StateDamage(Params, frozen=True, kw_only=True):
    """The damage of the driver's state file, as in the action `CorruptState`."""

    to: Literal["half", "empty", "another-format"] = "half"


@when(
    'ResourceClaim "{claim}" is deleted from the API server',
    lambda match, _, __: {"resourceClaim": match["claim"], "to": "deleted"},
)
@when(
    'ResourceClaim "{claim}" is replaced by another of the same name',
    lambda match, _, __: {"resourceClaim": match["claim"], "to": "replaced"},
)
@when(
    'ResourceClaim "{claim}" is deleted, and created again with device {device} of the driver',
    lambda match, _, __: {
        "resourceClaim": match["claim"],
        "to": "recreated",
        "device": int(match["device"]),
    },
    device="[0-9]+",
)
@when(
    'ResourceClaim "{claim}" is deallocated, and allocated device {device} of the driver',
    lambda match, _, __: {
        "resourceClaim": match["claim"],
        "to": "reallocated",
        "device": int(match["device"]),
    },
    device="[0-9]+",
)
def change_claim(given: Given, params: ClaimChange) -> Action:
    with_device = params.to in ("recreated", "reallocated")
    if with_device != bool(params.device) or params.device > given.driver_devices:
        raise StepError(f"device {params.device} does not exist, expected 1 to {given.driver_devices}")
    members = {"claim": params.resource_claim, "to": params.to, "device": params.device}
    return action_of(ChangeClaim, "change-claim", members)


@when(
    'the API server restarts with the feature gate "{gate}" {state}',
    lambda match, _, __: {"gate": match["gate"], "enabled": match["state"] == "on"},
    state="on|off",
)
def restart_api_server(_: Given, params: GateChange) -> Action:
    if params.gate not in GATES:
        raise StepError(f"unknown feature gate {params.gate!r}, expected one of {', '.join(GATES)}")
    return RestartAPIServer(params.gate, params.enabled)


@when("the driver's state file is cut in half", {"to": "half"})
@when("the driver's state file is emptied", {"to": "empty"})
@when("the driver's state file is replaced by an empty JSON object", {"to": "another-format"})
def corrupt_state(_: Given, params: StateDamage) -> Action:
    return CorruptState(params.to)


@when("the files in the CDI folder are lost", "lost")
@when("the CDI folder cannot be written", "unwritable")
@when("the CDI folder can be written again", "writable")
def change_cdi_folder(_: Given, state: str) -> Action:
    return action_of(ChangeCDI, "change-cdi", {"to": state})


@when("another client deletes the ResourceSlices of the driver", "deleted")
@when("another client deletes the last ResourceSlice of the driver", "last-deleted")
@when("another client removes devices from a ResourceSlice of the driver", "edited")
@when("another client adds an attribute to a device of the driver", "attribute-added")
@when("another client adds a capacity to a device of the driver", "capacity-added")
@when("another client adds a device to the last ResourceSlice of the driver", "device-added")
@when("another client raises resourceSliceCount in a ResourceSlice of the driver", "count-raised")
@when("another client adds a ResourceSlice to the pool of the driver", "foreign-added")
@when("another client adds a ResourceSlice of a higher generation to the pool of the driver", "newer-added")
def change_resource_slices(_: Given, state: str) -> Action:
    return action_of(ChangeSlices, "change-slices", {"to": state})


@when("the kubelet waits until the driver has published its ResourceSlices", "devices")
@when("the kubelet waits until ResourceSlices of the driver have compatibilityGroups", "groups")
@when("the kubelet waits until no ResourceSlice of the driver has compatibilityGroups", "no-groups")
def await_resource_slices(_: Given, state: str) -> Action:
    return action_of(AwaitSlices, "await-slices", {"until": state})


@when("the API server becomes unavailable", "unavailable")
@when("the API server becomes available again", "available")
def change_api_server(_: Given, state: str) -> Action:
    return action_of(ChangeAPIServer, "change-api-server", {"to": state})


CHANGE_STEPS: tuple[Step, ...] = (
    change_claim,
    restart_api_server,
    corrupt_state,
    change_cdi_folder,
    change_resource_slices,
    await_resource_slices,
    change_api_server,
)
"""The steps of changes by others."""

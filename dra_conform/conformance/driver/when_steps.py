"""The When steps of drivers."""

from __future__ import annotations

import re
from typing import Any, Literal

from dra_conform.conformance.driver.actions import (
    Action,
    AwaitSlices,
    CallEmpty,
    ChangeAPIServer,
    ChangeCDI,
    ChangeClaim,
    ChangeSlices,
    CorruptState,
    Prepare,
    RebootNode,
    RefuseRegistration,
    Rest,
    RestartAPIServer,
    RestartDriver,
    RestartKubelet,
    StartDriver,
    StartSuccessor,
    StopDriver,
    Unprepare,
    WatchHealth,
)
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import (
    NoParams,
    Params,
    Step,
    StepError,
    Table,
    listed,
    when,
)
from dra_conform.kube.gates import GATES
from dra_conform.kube.json_values import CheckedJson


class PreparedClaims(Params, frozen=True, kw_only=True):
    """The ResourceClaims of prepare calls, and the number and kind of the calls."""

    resource_claims: tuple[str, ...]
    times: int = 1
    parallel: bool = False
    service: str = ""
    older_instance: bool = False


class UnpreparedClaims(Params, frozen=True, kw_only=True):
    """The ResourceClaims of unprepare calls, and the number of calls."""

    resource_claims: tuple[str, ...]
    times: int = 1
    service: str = ""
    older_instance: bool = False


class DriverEnd(Params, frozen=True, kw_only=True):
    """How the driver is ended, and how often it is started again."""

    signal: str = "KILL"
    times: int = 1
    variant: Literal["", "without-devices", "fewer-devices", "other-groups"] = ""


class DriverStop(Params, frozen=True, kw_only=True):
    """How the driver is ended."""

    signal: str = "TERM"
    older_instance: bool = False


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


def _calls(match: re.Match[str], _: Table, __: str) -> CheckedJson:
    params: dict[str, CheckedJson] = {"resourceClaims": listed(match["claims"])}
    if match["times"]:
        params["times"] = int(match["times"])
    if match.groupdict().get("service"):
        params["service"] = match["service"]
    if "in parallel" in match[0]:
        params["parallel"] = True
    if "the older instance" in match[0]:
        params["olderInstance"] = True
    return params


_VARIANTS = {
    "without devices": "without-devices",
    "with fewer devices": "fewer-devices",
    "with other compatibilityGroups": "other-groups",
}


_SIGNALS = {"killed": "KILL", "terminated": "TERM"}


def _restart(match: re.Match[str], _: Table, __: str) -> CheckedJson:
    variants = [variant for words, variant in _VARIANTS.items() if match[0].endswith(words)]
    params: dict[str, CheckedJson] = {"signal": _SIGNALS[match["how"]], "times": int(match["times"] or 1)}
    return {**params, **({"variant": variants[0]} if variants else {})}


def _stop(match: re.Match[str], _: Table, __: str) -> CheckedJson:
    return {"signal": _SIGNALS[match["how"]], "olderInstance": "older" in match[0]}


def _signal(text: str) -> Any:
    if text not in ("KILL", "TERM"):
        raise StepError(f"unknown signal {text!r}, expected KILL or TERM")
    return text


def _known(state: str, *known: str) -> Any:
    if state not in known:
        raise StepError(f"unknown state {state!r}, expected one of {', '.join(known)}")
    return state


@when(
    'the kubelet prepares ResourceClaim[s] "{claims}"[ {times} times][ in parallel]'
    "[ by the service {service}][ through the older instance]",
    _calls,
    times="[0-9]+",
    service=r"v1(?:beta1)?\.DRAPlugin",
)
def kubelet_prepares(_: Given, params: PreparedClaims) -> Action:
    return Prepare(
        params.resource_claims, params.times, params.parallel, params.service, params.older_instance
    )


@when(
    'the kubelet unprepares ResourceClaim[s] "{claims}"[ {times} times]'
    "[ by the service {service}][ through the older instance]",
    _calls,
    times="[0-9]+",
    service=r"v1(?:beta1)?\.DRAPlugin",
)
def kubelet_unprepares(_: Given, params: UnpreparedClaims) -> Action:
    return Unprepare(params.resource_claims, params.times, params.service, params.older_instance)


@when(
    "the driver is {how} and started again[ {times} times]"
    "[ without devices][ with fewer devices][ with other compatibilityGroups]",
    _restart,
    how="killed|terminated",
    times="[0-9]+",
)
def restart_driver(_: Given, params: DriverEnd) -> Action:
    return RestartDriver(_signal(params.signal), params.times, params.variant)


@when("the driver is {how}", _stop, how="killed|terminated")
@when("the older instance of the driver is {how}", _stop, how="killed|terminated")
def stop_driver(_: Given, params: DriverStop) -> Action:
    return StopDriver(_signal(params.signal), params.older_instance)


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
def change_claim(given: Given, params: ClaimChange) -> Action:
    recreated = params.to == "recreated"
    if recreated != bool(params.device) or params.device > given.driver_devices:
        raise StepError(f"device {params.device} does not exist, expected 1 to {given.driver_devices}")
    to = _known(params.to, "deleted", "replaced", "recreated")
    return ChangeClaim(params.resource_claim, to, params.device)


@when(
    'the API server restarts with the feature gate "{gate}" {state}',
    lambda match, _, __: {"gate": match["gate"], "enabled": match["state"] == "on"},
    state="on|off",
)
def restart_api_server(_: Given, params: GateChange) -> Action:
    if params.gate not in GATES:
        raise StepError(f"unknown feature gate {params.gate!r}, expected one of {', '.join(GATES)}")
    return RestartAPIServer(params.gate, params.enabled)


@when("the kubelet prepares no ResourceClaim by each service of the driver")
def call_empty(_: Given, __: NoParams) -> Action:
    return CallEmpty()


@when("the driver is started")
def start_driver(_: Given, __: NoParams) -> Action:
    return StartDriver()


@when("a second instance of the driver is started")
def start_second_instance(_: Given, __: NoParams) -> Action:
    return StartSuccessor()


@when("the node is rebooted")
def reboot_node(_: Given, __: NoParams) -> Action:
    return RebootNode()


@when("the kubelet is restarted")
def restart_kubelet(_: Given, __: NoParams) -> Action:
    return RestartKubelet()


@when("the kubelet rejects the registration of the driver and accepts it a second later")
def reject_registration(_: Given, __: NoParams) -> Action:
    return RefuseRegistration()


@when("the driver's state file is cut in half", {"to": "half"})
@when("the driver's state file is emptied", {"to": "empty"})
@when("the driver's state file is replaced by an empty JSON object", {"to": "another-format"})
def corrupt_state(_: Given, params: StateDamage) -> Action:
    return CorruptState(params.to)


@when("nothing happens for 5 seconds")
def rest(_: Given, __: NoParams) -> Action:
    return Rest()


@when("the kubelet watches the health of the devices")
def watch_health(_: Given, __: NoParams) -> Action:
    return WatchHealth()


@when("the files in the CDI folder are lost", "lost")
@when("the CDI folder cannot be written", "unwritable")
@when("the CDI folder can be written again", "writable")
def change_cdi_folder(_: Given, state: str) -> Action:
    return ChangeCDI(_known(state, "lost", "unwritable", "writable"))


@when("another client deletes the ResourceSlices of the driver", "deleted")
@when("another client removes devices from a ResourceSlice of the driver", "edited")
@when("another client adds a ResourceSlice to the pool of the driver", "foreign-added")
def change_resource_slices(_: Given, state: str) -> Action:
    return ChangeSlices(_known(state, "deleted", "edited", "foreign-added"))


@when("the kubelet waits until the driver has published its ResourceSlices", "devices")
@when("the kubelet waits until ResourceSlices of the driver have compatibilityGroups", "groups")
@when("the kubelet waits until no ResourceSlice of the driver has compatibilityGroups", "no-groups")
def await_resource_slices(_: Given, state: str) -> Action:
    return AwaitSlices(_known(state, "devices", "groups", "no-groups"))


@when("the API server becomes unavailable", "unavailable")
@when("the API server becomes available again", "available")
def change_api_server(_: Given, state: str) -> Action:
    return ChangeAPIServer(_known(state, "unavailable", "available"))


WHEN_STEPS: tuple[Step, ...] = (
    kubelet_prepares,
    kubelet_unprepares,
    restart_driver,
    stop_driver,
    change_claim,
    restart_api_server,
    call_empty,
    start_driver,
    start_second_instance,
    reboot_node,
    restart_kubelet,
    reject_registration,
    corrupt_state,
    rest,
    watch_health,
    change_cdi_folder,
    change_resource_slices,
    await_resource_slices,
    change_api_server,
)
"""The When steps."""

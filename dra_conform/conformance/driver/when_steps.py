"""The When steps of drivers: calls of the kubelet, and the processes of driver and node."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from dra_conform.conformance.driver.actions import (
    Action,
    CallEmpty,
    Prepare,
    RebootNode,
    RefuseRegistration,
    Rest,
    RestartDriver,
    StartDriver,
    StartSuccessor,
    StopDriver,
    Unprepare,
    WatchHealth,
)
from dra_conform.conformance.driver.change_steps import CHANGE_STEPS
from dra_conform.conformance.steps.driver_claims import RestartKubelet
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import (
    NoParams,
    Params,
    Step,
    Table,
    action_of,
    listed,
    when,
)
from dra_conform.kube.json_values import Json


class PrepareCalls(Params, frozen=True, kw_only=True):
    """The ResourceClaims of prepare calls, and the number and kind of the calls."""

    resource_claims: tuple[str, ...]
    times: int = 1
    parallel: bool = False
    service: str = ""
    older_instance: bool = False


class UnprepareCalls(Params, frozen=True, kw_only=True):
    """The ResourceClaims of unprepare calls, and the number and kind of the calls."""

    resource_claims: tuple[str, ...]
    times: int = 1
    service: str = ""
    older_instance: bool = False
    parallel: bool = False
    earlier: bool = False


class DriverEnd(Params, frozen=True, kw_only=True):
    """How the driver is ended, and how often it is started again."""

    signal: str = "KILL"
    times: int = 1
    variant: Literal["", "without-devices", "fewer-devices", "other-groups"] = ""


class DriverStop(Params, frozen=True, kw_only=True):
    """How the driver is ended."""

    signal: str = "TERM"
    older_instance: bool = False


class HealthStream(Params, frozen=True, kw_only=True):
    """Whether the stream of health reports stays open until the driver ends it, or for forty seconds, and its
    service.
    """

    open: bool = False
    long: bool = False
    service: Literal["", "v1alpha1.DRAResourceHealth"] = ""


class Pause(Params, frozen=True, kw_only=True):
    """How long nothing happens."""

    seconds: int


def _calls(match: re.Match[str], _: Table, __: str) -> Json:
    params: dict[str, Json] = {"resourceClaims": listed(match["claims"])}
    if match["times"]:
        params["times"] = int(match["times"])
    if match.groupdict().get("service"):
        params["service"] = match["service"]
    if "in parallel" in match[0]:
        params["parallel"] = True
    if "the older instance" in match[0]:
        params["olderInstance"] = True
    if "the earlier ResourceClaim" in match[0]:
        params["earlier"] = True
    return params


_VARIANTS = {
    "without devices": "without-devices",
    "with fewer devices": "fewer-devices",
    "with other compatibilityGroups": "other-groups",
}


_SIGNALS = {"killed": "KILL", "terminated": "TERM"}


def _restart(match: re.Match[str], _: Table, __: str) -> Json:
    variants = [variant for words, variant in _VARIANTS.items() if match[0].endswith(words)]
    params: dict[str, Json] = {"signal": _SIGNALS[match["how"]], "times": int(match["times"] or 1)}
    return {**params, **({"variant": variants[0]} if variants else {})}


def _stop(match: re.Match[str], _: Table, __: str) -> Json:
    return {"signal": _SIGNALS[match["how"]], "olderInstance": "older" in match[0]}


@when(
    'the kubelet prepares ResourceClaim[s] "{claims}"[ {times} times][ in parallel]'
    "[ by the service {service}][ through the older instance]",
    _calls,
    times="[0-9]+",
    service=r"v1(?:beta1)?\.DRAPlugin",
)
def kubelet_prepares(_: Given, params: PrepareCalls) -> Action:
    return Prepare(
        params.resource_claims, params.times, params.parallel, params.service, params.older_instance
    )


@when(
    'the kubelet unprepares[ the earlier] ResourceClaim[s] "{claims}"[ {times} times][ in parallel]'
    "[ by the service {service}][ through the older instance]",
    _calls,
    times="[0-9]+",
    service=r"v1(?:beta1)?\.DRAPlugin",
)
def kubelet_unprepares(_: Given, params: UnprepareCalls) -> Action:
    return Unprepare(
        params.resource_claims,
        params.times,
        params.service,
        params.older_instance,
        params.parallel,
        params.earlier,
    )


@when(
    "the driver is {how} and started again[ {times} times]"
    "[ without devices][ with fewer devices][ with other compatibilityGroups]",
    _restart,
    how="killed|terminated",
    times="[0-9]+",
)
def restart_driver(_: Given, params: DriverEnd) -> Action:
    return action_of(RestartDriver, "restart-driver", msgspec.structs.asdict(params))


@when("the driver is {how}", _stop, how="killed|terminated")
@when("the older instance of the driver is {how}", _stop, how="killed|terminated")
def stop_driver(_: Given, params: DriverStop) -> Action:
    members = {"signal": params.signal, "predecessor": params.older_instance}
    return action_of(StopDriver, "stop-driver", members)


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


@when(
    "nothing happens for {seconds} seconds",
    lambda match, _, __: {"seconds": int(match["seconds"])},
    seconds="5|40",
)
def rest(_: Given, params: Pause) -> Action:
    return Rest(params.seconds)


@when("the kubelet watches the health of the devices", {})
@when("the kubelet watches the health of the devices until the driver ends", {"open": True})
@when("the kubelet watches the health of the devices for 40 seconds", {"long": True})
@when(
    "the kubelet watches the health of the devices by the service v1alpha1.DRAResourceHealth",
    {"service": "v1alpha1.DRAResourceHealth"},
)
def watch_health(_: Given, params: HealthStream) -> Action:
    return WatchHealth(params.open, params.long, params.service)


WHEN_STEPS: tuple[Step, ...] = (
    kubelet_prepares,
    kubelet_unprepares,
    restart_driver,
    stop_driver,
    call_empty,
    start_driver,
    start_second_instance,
    reboot_node,
    restart_kubelet,
    reject_registration,
    rest,
    watch_health,
    *CHANGE_STEPS,
)
"""The When steps."""

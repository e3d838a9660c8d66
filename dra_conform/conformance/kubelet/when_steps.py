"""The When steps of kubelets."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from dra_conform.conformance.kubelet.actions import (
    Action,
    ChangeClaimOfPod,
    ChangeDriver,
    EndPod,
    LoseClaimStatuses,
    PreparePods,
    RestartDuringCall,
    SetAnswer,
    UnpreparePods,
    Wait,
)
from dra_conform.conformance.kubelet.health_steps import HEALTH_STEPS
from dra_conform.conformance.steps.driver_claims import ChangeAPIServer, RestartKubelet
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import NoParams, Params, Read, Step, Table, action_of, listed, when
from dra_conform.kube.json_values import Json

_A = TypeVar("_A")


class PodsOfCall(Params, frozen=True, kw_only=True):
    """The pods that the kubelet prepares or unprepares, and how often."""

    pods: tuple[str, ...]
    times: int = 1


class CallOfPod(Params, frozen=True, kw_only=True):
    """A call for a pod during which the kubelet is killed, and whether the pod is gone when it starts."""

    pod: str
    call: str
    removed: bool = False


class DriverChange(Params, frozen=True, kw_only=True):
    """An instance of a driver that starts, stops or crashes."""

    driver: str
    to: str
    instance: int = 1
    shares_endpoint: bool = False
    services: tuple[str, ...] = ()


class DriverAnswers(Params, frozen=True, kw_only=True):
    """The answers of a driver to later calls, as in the action `SetAnswer`."""

    driver: str
    call: str
    to: str
    resource_claim: str = ""


class PodClaimChange(Params, frozen=True, kw_only=True):
    """The change of a ResourceClaim in the API server: `deleted` or `replaced`."""

    resource_claim: str
    to: str


class TimePasses(Params, frozen=True, kw_only=True):
    """The seconds that pass, or an earlier event that ends the wait."""

    seconds: int
    until: str = ""


def _pods(match: re.Match[str], _: Table, __: str) -> Json:
    times = {"times": int(match["times"])} if match["times"] else {}
    return {"pods": listed(match["pods"]), **times}


def _of_claim(to: str) -> Read:
    return lambda match, _, __: {
        "driver": match["driver"],
        "call": match["call"],
        "to": to,
        "resourceClaim": match["claim"],
    }


def _to(to: str) -> Read:
    return lambda match, _, __: {"driver": match["driver"], "call": "prepare", "to": to}


def _action(tag: str, kind: type[_A], params: Params) -> _A:
    """Return the action of a When step whose parameters are those of the action; raises StepError."""
    values = {
        {"resource_claim": "claim"}.get(name, name): value
        for name, value in msgspec.structs.asdict(params).items()
    }
    return action_of(kind, tag, values)


def instance_of(match: re.Match[str]) -> Json:
    """Return the number of the instance of a driver that a step names, by default the first."""
    return {"first": 1, "second": 2, "third": 3}[match.groupdict().get("which") or "first"]


def _change(to: str, **more: Json) -> Callable[[re.Match[str], Table, str], Json]:
    def read(match: re.Match[str], _: Table, __: str) -> Json:
        services = match.groupdict().get("services")
        named = {"services": listed(services)} if services else {}
        return {"driver": match["driver"], "to": to, "instance": instance_of(match), **named, **more}

    return read


def _seconds(until: str) -> Callable[[re.Match[str], Table, str], Json]:
    return lambda match, _, __: {"seconds": int(match["seconds"]), "until": until}


_CALLS = "prepare|unprepare"


@when('the kubelet prepares pod[s] "{pods}"[ {times} times]', _pods, times="[0-9]+")
def kubelet_prepares_pods(_: Given, params: PodsOfCall) -> Action:
    return PreparePods(params.pods, params.times)


@when('the kubelet unprepares pod[s] "{pods}"[ {times} times]', _pods, times="[0-9]+")
def kubelet_unprepares_pods(_: Given, params: PodsOfCall) -> Action:
    return UnpreparePods(params.pods, params.times)


@when("the kubelet is killed and started again")
def kubelet_restarts(_: Given, __: NoParams) -> Action:
    return RestartKubelet()


_KILLED = 'the kubelet is killed during a call to {call} pod "{pod}", and started again'


@when(_KILLED, {}, call=_CALLS)
@when(f"{_KILLED} without the pod", {"removed": True}, call=_CALLS)
def kubelet_restarts_during_call(_: Given, params: CallOfPod) -> Action:
    return _action("restart-during-call", RestartDuringCall, params)


@when('the kubelet no longer has pod "{pod}"')
def pod_ends(_: Given, pod: str) -> Action:
    return EndPod(pod)


@when('the status of pod "{pod}" loses its resourceClaimStatuses')
def pod_loses_claim_statuses(_: Given, pod: str) -> Action:
    return LoseClaimStatuses(pod)


@when('driver "{driver}" is stopped', _change("stopped"))
@when('driver "{driver}" is started', _change("started"))
@when('driver "{driver}" is started with a new socket for the service[s] "{services}"', _change("started"))
@when('the {which} instance of driver "{driver}" is stopped', _change("stopped"), which="first|second|third")
@when('the {which} instance of driver "{driver}" is started', _change("started"), which="second|third")
@when(
    'the {which} instance of driver "{driver}" is started with the service[s] "{services}"',
    _change("started"),
    which="second|third",
)
@when('the {which} instance of driver "{driver}" crashes', _change("crashed"), which="first|second|third")
@when(
    'the {which} instance of driver "{driver}" serves again', _change("serving"), which="first|second|third"
)
@when('driver "{driver}" removes its registration socket', _change("deregistered"))
@when(
    'the {which} instance of driver "{driver}" is started with the endpoint of the first',
    _change("started", sharesEndpoint=True),
    which="second|third",
)
def driver_changes(_: Given, params: DriverChange) -> Action:
    return _action("change-driver", ChangeDriver, params)


@when('driver "{driver}" now answers calls to {call} correctly', {"to": "valid"}, call=_CALLS)
@when(
    'driver "{driver}" now answers calls to {call} with an error for ResourceClaim "{claim}"',
    _of_claim("claim-error"),
    call=_CALLS,
)
@when(
    'driver "{driver}" now answers calls to {call} with a gRPC error',
    {"to": "call-error"},
    call=_CALLS,
)
@when(
    'driver "{driver}" now answers calls to {call} with the error UNIMPLEMENTED',
    {"to": "unimplemented"},
    call=_CALLS,
)
@when(
    'driver "{driver}" now answers calls to {call} without an entry for ResourceClaim "{claim}"',
    _of_claim("left-out"),
    call=_CALLS,
)
@when(
    'driver "{driver}" now answers calls to {call} with an entry for an unknown ResourceClaim',
    {"to": "unknown-entry"},
    call=_CALLS,
)
@when(
    'driver "{driver}" now answers calls to {call} with an entry for an unknown ResourceClaim'
    ' instead of ResourceClaim "{claim}"',
    _of_claim("unknown-entry"),
    call=_CALLS,
)
@when(
    'driver "{driver}" now answers calls to prepare with devices that name no request',
    _to("without-requests"),
)
@when(
    'driver "{driver}" now answers calls to prepare with devices that name all requests', _to("all-requests")
)
@when(
    'driver "{driver}" now answers calls to prepare with two CDI names for each device', _to("two-cdi-names")
)
@when('driver "{driver}" now answers calls to prepare with no CDI names', _to("no-cdi-names"))
@when(
    'driver "{driver}" now answers calls to prepare with one device of each ResourceClaim', _to("one-device")
)
@when(
    'driver "{driver}" now answers calls to {call} with an error and devices for ResourceClaim "{claim}"',
    _of_claim("claim-error-with-devices"),
    call="prepare",
)
@when(
    'driver "{driver}" now answers calls to {call} with a further entry for ResourceClaim "{claim}"',
    _of_claim("further-entry"),
    call=_CALLS,
)
@when('driver "{driver}" now answers calls to prepare after 30 seconds', _to("late"))
@when('driver "{driver}" no longer answers calls to {call}', {"to": "hang"}, call=_CALLS)
def driver_answers(_: Given, params: DriverAnswers) -> Action:
    return _action("set-answer", SetAnswer, params)


@when(
    'ResourceClaim "{claim}" is deleted while the kubelet knows it',
    lambda match, _, __: {"resourceClaim": match["claim"], "to": "deleted"},
)
@when(
    'ResourceClaim "{claim}" is replaced while the kubelet knows it',
    lambda match, _, __: {"resourceClaim": match["claim"], "to": "replaced"},
)
def claim_of_pod_changes(_: Given, params: PodClaimChange) -> Action:
    return _action("change-claim", ChangeClaimOfPod, params)


@when("the kubelet loses the API server", "unavailable")
@when("the kubelet reaches the API server again", "available")
def api_server_of_kubelet(_: Given, to: str) -> Action:
    return action_of(ChangeAPIServer, "change-api-server", {"to": to})


@when("the kubelet runs for {seconds} second[s]", _seconds(""), seconds="[0-9]+")
@when(
    "the kubelet runs for at most {seconds} seconds until it calls a driver",
    _seconds("driver-called"),
    seconds="[0-9]+",
)
@when(
    "the kubelet runs for at most {seconds} seconds until a ResourceSlice is deleted",
    _seconds("slices-deleted"),
    seconds="[0-9]+",
)
def time_passes(_: Given, params: TimePasses) -> Action:
    return _action("wait", Wait, params)


WHEN_STEPS: tuple[Step, ...] = (
    kubelet_prepares_pods,
    kubelet_unprepares_pods,
    kubelet_restarts,
    kubelet_restarts_during_call,
    pod_ends,
    pod_loses_claim_statuses,
    driver_changes,
    driver_answers,
    *HEALTH_STEPS,
    claim_of_pod_changes,
    api_server_of_kubelet,
    time_passes,
)

"""The When and Then steps of kubelets, and the question that they form together with the setup."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from dra_conform.conformance.case import Objects
from dra_conform.conformance.checked_observations import CheckedStepBuilder
from dra_conform.conformance.features import features_of
from dra_conform.conformance.kubelet import checks
from dra_conform.conformance.kubelet.actions import (
    Action,
    ChangeAPIServer,
    ChangeClaim,
    ChangeDriver,
    EndPod,
    Prepare,
    Question,
    ReportHealth,
    RestartKubelet,
    SetAnswer,
    Unprepare,
    Wait,
)
from dra_conform.conformance.steps.given import NAMESPACE, Given, collected
from dra_conform.conformance.steps.step import (
    NoParams,
    Params,
    Read,
    Step,
    StepError,
    Table,
    listed,
    then,
    when,
)
from dra_conform.kube.versions import to_v1

Json = Any

_A = TypeVar("_A")

_UIDS = uuid.UUID("7c0c9f5e-2f0a-4a52-9b0d-5f0d4b1d1d37")


def convert(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return an object in v1."""
    return to_v1(dict(raw))


def build_question(given: Given, actions: Sequence[Action]) -> tuple[Objects, Mapping[str, Json]]:
    """Return all objects with UIDs and reservations, and the question; raises StepError."""
    named = given.objects_by_collection()
    objects = [raw for items in named.values() for raw in items]
    for raw in objects:
        metadata = raw["metadata"]
        if raw["kind"] in ("Pod", "ResourceClaim"):
            metadata.setdefault("namespace", NAMESPACE)
        key = f"{raw['kind']}/{metadata.get('namespace', '')}/{metadata['name']}"
        metadata.setdefault("uid", str(uuid.uuid5(_UIDS, key)))
    _reserve(given, objects)
    _require_names(given, actions, objects)
    question = Question(tuple(actions), tuple(given.node_drivers))
    encoded: dict[str, Json] = msgspec.to_builtins(question)
    return collected(objects), encoded


def _reserve(given: Given, objects: Sequence[Json]) -> None:
    """Reserve each allocated ResourceClaim for the pods that use it."""
    claims = {_key(raw): raw for raw in objects if raw["kind"] == "ResourceClaim"}
    for pod in objects:
        for key in _claims_of(pod) if pod["kind"] == "Pod" else ():
            claim = claims.get(key)
            if claim and "status" in claim and (key, _key(pod)) not in given.not_reserved:
                metadata = pod["metadata"]
                user = {"resource": "pods", "name": metadata["name"], "uid": metadata["uid"]}
                claim["status"].setdefault("reservedFor", []).append(user)


def _claims_of(pod: Json) -> Iterator[str]:
    """Yield the keys of the ResourceClaims that a pod uses."""
    namespace = pod["metadata"]["namespace"]
    for entry in pod["spec"].get("resourceClaims", ()):
        yield f"{namespace}/{entry.get('resourceClaimName')}"
    extended = pod.get("status", {}).get("extendedResourceClaimStatus")
    if extended:
        yield f"{namespace}/{extended['resourceClaimName']}"


def _require_names(given: Given, actions: Sequence[Action], objects: Sequence[Json]) -> None:
    """Raise StepError for an action that names a pod or a driver that is not in the setup."""
    pods = {raw["metadata"]["name"] for raw in objects if raw["kind"] == "Pod"}
    drivers = {driver.name for driver in given.node_drivers}
    for action in actions:
        named = msgspec.structs.asdict(action)
        unknown_pods = {*named.get("pods", ()), *([named["pod"]] if "pod" in named else ())} - pods
        if unknown_pods:
            raise StepError(f"pod {min(unknown_pods)!r} is not in the setup")
        if "driver" in named and named["driver"] not in drivers:
            raise StepError(f"DRA driver {named['driver']!r} is not in the setup")


def _key(raw: Json) -> str:
    return f"{raw['metadata']['namespace']}/{raw['metadata']['name']}"


def features(objects: Objects, _: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of the objects."""
    return features_of(objects)


def question_in_words(ask: Mapping[str, Json]) -> str:
    """Return the actions in one line."""
    return "kubelet: " + ", ".join(
        " ".join((action["do"], *action.get("pods", ()))) for action in ask["actions"]
    )


class PodsOfCall(Params, frozen=True, kw_only=True):
    """The pods that the kubelet prepares or unprepares, and how often."""

    pods: tuple[str, ...]
    times: int = 1


class DriverChange(Params, frozen=True, kw_only=True):
    """An instance of a driver that starts, stops or crashes."""

    driver: str
    to: str
    instance: int = 1
    shares_endpoint: bool = False


class DriverAnswers(Params, frozen=True, kw_only=True):
    """The answers of a driver to later calls, as in the action `SetAnswer`."""

    driver: str
    call: str
    to: str
    resource_claim: str = ""


class HealthReported(Params, frozen=True, kw_only=True):
    """The health of a device that a driver reports once, as in the action `ReportHealth`."""

    driver: str
    device: str
    health: str
    message: str = ""
    timeout: int = 0
    pool: str = ""


class ClaimChange(Params, frozen=True, kw_only=True):
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


def _action(tag: str, kind: type[_A], params: Params) -> _A:
    """Return the action of a When step whose parameters are those of the action; raises StepError."""
    values = {
        {"resource_claim": "claim"}.get(name, name): value
        for name, value in msgspec.structs.asdict(params).items()
    }
    try:
        return msgspec.convert({"do": tag, **values}, kind)
    except msgspec.ValidationError as error:
        raise StepError(str(error)) from None


def _instance(match: re.Match[str]) -> Json:
    return {"first": 1, "second": 2}[match.groupdict().get("which") or "first"]


def _change(to: str, **more: Json) -> Callable[[re.Match[str], Table, str], Json]:
    return lambda match, _, __: {
        "driver": match["driver"],
        "to": to,
        "instance": _instance(match),
        **more,
    }


def _report(match: re.Match[str], _: Table, __: str) -> Json:
    params: dict[str, Json] = {name: match[name] for name in ("driver", "device", "health")}
    if match["message"]:
        params["message"] = match["message"]
    if match["timeout"]:
        params["timeout"] = int(match["timeout"])
    if match["pool"]:
        params["pool"] = match["pool"]
    return params


def _seconds(until: str) -> Callable[[re.Match[str], Table, str], Json]:
    return lambda match, _, __: {"seconds": int(match["seconds"]), "until": until}


_CALLS = "prepare|unprepare"


@when('the kubelet prepares pod[s] "{pods}"[ {times} times]', _pods, times="[0-9]+")
def kubelet_prepares_pods(_: Given, params: PodsOfCall) -> Action:
    return Prepare(params.pods, params.times)


@when('the kubelet unprepares pod[s] "{pods}"[ {times} times]', _pods, times="[0-9]+")
def kubelet_unprepares_pods(_: Given, params: PodsOfCall) -> Action:
    return Unprepare(params.pods, params.times)


@when("the kubelet is killed and started again")
def kubelet_restarts(_: Given, __: NoParams) -> Action:
    return RestartKubelet()


@when('the kubelet no longer has pod "{pod}"')
def pod_ends(_: Given, pod: str) -> Action:
    return EndPod(pod)


@when('driver "{driver}" is stopped', _change("stopped"))
@when('driver "{driver}" is started', _change("started"))
@when('the {which} instance of driver "{driver}" is stopped', _change("stopped"), which="first|second")
@when('the {which} instance of driver "{driver}" is started', _change("started"), which="second")
@when('the {which} instance of driver "{driver}" crashes', _change("crashed"), which="first|second")
@when(
    'the {which} instance of driver "{driver}" is started with the endpoint of the first',
    _change("started", sharesEndpoint=True),
    which="second",
)
def driver_changes(_: Given, params: DriverChange) -> Action:
    return _action("change-driver", ChangeDriver, params)


@when('driver "{driver}" now answers calls to {call} as it should', {"to": "valid"}, call=_CALLS)
@when(
    'driver "{driver}" now answers calls to {call} with an error for ResourceClaim "{claim}"',
    _of_claim("claim-error"),
    call=_CALLS,
)
@when(
    'driver "{driver}" now answers calls to {call} with an error of the call',
    {"to": "call-error"},
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
@when('driver "{driver}" no longer answers calls to {call}', {"to": "hang"}, call=_CALLS)
def driver_answers(_: Given, params: DriverAnswers) -> Action:
    return _action("set-answer", SetAnswer, params)


@when(
    'driver "{driver}" reports device "{device}"[ of pool "{pool}"] as {health}'
    '[ with the message "{message}"][ for {timeout} second[s]]',
    _report,
    health="Healthy|Unhealthy|Unknown",
    timeout="[0-9]+",
)
def driver_reports_health(_: Given, params: HealthReported) -> Action:
    return _action("report-health", ReportHealth, params)


@when(
    'ResourceClaim "{claim}" is deleted while the kubelet knows it',
    lambda match, _, __: {"resourceClaim": match["claim"], "to": "deleted"},
)
@when(
    'ResourceClaim "{claim}" is replaced while the kubelet knows it',
    lambda match, _, __: {"resourceClaim": match["claim"], "to": "replaced"},
)
def claim_of_pod_changes(_: Given, params: ClaimChange) -> Action:
    return _action("change-claim", ChangeClaim, params)


@when("the kubelet loses the API server", "unavailable")
@when("the kubelet reaches the API server again", "available")
def api_server_of_kubelet(_: Given, to: str) -> Action:
    return msgspec.convert({"do": "change-api-server", "to": to}, ChangeAPIServer)


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
    pod_ends,
    driver_changes,
    driver_answers,
    driver_reports_health,
    claim_of_pod_changes,
    api_server_of_kubelet,
    time_passes,
)
"""The When steps."""


_TIMES = {"once": 1, "twice": 2}


def _called(match: re.Match[str], _: Table, __: str) -> Json:
    times = match["times"].removesuffix(" times")
    params: dict[str, Json] = {
        "driver": match["driver"],
        "call": match["call"],
        "resourceClaims": listed(match["claims"]),
        "times": _TIMES.get(times) or int(times),
    }
    if match["service"]:
        params["service"] = match["service"]
    if match["which"]:
        params["instance"] = _instance(match)
    return params


def _container(match: re.Match[str], _: Table, __: str) -> Json:
    groups: Mapping[str, str | None] = match.groupdict()
    devices = {"devices": listed(groups["devices"] or "")} if "devices" in groups else {}
    claim = {"resourceClaim": groups["claim"]} if "claim" in groups else {}
    return {"pod": match["pod"], "container": match["container"], **claim, **devices}


def _cgroup(match: re.Match[str], _: Table, __: str) -> Json:
    groups: Mapping[str, str | None] = match.groupdict()
    limits = {"cpuLimit": groups.get("cpu"), "memoryLimit": groups.get("memory")}
    given = {name: limit for name, limit in limits.items() if limit}
    return {"pod": match["pod"], "shares": int(match["shares"]), **given}


def _health(match: re.Match[str], _: Table, __: str) -> Json:
    params = {name: match[name] for name in ("pod", "container", "device", "health")}
    return {**params, **({"message": match["message"]} if match["message"] else {})}


def _metric(match: re.Match[str], _: Table, __: str) -> Json:
    pairs = [part.partition("=") for part in listed(match["labels"])]
    return {
        "metric": match["metric"],
        "labels": {name.strip(): value.strip() for name, _, value in pairs},
        "value": float(match["value"]),
    }


@then('pod "{pod}" is prepared', {"call": "prepare"})
@then('pod "{pod}" is unprepared', {"call": "unprepare"})
def pod_succeeds(then: CheckedStepBuilder, params: checks.Succeeds) -> None:
    then.expect(params)


@then('preparing pod "{pod}" fails[ with an error that names "{names}"]', {"call": "prepare"})
@then('unpreparing pod "{pod}" fails[ with an error that names "{names}"]', {"call": "unprepare"})
def pod_fails(then: CheckedStepBuilder, params: checks.Fails) -> None:
    then.expect(params)


@then(
    'preparing pod "{pod}" takes at most {seconds} seconds',
    lambda match, _, __: {"pod": match["pod"], "seconds": float(match["seconds"])},
    seconds="[0-9]+",
)
def pod_ends_within(then: CheckedStepBuilder, params: checks.EndsWithin) -> None:
    then.expect(params)


@then(
    'driver "{driver}" is called {times} to {call} ResourceClaim[s] "{claims}"'
    "[ by the service {service}][ through its {which} instance]",
    _called,
    times="once|twice|[0-9]+ times",
    call="prepare|unprepare",
    service=r"v1(?:beta1)?\.DRAPlugin",
    which="first|second",
)
def driver_called(then: CheckedStepBuilder, params: checks.Called) -> None:
    then.expect(params)


@then("no driver is called")
@then("no driver is called to {call}", lambda match, _, __: {"call": match["call"]}, call="(?:un)?prepare")
@then('driver "{driver}" is not called')
def driver_not_called(then: CheckedStepBuilder, params: checks.NotCalled) -> None:
    then.expect(params)


@then('container "{container}" of pod "{pod}" gets the device[s] "{devices}"', _container)
def container_devices(then: CheckedStepBuilder, params: checks.ContainerDevices) -> None:
    then.expect(params)


@then('container "{container}" of pod "{pod}" gets the device "{device}" more than once')
def container_repeated_device(then: CheckedStepBuilder, params: checks.RepeatedDevice) -> None:
    then.expect(params)


@then('container "{container}" of pod "{pod}" gets no device', _container)
def container_no_devices(then: CheckedStepBuilder, params: checks.NoDevices) -> None:
    then.expect(params)


@then('container "{container}" of pod "{pod}" cannot start', _container)
def container_cannot_start(then: CheckedStepBuilder, params: checks.CannotStart) -> None:
    then.expect(params)


@then(
    'the PodResources API shows ResourceClaim "{claim}" of container "{container}" of pod "{pod}"'
    ' with the device[s] "{devices}"',
    _container,
)
def container_claim(then: CheckedStepBuilder, params: checks.ClaimsInUse) -> None:
    then.expect(params)


@then('the cgroup of pod "{pod}" has {shares} CPU shares and no limits', _cgroup, shares="[0-9]+")
@then('the cgroup of pod "{pod}" has {shares} CPU shares and the CPU limit "{cpu}"', _cgroup, shares="[0-9]+")
@then(
    'the cgroup of pod "{pod}" has {shares} CPU shares, the CPU limit "{cpu}"'
    ' and the memory limit "{memory}"',
    _cgroup,
    shares="[0-9]+",
)
def pod_cgroup(then: CheckedStepBuilder, params: checks.CgroupSettings) -> None:
    then.expect(params)


@then('pod "{pod}" still needs to be unprepared', {"needed": True})
@then('pod "{pod}" does not need to be unprepared', {"needed": False})
def pod_needs_unprepare(then: CheckedStepBuilder, params: checks.MustUnprepare) -> None:
    then.expect(params)


@then('the kubelet tells driver "{driver}" that it is registered')
@then('the kubelet tells the second instance of driver "{driver}" that it is registered', {"instance": 2})
def driver_registered(then: CheckedStepBuilder, params: checks.Registered) -> None:
    then.expect(params)


@then('the kubelet tells driver "{driver}" that it is not registered')
@then('the kubelet tells the second instance of driver "{driver}" that it is not registered', {"instance": 2})
def driver_rejected(then: CheckedStepBuilder, params: checks.RegistrationRejected) -> None:
    then.expect(params)


@then('the ResourceSlices of driver "{driver}" exist', {"exist": True})
@then('the ResourceSlices of driver "{driver}" are deleted', {"exist": False})
def slices_exist(then: CheckedStepBuilder, params: checks.SlicesExist) -> None:
    then.expect(params)


@then(
    'the status of container "{container}" of pod "{pod}" has device "{device}" as {health}'
    '[ with the message "{message}"]',
    _health,
    health="Healthy|Unhealthy|Unknown",
)
def container_health(then: CheckedStepBuilder, params: checks.HealthInStatus) -> None:
    then.expect(params)


@then('the metric "{metric}" with "{labels}" is {value}', _metric, value="[0-9]+")
def metric_is(then: CheckedStepBuilder, params: checks.MetricValue) -> None:
    then.expect(params)


THEN_STEPS: tuple[Step, ...] = (
    pod_succeeds,
    pod_fails,
    pod_ends_within,
    driver_called,
    driver_not_called,
    container_devices,
    container_repeated_device,
    container_no_devices,
    container_cannot_start,
    container_claim,
    pod_cgroup,
    pod_needs_unprepare,
    driver_registered,
    driver_rejected,
    slices_exist,
    container_health,
    metric_is,
)
"""The Then steps."""

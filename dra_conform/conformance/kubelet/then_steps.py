"""The Then steps of kubelets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from dra_conform.conformance.checked_observations import CheckedStepBuilder
from dra_conform.conformance.kubelet import container_checks, node_checks, pod_checks
from dra_conform.conformance.kubelet.when_steps import instance_of
from dra_conform.conformance.steps.step import Step, Table, listed, then
from dra_conform.kube.json_values import Json

_TIMES = {"once": 1, "twice": 2}
_LATER = "second|third"
"""The instances that a case starts."""


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
        params["instance"] = instance_of(match)
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


def _within(call: str) -> Callable[[re.Match[str], Table, str], Json]:
    return lambda match, _, __: {"pod": match["pod"], "seconds": float(match["seconds"]), "call": call}


def _told(match: re.Match[str], _: Table, __: str) -> Json:
    return {"driver": match["driver"], "instance": instance_of(match)}


def _metric(match: re.Match[str], _: Table, __: str) -> Json:
    pairs = [part.partition("=") for part in listed(match["labels"])]
    return {
        "metric": match["metric"],
        "labels": {name.strip(): value.strip() for name, _, value in pairs},
        "value": float(match["value"]),
    }


@then('pod "{pod}" is prepared', {"call": "prepare"})
@then('pod "{pod}" is unprepared', {"call": "unprepare"})
def pod_succeeds(then: CheckedStepBuilder, params: pod_checks.Succeeds) -> None:
    then.expect(params)


@then('preparing pod "{pod}" fails[ with an error that names "{names}"]', {"call": "prepare"})
@then('unpreparing pod "{pod}" fails[ with an error that names "{names}"]', {"call": "unprepare"})
def pod_fails(then: CheckedStepBuilder, params: pod_checks.Fails) -> None:
    then.expect(params)


@then('preparing pod "{pod}" takes at most {seconds} seconds', _within("prepare"), seconds="[0-9]+")
@then('unpreparing pod "{pod}" takes at most {seconds} seconds', _within("unprepare"), seconds="[0-9]+")
def pod_ends_within(then: CheckedStepBuilder, params: pod_checks.EndsWithin) -> None:
    then.expect(params)


@then(
    'driver "{driver}" is called {times} to {call} ResourceClaim[s] "{claims}"'
    "[ by the service {service}][ through its {which} instance]",
    _called,
    times="once|twice|[0-9]+ times",
    call="prepare|unprepare",
    service=r"v1(?:beta1)?\.DRAPlugin",
    which="first|second|third",
)
def driver_called(then: CheckedStepBuilder, params: pod_checks.Called) -> None:
    then.expect(params)


@then("no driver is called")
@then("no driver is called to {call}", lambda match, _, __: {"call": match["call"]}, call="(?:un)?prepare")
@then('driver "{driver}" is not called')
def driver_not_called(then: CheckedStepBuilder, params: pod_checks.NotCalled) -> None:
    then.expect(params)


@then('container "{container}" of pod "{pod}" gets the device[s] "{devices}"', _container)
def container_devices(then: CheckedStepBuilder, params: container_checks.ExactDevices) -> None:
    then.expect(params)


@then('container "{container}" of pod "{pod}" gets the device "{device}" more than once')
def container_repeated_device(then: CheckedStepBuilder, params: container_checks.RepeatedDevice) -> None:
    then.expect(params)


@then('container "{container}" of pod "{pod}" gets no device', _container)
def container_no_devices(then: CheckedStepBuilder, params: container_checks.NoDevices) -> None:
    then.expect(params)


@then('container "{container}" of pod "{pod}" cannot start', _container)
def container_cannot_start(then: CheckedStepBuilder, params: container_checks.ContainerCannotStart) -> None:
    then.expect(params)


@then(
    'the PodResources API shows ResourceClaim "{claim}" of container "{container}" of pod "{pod}"'
    ' with the device[s] "{devices}"',
    _container,
)
@then(
    'the PodResources API does not show ResourceClaim "{claim}" of container "{container}" of pod "{pod}"',
    lambda match, rows, text: {**_container(match, rows, text), "absent": True},
)
def container_claim(then: CheckedStepBuilder, params: container_checks.ClaimsInUse) -> None:
    then.expect(params)


@then(
    'the PodResources API shows each device of ResourceClaim "{claim}" of container "{container}"'
    ' of pod "{pod}" with its own CDI devices',
    _container,
)
def container_claim_cdi(then: CheckedStepBuilder, params: container_checks.OwnCDIDevices) -> None:
    then.expect(params)


@then('the Get call of the PodResources API returns pod "{pod}" as the List call does')
def pod_as_listed(then: CheckedStepBuilder, params: pod_checks.AsListed) -> None:
    then.expect(params)


@then('the cgroup of pod "{pod}" has {shares} CPU shares and no limits', _cgroup, shares="[0-9]+")
@then('the cgroup of pod "{pod}" has {shares} CPU shares and the CPU limit "{cpu}"', _cgroup, shares="[0-9]+")
@then(
    'the cgroup of pod "{pod}" has {shares} CPU shares, the CPU limit "{cpu}"'
    ' and the memory limit "{memory}"',
    _cgroup,
    shares="[0-9]+",
)
def pod_cgroup(then: CheckedStepBuilder, params: pod_checks.CgroupSettings) -> None:
    then.expect(params)


@then('pod "{pod}" still needs to be unprepared', {"needed": True})
@then('pod "{pod}" does not need to be unprepared', {"needed": False})
def pod_needs_unprepare(then: CheckedStepBuilder, params: pod_checks.MustUnprepare) -> None:
    then.expect(params)


@then('the kubelet tells driver "{driver}" that it is registered')
@then(
    'the kubelet tells the {which} instance of driver "{driver}" that it is registered', _told, which=_LATER
)
def driver_registered(then: CheckedStepBuilder, params: node_checks.Registered) -> None:
    then.expect(params)


@then('the kubelet tells driver "{driver}" that it is not registered')
@then(
    'the kubelet tells the {which} instance of driver "{driver}" that it is not registered',
    _told,
    which=_LATER,
)
def driver_rejected(then: CheckedStepBuilder, params: node_checks.RegistrationRejected) -> None:
    then.expect(params)


@then('the ResourceSlices of driver "{driver}" exist', {"exist": True})
@then('the ResourceSlices of driver "{driver}" are deleted', {"exist": False})
def slices_exist(then: CheckedStepBuilder, params: node_checks.SlicesExist) -> None:
    then.expect(params)


@then(
    'the status of container "{container}" of pod "{pod}" has device "{device}" as {health}'
    '[ with the message "{message}"]',
    _health,
    health="Healthy|Unhealthy|Unknown",
)
@then(
    'the status of container "{container}" of pod "{pod}" has no health of device "{device}"',
    {"absent": True},
)
def container_health(then: CheckedStepBuilder, params: container_checks.HealthInStatus) -> None:
    then.expect(params)


@then('the metric "{metric}" with "{labels}" is {value}', _metric, value="[0-9]+")
def metric_is(then: CheckedStepBuilder, params: node_checks.MetricValue) -> None:
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
    container_claim_cdi,
    pod_as_listed,
    pod_cgroup,
    pod_needs_unprepare,
    driver_registered,
    driver_rejected,
    slices_exist,
    container_health,
    metric_is,
)
"""The Then steps."""

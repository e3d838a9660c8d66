"""The When and Then steps of drivers, and the question that they form together with the setup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from dra_conform.conformance.case import Objects
from dra_conform.conformance.checked_observations import CheckedStepBuilder
from dra_conform.conformance.driver import checks
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
    Question,
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
from dra_conform.conformance.steps.driver_claims import Need
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import (
    NoParams,
    Params,
    Phrase,
    Step,
    StepError,
    Table,
    listed,
    phrase,
    then,
    when,
)
from dra_conform.kube.gates import GATES

Json = Any

_NEEDED_BY: Mapping[type, Need] = {
    StartSuccessor: "rolling-update",
    CorruptState: "state-file",
    WatchHealth: "health",
    ChangeAPIServer: "api-server-outage",
}
"""The need of each action: a property of the driver or of the cluster."""


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
    """The change of a ResourceClaim in the API server: `deleted` or `replaced`."""

    resource_claim: str
    to: str


def build_question(given: Given, actions: Sequence[Action]) -> tuple[Objects, Mapping[str, Json]]:
    """Return no objects, and the question of the setup and the actions."""
    implied = [need for action in actions for need in _needed_by(action)]
    needs = tuple(dict.fromkeys((*given.driver_needs, *implied)))
    question = Question(tuple(actions), tuple(given.driver_claims), given.driver_devices, needs)
    encoded: dict[str, Json] = msgspec.to_builtins(question)
    return {}, encoded


def _needed_by(action: Action) -> Iterator[Need]:
    if type(action) in _NEEDED_BY:
        yield _NEEDED_BY[type(action)]
    if isinstance(action, RestartDriver) and action.variant:
        yield action.variant


_FEATURES: Mapping[str, tuple[str, ...]] = {
    "shares": ("consumable-capacity",),
    "compatibility-groups": ("partitionable-devices", "compatibility-groups"),
}
"""The API features that a need of the case implies."""


def features(_: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of what the question needs of a driver and of the API.

    Each question needs devices. One in which the CDI folder cannot be written needs a folder that can be
    blocked, and a driver that needs CDI files to prepare claims.
    """
    question = msgspec.convert(ask, Question)
    needs, claims = question.needs, question.claims
    requests = (result.request for claim in claims for result in claim.results)
    blocks_cdi = any(
        isinstance(action, ChangeCDI) and action.to == "unwritable" for action in question.actions
    )
    return frozenset(
        (
            *(f"driver-{need}" for need in ("devices", *needs)),
            *(("driver-cdi-folder", "driver-cdi-files") if blocks_cdi else ()),
            *(feature for need in needs for feature in _FEATURES.get(need, ())),
            *(("admin-access",) if any(claim.admin_access for claim in claims) else ()),
            *(("prioritized-list",) if any("/" in request for request in requests) else ()),
        )
    )


def gates_turned_on(ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the gate that stores device status, if a claim has any, and gates that actions turn on."""
    question = msgspec.convert(ask, Question)
    gates = [action.gate for action in question.actions if isinstance(action, RestartAPIServer) and action.on]
    status = any(claim.device_status for claim in question.claims)
    return frozenset((*gates, *(("DRAResourceClaimDeviceStatus",) if status else ())))


def question_in_words(ask: Mapping[str, Json]) -> str:
    """Return the actions in one line."""
    return "driver: " + ", ".join(
        " ".join((action["do"], *action.get("claims", ()))) for action in ask["actions"]
    )


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
    'the kubelet unprepares ResourceClaim[s] "{claims}"[ {times} times][ through the older instance]',
    _calls,
    times="[0-9]+",
)
def kubelet_unprepares(_: Given, params: UnpreparedClaims) -> Action:
    return Unprepare(params.resource_claims, params.times, params.older_instance)


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
def change_claim(_: Given, params: ClaimChange) -> Action:
    return msgspec.convert(
        {"do": "change-claim", "claim": params.resource_claim, "to": params.to}, ChangeClaim
    )


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


@when("the driver's state file is cut in half")
def corrupt_state(_: Given, __: NoParams) -> Action:
    return CorruptState()


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


def _claim(words: str, **more: Json) -> Phrase:
    return phrase(words, lambda match, _, __: {"resourceClaim": match["claim"], **more})


def _prepared(match: re.Match[str], rows: Table, _: str) -> Json:
    if match["devices"]:
        devices: list[Json] = [{"device": int(number)} for number in listed(match["devices"])]
    else:
        devices = [
            {name: int(cell) if name != "request" else cell for name, cell in row.items() if cell}
            for row in rows
        ]
    unless = {"unlessCallFails": True} if match[0].endswith("unless the call fails") else {}
    return {"resourceClaim": match["claim"], "devices": devices, **unless}


@then(
    'ResourceClaim "{claim}" is prepared with [device[s] {devices}][the devices][, unless the call fails]',
    _prepared,
    devices="[0-9, ]+",
)
def prepared_with(then: CheckedStepBuilder, params: checks.Prepared) -> None:
    then.expect(params)


@then(_claim('preparing ResourceClaim "{claim}" fails'))
def prepare_fails(then: CheckedStepBuilder, params: checks.PrepareFails) -> None:
    then.expect(params)


@then(_claim('ResourceClaim "{claim}" is unprepared'))
def unprepared(then: CheckedStepBuilder, params: checks.Unprepared) -> None:
    then.expect(params)


@then(_claim('each answer for ResourceClaim "{claim}" is the same as before'))
@then(
    _claim(
        'each answer for ResourceClaim "{claim}" is the same as before, but for share IDs',
        withoutShares=True,
    )
)
def same_answer(then: CheckedStepBuilder, params: checks.SameAnswer) -> None:
    then.expect(params)


@then(_claim('a container runtime finds the CDI devices of ResourceClaim "{claim}"'))
def cdi_resolves(then: CheckedStepBuilder, params: checks.CDIResolves) -> None:
    then.expect(params)


@then(_claim('no CDI device of ResourceClaim "{claim}" is left'))
def cdi_removed(then: CheckedStepBuilder, params: checks.CDIRemoved) -> None:
    then.expect(params)


@then("the CDI devices are unchanged")
def cdi_unchanged(then: CheckedStepBuilder, params: checks.CDIUnchanged) -> None:
    then.expect(params)


@then(_claim('the CDI names of ResourceClaim "{claim}" have the form vendor/class=name'))
def cdi_qualified(then: CheckedStepBuilder, params: checks.CDIQualified) -> None:
    then.expect(params)


@then("no CDI name has other contents than before")
def cdi_names_keep_contents(then: CheckedStepBuilder, params: checks.CDINamesKeepContents) -> None:
    then.expect(params)


@then("the files of the driver that CDI devices mount exist")
def mounted_files_exist(then: CheckedStepBuilder, params: checks.MountedFilesExist) -> None:
    then.expect(params)


@then("the driver publishes all its devices in complete pools", {"devices": "all"})
@then("the driver publishes complete pools with fewer devices than before", {"devices": "fewer"})
@then("the driver publishes complete pools without devices", {"devices": "none"})
def publishes(then: CheckedStepBuilder, params: checks.Publishes) -> None:
    then.expect(params)


@then("the generation of each pool with several changed ResourceSlices is higher than before")
def generation_raised(then: CheckedStepBuilder, params: checks.GenerationRaised) -> None:
    then.expect(params)


@then("the ResourceSlices of the driver have compatibilityGroups", {"present": True})
@then("the ResourceSlices of the driver have no compatibilityGroups", {"present": False})
def compatibility_groups_published(then: CheckedStepBuilder, params: checks.HasGroups) -> None:
    then.expect(params)


@then(
    "device {device} has the same compatibilityGroups as at the start",
    lambda match, _, __: {"device": int(match["device"])},
    device="[0-9]+",
)
@then(
    "device {device} has other compatibilityGroups than at the start",
    lambda match, _, __: {"device": int(match["device"]), "changed": True},
    device="[0-9]+",
)
def compatibility_groups_kept(then: CheckedStepBuilder, params: checks.KeepsGroups) -> None:
    then.expect(params)


@then("the node owns each ResourceSlice of the driver that names it")
def owned_by_node(then: CheckedStepBuilder, params: checks.OwnedByNode) -> None:
    then.expect(params)


@then("the driver writes no ResourceSlice")
def no_slice_writes(then: CheckedStepBuilder, params: checks.NoSliceWrites) -> None:
    then.expect(params)


@then("GetInfo returns the type DRAPlugin, the name of the driver, its endpoint and services")
def registers(then: CheckedStepBuilder, params: checks.Registers) -> None:
    then.expect(params)


@then(
    "GetInfo returns within {seconds} second[s]",
    lambda match, _, __: {"seconds": int(match["seconds"])},
    seconds="[0-9]+",
)
def info_within(then: CheckedStepBuilder, params: checks.InfoWithin) -> None:
    then.expect(params)


@then("GetInfo returns the newest service of the driver first")
def newest_service_first(then: CheckedStepBuilder, params: checks.NewestServiceFirst) -> None:
    then.expect(params)


@then("each call succeeds")
def calls_succeed(then: CheckedStepBuilder, params: checks.CallsSucceed) -> None:
    then.expect(params)


@then("the driver is running")
def runs(then: CheckedStepBuilder, params: checks.Runs) -> None:
    then.expect(params)


@then("the registration socket of another plugin exists")
def other_socket_exists(then: CheckedStepBuilder, params: checks.OtherSocketExists) -> None:
    then.expect(params)


@then("no socket of the driver is left", {"registration": 0})
@then(
    "{count} registration socket[s] exist[s]",
    lambda match, _, __: {"registration": int(match["count"])},
    count="[0-9]+",
)
def sockets(then: CheckedStepBuilder, params: checks.Sockets) -> None:
    then.expect(params)


@then("the health reports cover all devices")
def health_of_all_devices(then: CheckedStepBuilder, params: checks.HealthOfAllDevices) -> None:
    then.expect(params)


@then("the stream of health reports stays open, or ends with UNIMPLEMENTED at once")
def health_stream_open(then: CheckedStepBuilder, params: checks.HealthStreamOpen) -> None:
    then.expect(params)


@then("the health of each device is reported again before its timeout")
def health_stays_fresh(then: CheckedStepBuilder, params: checks.HealthStaysFresh) -> None:
    then.expect(params)


@then(
    'status.devices of ResourceClaim "{claim}" has the entry of driver "{driver}"',
    lambda match, _, __: {"resourceClaim": match["claim"], "driver": match["driver"]},
)
def keeps_device_status(then: CheckedStepBuilder, params: checks.KeepsDeviceStatus) -> None:
    then.expect(params)


THEN_STEPS: tuple[Step, ...] = (
    prepared_with,
    prepare_fails,
    unprepared,
    same_answer,
    cdi_resolves,
    cdi_removed,
    cdi_unchanged,
    cdi_qualified,
    cdi_names_keep_contents,
    mounted_files_exist,
    publishes,
    generation_raised,
    compatibility_groups_published,
    compatibility_groups_kept,
    owned_by_node,
    no_slice_writes,
    registers,
    info_within,
    newest_service_first,
    calls_succeed,
    runs,
    other_socket_exists,
    sockets,
    health_of_all_devices,
    health_stream_open,
    health_stays_fresh,
    keeps_device_status,
)
"""The Then steps."""

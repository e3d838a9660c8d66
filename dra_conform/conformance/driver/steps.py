"""The When and Then steps of drivers, and the question that they form together with the setup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from dra_conform.conformance.case import Objects
from dra_conform.conformance.checked_observations import Check, CheckedStepBuilder
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
from dra_conform.conformance.steps.step import Params, Phrase, Step, StepError, Table, listed, phrase
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


def _prepare(_: Given, params: PreparedClaims) -> Action:
    return Prepare(
        params.resource_claims, params.times, params.parallel, params.service, params.older_instance
    )


def _unprepare(_: Given, params: UnpreparedClaims) -> Action:
    return Unprepare(params.resource_claims, params.times, params.older_instance)


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


def _restart_api_server(_: Given, params: GateChange) -> Action:
    if params.gate not in GATES:
        raise StepError(f"unknown feature gate {params.gate!r}, expected one of {', '.join(GATES)}")
    return RestartAPIServer(params.gate, params.enabled)


def _plain(key: str, words: str, action: Callable[[], Action]) -> Step:
    """Return a When step without parameters."""
    none = phrase(words, lambda *_: {})
    return Step("when", key, _Nothing, (none,), lambda _, __: action())


class _Nothing(Params, frozen=True, kw_only=True):
    """The empty parameters of a step."""


def _changes(key: str, sentences: Mapping[str, str], action: Callable[[Any], Action]) -> Step:
    """Return a When step with a sentence for each state."""

    def change(_: Given, state: str) -> Action:
        if state not in sentences:
            raise StepError(f"unknown state {state!r}, expected one of {', '.join(sentences)}")
        return action(state)

    return Step(
        "when", key, str, tuple(_constant(words, state) for state, words in sentences.items()), change
    )


def _constant(words: str, value: Json) -> Phrase:
    return phrase(words, lambda *_: value)


WHEN_STEPS: tuple[Step, ...] = (
    Step(
        "when",
        "kubeletPrepares",
        PreparedClaims,
        (
            phrase(
                'the kubelet prepares ResourceClaim[s] "{claims}"[ {times} times][ in parallel]'
                "[ by the service {service}][ through the older instance]",
                _calls,
                times="[0-9]+",
                service=r"v1(?:beta1)?\.DRAPlugin",
            ),
        ),
        _prepare,
    ),
    Step(
        "when",
        "kubeletUnprepares",
        UnpreparedClaims,
        (
            phrase(
                'the kubelet unprepares ResourceClaim[s] "{claims}"[ {times} times]'
                "[ through the older instance]",
                _calls,
                times="[0-9]+",
            ),
        ),
        _unprepare,
    ),
    Step(
        "when",
        "restartDriver",
        DriverEnd,
        (
            phrase(
                "the driver is {how} and started again[ {times} times]"
                "[ without devices][ with fewer devices][ with other compatibilityGroups]",
                _restart,
                how="killed|terminated",
                times="[0-9]+",
            ),
        ),
        lambda _, params: RestartDriver(_signal(params.signal), params.times, params.variant),
    ),
    Step(
        "when",
        "stopDriver",
        DriverStop,
        (
            phrase("the driver is {how}", _stop, how="killed|terminated"),
            phrase("the older instance of the driver is {how}", _stop, how="killed|terminated"),
        ),
        lambda _, params: StopDriver(_signal(params.signal), params.older_instance),
    ),
    Step(
        "when",
        "changeClaim",
        ClaimChange,
        (
            phrase(
                'ResourceClaim "{claim}" is deleted from the API server',
                lambda match, _, __: {"resourceClaim": match["claim"], "to": "deleted"},
            ),
            phrase(
                'ResourceClaim "{claim}" is replaced by another of the same name',
                lambda match, _, __: {"resourceClaim": match["claim"], "to": "replaced"},
            ),
        ),
        lambda _, params: msgspec.convert(
            {"do": "change-claim", "claim": params.resource_claim, "to": params.to}, ChangeClaim
        ),
    ),
    Step(
        "when",
        "restartAPIServer",
        GateChange,
        (
            phrase(
                'the API server restarts with the feature gate "{gate}" {state}',
                lambda match, _, __: {"gate": match["gate"], "enabled": match["state"] == "on"},
                state="on|off",
            ),
        ),
        _restart_api_server,
    ),
    _plain("callEmpty", "the kubelet prepares no ResourceClaim by each service of the driver", CallEmpty),
    _plain("startDriver", "the driver is started", StartDriver),
    _plain("startSecondInstance", "a second instance of the driver is started", StartSuccessor),
    _plain("rebootNode", "the node is rebooted", RebootNode),
    _plain("restartKubelet", "the kubelet is restarted", RestartKubelet),
    _plain(
        "rejectRegistration",
        "the kubelet rejects the registration of the driver and accepts it a second later",
        RefuseRegistration,
    ),
    _plain("corruptState", "the driver's state file is cut in half", CorruptState),
    _plain("rest", "nothing happens for 5 seconds", Rest),
    _plain("watchHealth", "the kubelet watches the health of the devices", WatchHealth),
    _changes(
        "changeCDIFolder",
        {
            "lost": "the files in the CDI folder are lost",
            "unwritable": "the CDI folder cannot be written",
            "writable": "the CDI folder can be written again",
        },
        ChangeCDI,
    ),
    _changes(
        "changeResourceSlices",
        {
            "deleted": "another client deletes the ResourceSlices of the driver",
            "edited": "another client removes devices from a ResourceSlice of the driver",
            "foreign-added": "another client adds a ResourceSlice to the pool of the driver",
        },
        ChangeSlices,
    ),
    _changes(
        "awaitResourceSlices",
        {
            "devices": "the kubelet waits until the driver has published its ResourceSlices",
            "groups": "the kubelet waits until ResourceSlices of the driver have compatibilityGroups",
            "no-groups": "the kubelet waits until no ResourceSlice of the driver has compatibilityGroups",
        },
        AwaitSlices,
    ),
    _changes(
        "changeAPIServer",
        {
            "unavailable": "the API server becomes unavailable",
            "available": "the API server becomes available again",
        },
        ChangeAPIServer,
    ),
)
"""The When steps."""


def _demand(builder: CheckedStepBuilder, params: Check) -> None:
    builder.expect(params)


def _then(key: str, kind: type[Params], *phrases: Phrase) -> Step:
    return Step("then", key, kind, phrases, _demand)


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


THEN_STEPS: tuple[Step, ...] = (
    _then(
        "preparedWith",
        checks.Prepared,
        phrase(
            'ResourceClaim "{claim}" is prepared with [device[s] {devices}][the devices]'
            "[, unless the call fails]",
            _prepared,
            devices="[0-9, ]+",
        ),
    ),
    _then(
        "prepareFails",
        checks.PrepareFails,
        _claim('preparing ResourceClaim "{claim}" fails'),
    ),
    _then("unprepared", checks.Unprepared, _claim('ResourceClaim "{claim}" is unprepared')),
    _then(
        "sameAnswer",
        checks.SameAnswer,
        _claim('each answer for ResourceClaim "{claim}" is the same as before'),
        _claim(
            'each answer for ResourceClaim "{claim}" is the same as before, but for share IDs',
            withoutShares=True,
        ),
    ),
    _then(
        "cdiResolves",
        checks.CDIResolves,
        _claim('a container runtime finds the CDI devices of ResourceClaim "{claim}"'),
    ),
    _then("cdiRemoved", checks.CDIRemoved, _claim('no CDI device of ResourceClaim "{claim}" is left')),
    _then("cdiUnchanged", checks.CDIUnchanged, _constant("the CDI devices are unchanged", {})),
    _then(
        "cdiQualified",
        checks.CDIQualified,
        _claim('the CDI names of ResourceClaim "{claim}" have the form vendor/class=name'),
    ),
    _then(
        "cdiNamesKeepContents",
        checks.CDINamesKeepContents,
        _constant("no CDI name has other contents than before", {}),
    ),
    _then(
        "mountedFilesExist",
        checks.MountedFilesExist,
        _constant("the files of the driver that CDI devices mount exist", {}),
    ),
    _then(
        "publishes",
        checks.Publishes,
        _constant("the driver publishes all its devices in complete pools", {"devices": "all"}),
        _constant("the driver publishes complete pools with fewer devices than before", {"devices": "fewer"}),
        _constant("the driver publishes complete pools without devices", {"devices": "none"}),
    ),
    _then(
        "generationRaised",
        checks.GenerationRaised,
        _constant(
            "the generation of each pool with several changed ResourceSlices is higher than before", {}
        ),
    ),
    _then(
        "compatibilityGroupsPublished",
        checks.HasGroups,
        _constant("the ResourceSlices of the driver have compatibilityGroups", {"present": True}),
        _constant("the ResourceSlices of the driver have no compatibilityGroups", {"present": False}),
    ),
    _then(
        "compatibilityGroupsKept",
        checks.KeepsGroups,
        phrase(
            "device {device} has the same compatibilityGroups as at the start",
            lambda match, _, __: {"device": int(match["device"])},
            device="[0-9]+",
        ),
        phrase(
            "device {device} has other compatibilityGroups than at the start",
            lambda match, _, __: {"device": int(match["device"]), "changed": True},
            device="[0-9]+",
        ),
    ),
    _then(
        "ownedByNode",
        checks.OwnedByNode,
        _constant("the node owns each ResourceSlice of the driver that names it", {}),
    ),
    _then("noSliceWrites", checks.NoSliceWrites, _constant("the driver writes no ResourceSlice", {})),
    _then(
        "registers",
        checks.Registers,
        _constant(
            "GetInfo returns the type DRAPlugin, the name of the driver, its endpoint and services", {}
        ),
    ),
    _then(
        "infoWithin",
        checks.InfoWithin,
        phrase(
            "GetInfo returns within {seconds} second[s]",
            lambda match, _, __: {"seconds": int(match["seconds"])},
            seconds="[0-9]+",
        ),
    ),
    _then(
        "newestServiceFirst",
        checks.NewestServiceFirst,
        _constant("GetInfo returns the newest service of the driver first", {}),
    ),
    _then("callsSucceed", checks.CallsSucceed, _constant("each call succeeds", {})),
    _then("runs", checks.Runs, _constant("the driver is running", {})),
    _then(
        "otherSocketExists",
        checks.OtherSocketExists,
        _constant("the registration socket of another plugin exists", {}),
    ),
    _then(
        "sockets",
        checks.Sockets,
        _constant("no socket of the driver is left", {"registration": 0}),
        phrase(
            "{count} registration socket[s] exist[s]",
            lambda match, _, __: {"registration": int(match["count"])},
            count="[0-9]+",
        ),
    ),
    _then(
        "healthOfAllDevices",
        checks.HealthOfAllDevices,
        _constant("the health reports cover all devices", {}),
    ),
    _then(
        "healthStreamOpen",
        checks.HealthStreamOpen,
        _constant("the stream of health reports stays open, or ends with UNIMPLEMENTED at once", {}),
    ),
    _then(
        "healthStaysFresh",
        checks.HealthStaysFresh,
        _constant("the health of each device is reported again before its timeout", {}),
    ),
    _then(
        "keepsDeviceStatus",
        checks.KeepsDeviceStatus,
        phrase(
            'status.devices of ResourceClaim "{claim}" has the entry of driver "{driver}"',
            lambda match, _, __: {"resourceClaim": match["claim"], "driver": match["driver"]},
        ),
    ),
)
"""The Then steps."""

"""The When and Then steps of kubelets, and the question that they form together with the setup."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dra_conform.conformance.case import Objects
from dra_conform.conformance.checked_observations import Check, CheckedStepBuilder
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
from dra_conform.conformance.steps.step import Params, Phrase, Step, StepError, Table, listed, phrase
from dra_conform.kube.versions import to_v1

Json = Any

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


class ClaimChange(Params, frozen=True, kw_only=True):
    """The change of a ResourceClaim in the API server: `deleted` or `replaced`."""

    resource_claim: str
    to: str


class TimePasses(Params, frozen=True, kw_only=True):
    """The seconds that pass, or an earlier event that ends the wait."""

    seconds: int
    until: str = ""


class _Nothing(Params, frozen=True, kw_only=True):
    """The empty parameters of a step."""


def _pods(match: re.Match[str], _: Table, __: str) -> Json:
    times = {"times": int(match["times"])} if match["times"] else {}
    return {"pods": listed(match["pods"]), **times}


def _answers(to: str, call: str) -> Callable[[re.Match[str], Table, str], Json]:
    def params(match: re.Match[str], _: Table, __: str) -> Json:
        claim = {"resourceClaim": match["claim"]} if "claim" in match.groupdict() else {}
        return {"driver": match["driver"], "call": call, "to": to, **claim}

    return params


def _answer_phrases() -> Iterator[Phrase]:
    for call in ("prepare", "unprepare"):
        start = f'driver "{{driver}}" now answers calls to {call}'
        yield phrase(f"{start} as it should", _answers("valid", call))
        yield phrase(f'{start} with an error for ResourceClaim "{{claim}}"', _answers("claim-error", call))
        yield phrase(f"{start} with an error of the call", _answers("call-error", call))
        yield phrase(f'{start} without an entry for ResourceClaim "{{claim}}"', _answers("left-out", call))
        yield phrase(f"{start} with an entry for an unknown ResourceClaim", _answers("unknown-entry", call))
        yield phrase(f'driver "{{driver}}" no longer answers calls to {call}', _answers("hang", call))


def _converted(tag: str, kind: type[Any]) -> Callable[[Given, Any], Action]:
    """Return the `apply` of a When step whose parameters are those of its action."""

    def action(_: Given, params: Params) -> Any:
        values = {
            {"resource_claim": "claim"}.get(name, name): value
            for name, value in msgspec.structs.asdict(params).items()
        }
        try:
            return msgspec.convert({"do": tag, **values}, kind)
        except msgspec.ValidationError as error:
            raise StepError(str(error)) from None

    return action


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
    return params


def _seconds(until: str) -> Callable[[re.Match[str], Table, str], Json]:
    return lambda match, _, __: {"seconds": int(match["seconds"]), "until": until}


def _constant(words: str, value: Json) -> Phrase:
    return phrase(words, lambda *_: value)


_WHICH = "the {which} instance of driver"
WHEN_STEPS: tuple[Step, ...] = (
    Step(
        "when",
        "kubeletPreparesPods",
        PodsOfCall,
        (phrase('the kubelet prepares pod[s] "{pods}"[ {times} times]', _pods, times="[0-9]+"),),
        lambda _, params: Prepare(params.pods, params.times),
    ),
    Step(
        "when",
        "kubeletUnpreparesPods",
        PodsOfCall,
        (phrase('the kubelet unprepares pod[s] "{pods}"[ {times} times]', _pods, times="[0-9]+"),),
        lambda _, params: Unprepare(params.pods, params.times),
    ),
    Step(
        "when",
        "kubeletRestarts",
        _Nothing,
        (_constant("the kubelet is killed and started again", {}),),
        lambda _, __: RestartKubelet(),
    ),
    Step(
        "when",
        "podEnds",
        str,
        (phrase('the kubelet no longer has pod "{pod}"', lambda match, _, __: match["pod"]),),
        lambda _, pod: EndPod(pod),
    ),
    Step(
        "when",
        "driverChanges",
        DriverChange,
        (
            phrase('driver "{driver}" is stopped', _change("stopped")),
            phrase('driver "{driver}" is started', _change("started")),
            phrase(f'{_WHICH} "{{driver}}" is stopped', _change("stopped"), which="first|second"),
            phrase(f'{_WHICH} "{{driver}}" is started', _change("started"), which="second"),
            phrase(f'{_WHICH} "{{driver}}" crashes', _change("crashed"), which="first|second"),
            phrase(
                f'{_WHICH} "{{driver}}" is started with the endpoint of the first',
                _change("started", sharesEndpoint=True),
                which="second",
            ),
        ),
        _converted("change-driver", ChangeDriver),
    ),
    Step(
        "when",
        "driverAnswers",
        DriverAnswers,
        tuple(_answer_phrases()),
        _converted("set-answer", SetAnswer),
    ),
    Step(
        "when",
        "driverReportsHealth",
        HealthReported,
        (
            phrase(
                'driver "{driver}" reports device "{device}" as {health}'
                '[ with the message "{message}"][ for {timeout} second[s]]',
                _report,
                health="Healthy|Unhealthy|Unknown",
                timeout="[0-9]+",
            ),
        ),
        _converted("report-health", ReportHealth),
    ),
    Step(
        "when",
        "claimOfPodChanges",
        ClaimChange,
        (
            phrase(
                'ResourceClaim "{claim}" is deleted while the kubelet knows it',
                lambda match, _, __: {"resourceClaim": match["claim"], "to": "deleted"},
            ),
            phrase(
                'ResourceClaim "{claim}" is replaced while the kubelet knows it',
                lambda match, _, __: {"resourceClaim": match["claim"], "to": "replaced"},
            ),
        ),
        _converted("change-claim", ChangeClaim),
    ),
    Step(
        "when",
        "apiServerOfKubelet",
        str,
        (
            _constant("the kubelet loses the API server", "unavailable"),
            _constant("the kubelet reaches the API server again", "available"),
        ),
        lambda _, to: msgspec.convert({"do": "change-api-server", "to": to}, ChangeAPIServer),
    ),
    Step(
        "when",
        "timePasses",
        TimePasses,
        (
            phrase("the kubelet runs for {seconds} second[s]", _seconds(""), seconds="[0-9]+"),
            phrase(
                "the kubelet runs for at most {seconds} seconds until it calls a driver",
                _seconds("driver-called"),
                seconds="[0-9]+",
            ),
            phrase(
                "the kubelet runs for at most {seconds} seconds until a ResourceSlice is deleted",
                _seconds("slices-deleted"),
                seconds="[0-9]+",
            ),
        ),
        _converted("wait", Wait),
    ),
)
"""The When steps."""


def _demand(builder: CheckedStepBuilder, params: Check) -> None:
    builder.expect(params)


def _then(key: str, kind: type[Params], *phrases: Phrase) -> Step:
    return Step("then", key, kind, phrases, _demand)


def _groups(words: str, **more: Json) -> Phrase:
    """Return a phrase whose groups are parameters of the same names."""

    def params(match: re.Match[str], _: Table, __: str) -> Json:
        return {**{name: text for name, text in match.groupdict().items() if text is not None}, **more}

    return phrase(words, params)


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


_OF_POD = 'container "{container}" of pod "{pod}"'
THEN_STEPS: tuple[Step, ...] = (
    _then(
        "podSucceeds",
        checks.Succeeds,
        _groups('pod "{pod}" is prepared', call="prepare"),
        _groups('pod "{pod}" is unprepared', call="unprepare"),
    ),
    _then(
        "podFails",
        checks.Fails,
        _groups('preparing pod "{pod}" fails[ with an error that names "{names}"]', call="prepare"),
        _groups('unpreparing pod "{pod}" fails[ with an error that names "{names}"]', call="unprepare"),
    ),
    _then(
        "podEndsWithin",
        checks.EndsWithin,
        phrase(
            'preparing pod "{pod}" takes at most {seconds} seconds',
            lambda match, _, __: {"pod": match["pod"], "seconds": float(match["seconds"])},
            seconds="[0-9]+",
        ),
    ),
    _then(
        "driverCalled",
        checks.Called,
        phrase(
            'driver "{driver}" is called {times} to {call} ResourceClaim[s] "{claims}"'
            "[ by the service {service}][ through its {which} instance]",
            _called,
            times="once|twice|[0-9]+ times",
            call="prepare|unprepare",
            service=r"v1(?:beta1)?\.DRAPlugin",
            which="first|second",
        ),
    ),
    _then(
        "driverNotCalled",
        checks.NotCalled,
        _constant("no driver is called", {}),
        phrase(
            "no driver is called to {call}",
            lambda match, _, __: {"call": match["call"]},
            call="(?:un)?prepare",
        ),
        _groups('driver "{driver}" is not called'),
    ),
    _then(
        "containerDevices",
        checks.ContainerDevices,
        phrase(f'{_OF_POD} gets the device[s] "{{devices}}"', _container),
    ),
    _then(
        "containerRepeatedDevice",
        checks.RepeatedDevice,
        _groups(f'{_OF_POD} gets the device "{{device}}" more than once'),
    ),
    _then("containerNoDevices", checks.NoDevices, phrase(f"{_OF_POD} gets no device", _container)),
    _then("containerCannotStart", checks.CannotStart, phrase(f"{_OF_POD} cannot start", _container)),
    _then(
        "containerClaim",
        checks.ClaimsInUse,
        phrase(
            f'the PodResources API shows ResourceClaim "{{claim}}" of {_OF_POD}'
            ' with the device[s] "{devices}"',
            _container,
        ),
    ),
    _then(
        "podHeld",
        checks.MustUnprepare,
        _groups('pod "{pod}" is held until it is unprepared', held=True),
        _groups('pod "{pod}" is not held', held=False),
    ),
    _then(
        "driverRegistered",
        checks.Registered,
        _groups('the kubelet tells driver "{driver}" that it is registered'),
        _groups(
            'the kubelet tells the second instance of driver "{driver}" that it is registered', instance=2
        ),
    ),
    _then(
        "driverRejected",
        checks.RegistrationRejected,
        _groups('the kubelet tells driver "{driver}" that it is not registered'),
        _groups(
            'the kubelet tells the second instance of driver "{driver}" that it is not registered', instance=2
        ),
    ),
    _then(
        "slicesExist",
        checks.SlicesExist,
        _groups('the ResourceSlices of driver "{driver}" exist', exist=True),
        _groups('the ResourceSlices of driver "{driver}" are deleted', exist=False),
    ),
    _then(
        "containerHealth",
        checks.HealthInStatus,
        phrase(
            f'the status of {_OF_POD} has device "{{device}}" as {{health}}[ with the message "{{message}}"]',
            _health,
            health="Healthy|Unhealthy|Unknown",
        ),
    ),
    _then(
        "metricIs",
        checks.MetricValue,
        phrase(
            'the metric "{metric}" with "{labels}" is {value}',
            _metric,
            value="[0-9]+",
        ),
    ),
)
"""The Then steps."""

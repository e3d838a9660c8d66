"""The observations of a multi-step scenario, and their form in the body of a `result`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from dra_conform.conformance.served_types import check_types
from dra_conform.conformance.writes.answer import AdmissionAnswer
from dra_conform.conformance.writes.answer import read as read_admission
from dra_conform.conformance.writes.answer import write as write_admission
from dra_conform.kube.json_values import Json, UncheckedJson


@dataclass(frozen=True, slots=True)
class Done:
    """The acknowledgement of an action on the cluster: `deleted` or `done`."""

    outcome: str


@dataclass(frozen=True, slots=True)
class Read:
    """The result of a read: the served object, None if it does not exist."""

    object: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class SteadyState:
    """The steady state of a cluster: all objects as served in v1, by the name of their collection.

    `events`, scheduling `attempts`, `prepared` devices, growth of `metrics`, write `requests` of components
    and lines of the `log` are those since the previous steady state. Each is None if the implementation does
    not report it.
    """

    objects: Mapping[str, tuple[Json, ...]]
    events: tuple[Json, ...] | None = None
    attempts: tuple[Json, ...] | None = None
    prepared: tuple[Json, ...] | None = None
    metrics: tuple[Json, ...] | None = None
    requests: tuple[Json, ...] | None = None
    log: tuple[Json, ...] | None = None

    @property
    def other_observations(self) -> Mapping[str, tuple[Json, ...] | None]:
        """Return the observations other than objects, by name."""
        return {name: getattr(self, name) for name in _OTHER_OBSERVATIONS}


Observation = AdmissionAnswer | Done | Read | SteadyState


@dataclass(frozen=True, slots=True)
class ClusterAnswer:
    """The observations of a multi-step scenario, one for each action, in order."""

    observations: tuple[Observation, ...]


class _Event(msgspec.Struct):
    kind: str
    name: str
    reason: str
    namespace: str = ""
    message: str = ""


class _Phase(msgspec.Struct):
    phase: Literal[
        "PreEnqueue",
        "PreFilter",
        "Filter",
        "PostFilter",
        "Score",
        "Reserve",
        "PreBind",
        "Bind",
        "Unreserve",
    ]
    code: Literal["Success", "Unschedulable", "UnschedulableAndUnresolvable", "Error"]
    nodes: list[str] = []
    reason: str = ""
    score: int | None = None


class _Attempt(msgspec.Struct):
    pod: str
    result: Literal["Scheduled", "Unschedulable", "Error", "Waiting"]
    node: str = ""
    message: str = ""
    phases: list[_Phase] = []


class _PreparedDevice(msgspec.Struct):
    pool: str
    device: str
    share_id: str = msgspec.field(default="", name="shareID")


class _Prepared(msgspec.Struct):
    node: str
    driver: str
    claim: str
    devices: list[_PreparedDevice]


class _MetricGrowth(msgspec.Struct):
    name: str
    growth: int
    labels: dict[str, str] = {}


class _WriteRequests(msgspec.Struct):
    component: str
    verb: Literal["create", "update", "patch", "delete"]
    resource: str
    count: int


class _LogLine(msgspec.Struct):
    component: str
    line: str


class _SteadyState(msgspec.Struct):
    objects: dict[str, list[dict[str, Any]]]
    events: list[_Event] = []
    attempts: list[_Attempt] = []
    prepared: list[_Prepared] = []
    metrics: list[_MetricGrowth] = []
    requests: list[_WriteRequests] = []
    log: list[_LogLine] = []


class _Found(msgspec.Struct):
    object: dict[str, Any]


class _Answer(msgspec.Struct):
    outcome: Literal["observed"]
    observations: list[dict[str, Any]]


_OTHER_OBSERVATIONS = ("events", "attempts", "prepared", "metrics", "requests", "log")


def read(body: Mapping[str, UncheckedJson]) -> ClusterAnswer:
    """Return the answer in the body of a `result` with status ok; raises ValueError if it is malformed."""
    if "outcome" not in body:
        raise ValueError("the reply has status ok but no outcome, expected an outcome")
    return ClusterAnswer(tuple(map(_read_observation, msgspec.convert(body, _Answer).observations)))


def _read_observation(body: Mapping[str, UncheckedJson]) -> Observation:
    outcome = str(body.get("outcome"))
    if outcome not in _READERS:
        raise ValueError(f"an observation has the outcome {outcome!r}, expected one of {', '.join(_READERS)}")
    return _READERS[outcome](body)


def _steady_state(body: Mapping[str, Json]) -> SteadyState:
    msgspec.convert(body, _SteadyState)
    check_types(body["objects"])
    objects = {name: tuple(items) for name, items in body["objects"].items()}
    others = {name: tuple(body[name]) for name in _OTHER_OBSERVATIONS if name in body}
    return SteadyState(objects, **others)


_READERS: Mapping[str, Callable[[Mapping[str, Json]], Observation]] = {
    "admitted": read_admission,
    "rejected": read_admission,
    "deleted": lambda body: Done(body["outcome"]),
    "done": lambda body: Done(body["outcome"]),
    "found": lambda body: Read(msgspec.convert(body, _Found).object),
    "missing": lambda _: Read(None),
    "settled": _steady_state,
}


def write(answer: ClusterAnswer) -> dict[str, Json]:
    """Return the body of a `result` without its status."""
    return {
        "outcome": "observed",
        "observations": [_body_of(observation) for observation in answer.observations],
    }


def _body_of(observation: Observation) -> dict[str, Json]:
    match observation:
        case AdmissionAnswer():
            return write_admission(observation)
        case Done(outcome=outcome):
            return {"outcome": outcome}
        case Read(object=None):
            return {"outcome": "missing"}
        case Read(object=served):
            return {"outcome": "found", "object": served}
        case SteadyState(objects=objects):
            return {
                "outcome": "settled",
                "objects": {name: list(items) for name, items in objects.items()},
                **{
                    name: list(entries)
                    for name, entries in observation.other_observations.items()
                    if entries is not None
                },
            }

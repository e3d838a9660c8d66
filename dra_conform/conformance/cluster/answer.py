"""The observations of a multi-step scenario, and their form in the body of a `result`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from dra_conform.conformance.admit import answer as admission
from dra_conform.conformance.admit.answer import AdmissionAnswer
from dra_conform.conformance.cluster.served_types import check_types

Json = Any


@dataclass(frozen=True, slots=True)
class Done:
    """An action on the cluster itself has happened; `deleted` or `done`."""

    outcome: str


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: an object as served, None where there is none."""

    object: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class Settled:
    """The state of a cluster at rest: all objects as served in v1, by the name of their collection.

    `events`, `attempts` (to schedule a pod), `prepared` (what kubelets asked drivers to prepare) and
    `metrics` (by how much each has grown) are those since the cluster was at rest before; None where they are
    not told.
    """

    objects: Mapping[str, tuple[Json, ...]]
    events: tuple[Json, ...] | None = None
    attempts: tuple[Json, ...] | None = None
    prepared: tuple[Json, ...] | None = None
    metrics: tuple[Json, ...] | None = None

    @property
    def beside(self) -> Mapping[str, tuple[Json, ...] | None]:
        """What is told beside the objects, by name."""
        return {name: getattr(self, name) for name in _TOLD_BESIDE}


Observation = AdmissionAnswer | Done | Read | Settled


@dataclass(frozen=True, slots=True)
class StoryAnswer:
    """The observations of a story, one for each action, in order."""

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


class _Grown(msgspec.Struct):
    name: str
    growth: int
    labels: dict[str, str] = {}


class _Settled(msgspec.Struct):
    objects: dict[str, list[dict[str, Any]]]
    events: list[_Event] = []
    attempts: list[_Attempt] = []
    prepared: list[_Prepared] = []
    metrics: list[_Grown] = []


class _Found(msgspec.Struct):
    object: dict[str, Any]


class _Told(msgspec.Struct):
    outcome: Literal["told"]
    observations: list[dict[str, Any]]


_TOLD_BESIDE = ("events", "attempts", "prepared", "metrics")


def read(body: Mapping[str, Json]) -> StoryAnswer:
    """The answer in the body of a `result` with status ok; raises ValueError that says what is wrong."""
    if "outcome" not in body:
        raise ValueError("status ok without an outcome")
    return StoryAnswer(tuple(map(_read_one, msgspec.convert(body, _Told).observations)))


def _read_one(body: Mapping[str, Json]) -> Observation:
    outcome = str(body.get("outcome"))
    if outcome not in _READERS:
        raise ValueError(f"an observation with the outcome {outcome!r}, expected {', '.join(_READERS)}")
    return _READERS[outcome](body)


def _settled(body: Mapping[str, Json]) -> Settled:
    msgspec.convert(body, _Settled)
    check_types(body["objects"])
    objects = {name: tuple(several) for name, several in body["objects"].items()}
    told = {name: tuple(body[name]) for name in _TOLD_BESIDE if name in body}
    return Settled(objects, **told)


_READERS: Mapping[str, Callable[[Mapping[str, Json]], Observation]] = {
    "admitted": admission.read,
    "rejected": admission.read,
    "deleted": lambda body: Done(body["outcome"]),
    "done": lambda body: Done(body["outcome"]),
    "found": lambda body: Read(msgspec.convert(body, _Found).object),
    "missing": lambda _: Read(None),
    "settled": _settled,
}


def write(answer: StoryAnswer) -> dict[str, Json]:
    """The body of a `result` without its status."""
    return {"outcome": "told", "observations": [_written(one) for one in answer.observations]}


def _written(observation: Observation) -> dict[str, Json]:
    match observation:
        case AdmissionAnswer():
            return admission.write(observation)
        case Done(outcome=outcome):
            return {"outcome": outcome}
        case Read(object=None):
            return {"outcome": "missing"}
        case Read(object=found):
            return {"outcome": "found", "object": found}
        case Settled(objects=objects):
            return {
                "outcome": "settled",
                "objects": {name: list(several) for name, several in objects.items()},
                **{name: list(one) for name, one in observation.beside.items() if one is not None},
            }

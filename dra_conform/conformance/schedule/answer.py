"""The observed scheduling attempts, and their form in the body of a `result`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

import msgspec

from dra_conform.conformance.answer_limits import Entries, all_shortened
from dra_conform.conformance.served_types import check_types
from dra_conform.kube.json_values import Json, UncheckedJson


class AttemptPhase(StrEnum):
    """The extension points of the scheduling framework that an attempt goes through, in order."""

    PRE_ENQUEUE = "PreEnqueue"
    PRE_FILTER = "PreFilter"
    FILTER = "Filter"
    POST_FILTER = "PostFilter"
    RESERVE = "Reserve"
    PRE_BIND = "PreBind"
    BIND = "Bind"
    UNRESERVE = "Unreserve"


class AttemptCode(StrEnum):
    """The result of a phase. `WAIT`: the phase has not ended, because devices are not ready yet."""

    SUCCESS = "Success"
    UNSCHEDULABLE = "Unschedulable"
    UNRESOLVABLE = "UnschedulableAndUnresolvable"
    ERROR = "Error"
    WAIT = "Wait"


@dataclass(frozen=True, slots=True)
class PhaseEnd:
    """The result of a phase on a node.

    `objects`: the stored ResourceClaims and Pods after the phase. `in_flight`: references to ResourceClaims
    with an allocation that is decided, but not stored yet. Both are None for a phase that changes nothing.
    """

    phase: AttemptPhase
    code: AttemptCode
    node: str = ""
    reasons: tuple[str, ...] = ()
    objects: Mapping[str, Sequence[UncheckedJson]] | None = None
    in_flight: tuple[Mapping[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class ObservedAttempt:
    """The phases of an attempt, in order."""

    phases: tuple[PhaseEnd, ...]


@dataclass(frozen=True, slots=True)
class ObservedChange:
    """The pods (`namespace/name`) whose scheduling is retried because an object has changed."""

    tried_again: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class ConfiguredFailure:
    """The acknowledgement that a write will fail."""


AttemptObservation = ObservedAttempt | ObservedChange | ConfiguredFailure


@dataclass(frozen=True, slots=True)
class ScheduleAnswer:
    """One observation for each action, in order."""

    observations: tuple[AttemptObservation, ...]


class _PhaseEnd(msgspec.Struct, rename="camel"):
    phase: AttemptPhase
    code: AttemptCode
    node: str = ""
    reasons: Entries[str] = []
    objects: dict[str, list[dict[str, Any]]] | None = None
    in_flight: list[dict[str, str]] | None = None


class _Attempted(msgspec.Struct):
    phases: list[_PhaseEnd]


class _Changed(msgspec.Struct, rename="camel"):
    tried_again: list[str]


class _Answer(msgspec.Struct):
    outcome: Literal["tried"]
    observations: list[dict[str, Any]]


def read(body: Mapping[str, UncheckedJson]) -> ScheduleAnswer:
    """Return the answer in the body of a `result` with status ok; raises ValueError if it is malformed."""
    if "outcome" not in body:
        raise ValueError("the reply has status ok but no outcome, expected an outcome")
    return ScheduleAnswer(tuple(map(_read_observation, msgspec.convert(body, _Answer).observations)))


def _read_observation(body: Mapping[str, UncheckedJson]) -> AttemptObservation:
    outcome = str(body.get("outcome"))
    if outcome not in _READERS:
        raise ValueError(f"an observation has the outcome {outcome!r}, expected one of {', '.join(_READERS)}")
    return _READERS[outcome](body)


def _attempted(body: Mapping[str, UncheckedJson]) -> ObservedAttempt:
    read_phases = msgspec.convert(body, _Attempted).phases
    for phase in read_phases:
        check_types(phase.objects or {})
    return ObservedAttempt(
        tuple(
            PhaseEnd(
                phase.phase,
                phase.code,
                phase.node,
                all_shortened(phase.reasons),
                phase.objects,
                None if phase.in_flight is None else tuple(phase.in_flight),
            )
            for phase in read_phases
        )
    )


_READERS: Mapping[str, Callable[[Mapping[str, UncheckedJson]], AttemptObservation]] = {
    "attempted": _attempted,
    "changed": lambda body: ObservedChange(frozenset(msgspec.convert(body, _Changed).tried_again)),
    "done": lambda _: ConfiguredFailure(),
}


def write(answer: ScheduleAnswer) -> dict[str, Json]:
    """Return the body of a `result` without its status."""
    return {
        "outcome": "tried",
        "observations": [_body_of(observation) for observation in answer.observations],
    }


def _body_of(observation: AttemptObservation) -> dict[str, UncheckedJson]:
    match observation:
        case ObservedAttempt(phases=phases):
            return {"outcome": "attempted", "phases": [written_phase(phase) for phase in phases]}
        case ObservedChange(tried_again=tried_again):
            return {"outcome": "changed", "triedAgain": sorted(tried_again)}
        case ConfiguredFailure():
            return {"outcome": "done"}


def written_phase(end: PhaseEnd) -> dict[str, UncheckedJson]:
    """Return the result of a phase in its wire form."""
    body: dict[str, UncheckedJson] = {"phase": end.phase.value, "code": end.code.value}
    if end.node:
        body["node"] = end.node
    if end.reasons:
        body["reasons"] = list(end.reasons)
    if end.objects is not None:
        body["objects"] = {name: list(items) for name, items in end.objects.items()}
    if end.in_flight is not None:
        body["inFlight"] = [dict(ref) for ref in end.in_flight]
    return body

"""The expectations and the observations of attempts as documents that can be compared, by step."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.admit.judging import same
from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster.references import reference
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.schedule.answer import (
    AttemptPhase,
    PhaseEnd,
    ScheduleAnswer,
    read,
    write,
)
from dra_conform.conformance.schedule.expectation import ScheduleExpectation, StoredAfter
from dra_conform.conformance.schedule.judging import last, stored_value
from dra_conform.kube.field_paths import ABSENT

Json = Any

_ABSENT = "(absent)"
_UNREACHED = "(not reached)"
_IN_FLIGHT = "in flight"
_AGAIN = "is retried"


def expected(expectations: Expectations) -> Json:
    """Return the expected phases, stored objects and retries of each step, numbered from 1."""
    return {
        f"step {number}": _demanded(expectation)
        for number, expectation in enumerate(expectations, 1)
        if isinstance(expectation, ScheduleExpectation)
    }


def _demanded(expectation: ScheduleExpectation) -> dict[str, Json]:
    document: dict[str, Json] = {}
    for end in expectation.ends:
        code = _UNREACHED if end.code is None else end.code.value
        document[f"{end.phase} on {end.node}" if end.node else end.phase.value] = code
    for in_flight in expectation.in_flight:
        references = [reference("ResourceClaim", name) for name in in_flight.claims]
        document[f"after {in_flight.phase}: {_IN_FLIGHT}"] = references
    for stored in expectation.stored:
        value = _ABSENT if stored.value is ABSENT else stored.value
        document[f"after {stored.phase}: {stored.path} of {stored.subject}"] = value
    for retry in expectation.retries:
        document[f"{retry.pod} {_AGAIN}"] = retry.again
    return document


def actual(answer: ScheduleAnswer) -> Json:
    """Return the observation of each step, numbered from 1."""
    return {
        f"step {number}": observation for number, observation in enumerate(write(answer)["observations"], 1)
    }


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Keep only the observations with an expectation."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    compared = {step: _compared(values, answer[step]) for step, values in wanted.items() if step in answer}
    return wanted, compared


def _compared(wanted: dict[str, Json], observed: Json) -> dict[str, Json]:
    [observation] = read({"outcome": "tried", "observations": [observed]}).observations
    phases: tuple[PhaseEnd, ...] = getattr(observation, "phases", ())
    again: frozenset[str] = getattr(observation, "tried_again", frozenset())
    return {
        label: _observed_value(label, expected_value, phases, again)
        for label, expected_value in wanted.items()
    }


def _observed_value(
    label: str, expected_value: Json, phases: tuple[PhaseEnd, ...], again: frozenset[str]
) -> Json:
    if label.endswith(_AGAIN):
        return label.removesuffix(f" {_AGAIN}") in again
    if not label.startswith("after "):
        phase, _, node = label.partition(" on ")
        codes = [end.code.value for end in phases if end.phase == phase and node in ("", end.node)]
        return (
            expected_value
            if codes and set(codes) == {expected_value}
            else (codes[-1] if codes else _UNREACHED)
        )
    phase, _, rest = label.removeprefix("after ").partition(": ")
    end = last(phases, AttemptPhase(phase))
    if end is None:
        return _UNREACHED
    if rest == _IN_FLIGHT:
        claims = [dict(ref) for ref in end.in_flight or ()]
        return expected_value if sorted(map(str, claims)) == sorted(map(str, expected_value)) else claims
    path, _, subject = rest.partition(" of ")
    kind, _, name = subject.partition(" ")
    value = stored_value(end, StoredAfter(end.phase, kind, name, path, None))
    shown = _ABSENT if value is ABSENT else value
    return expected_value if same(expected_value, shown) else shown

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
        f"step {number}": _demanded(one)
        for number, one in enumerate(expectations, 1)
        if isinstance(one, ScheduleExpectation)
    }


def _demanded(expectation: ScheduleExpectation) -> dict[str, Json]:
    document: dict[str, Json] = {}
    for end in expectation.ends:
        code = _UNREACHED if end.code is None else end.code.value
        document[f"{end.phase} on {end.node}" if end.node else end.phase.value] = code
    for flying in expectation.in_flight:
        references = [reference("ResourceClaim", name) for name in flying.claims]
        document[f"after {flying.phase}: {_IN_FLIGHT}"] = references
    for stored in expectation.stored:
        value = _ABSENT if stored.value is ABSENT else stored.value
        document[f"after {stored.phase}: {stored.path} of {stored.subject}"] = value
    for retry in expectation.retries:
        document[f"{retry.pod} {_AGAIN}"] = retry.again
    return document


def actual(answer: ScheduleAnswer) -> Json:
    """Return the observation of each step, numbered from 1."""
    return {f"step {number}": one for number, one in enumerate(write(answer)["observations"], 1)}


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Keep only the observations with an expectation."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    compared = {step: _compared(said, answer[step]) for step, said in wanted.items() if step in answer}
    return wanted, compared


def _compared(wanted: dict[str, Json], observed: Json) -> dict[str, Json]:
    [observation] = read({"outcome": "tried", "observations": [observed]}).observations
    phases: tuple[PhaseEnd, ...] = getattr(observation, "phases", ())
    again: frozenset[str] = getattr(observation, "tried_again", frozenset())
    return {what: _one(what, said, phases, again) for what, said in wanted.items()}


def _one(what: str, said: Json, phases: tuple[PhaseEnd, ...], again: frozenset[str]) -> Json:
    if what.endswith(_AGAIN):
        return what.removesuffix(f" {_AGAIN}") in again
    if not what.startswith("after "):
        phase, _, node = what.partition(" on ")
        codes = [one.code.value for one in phases if one.phase == phase and node in ("", one.node)]
        return said if codes and set(codes) == {said} else (codes[-1] if codes else _UNREACHED)
    phase, _, rest = what.removeprefix("after ").partition(": ")
    end = last(phases, AttemptPhase(phase))
    if end is None:
        return _UNREACHED
    if rest == _IN_FLIGHT:
        claims = [dict(one) for one in end.in_flight or ()]
        return said if sorted(map(str, claims)) == sorted(map(str, said)) else claims
    path, _, subject = rest.partition(" of ")
    kind, _, name = subject.partition(" ")
    value = stored_value(end, StoredAfter(end.phase, kind, name, path, None))
    shown = _ABSENT if value is ABSENT else value
    return said if same(said, shown) else shown

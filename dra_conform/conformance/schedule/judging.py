"""The judge of scheduling attempts: compares each phase that the case names with its expectation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dra_conform.conformance.admit.judging import same
from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster.observed_scenario import seen
from dra_conform.conformance.cluster.references import found, reference
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.schedule.answer import (
    AttemptObservation,
    AttemptPhase,
    AttemptSeen,
    ChangeSeen,
    PhaseEnd,
    ScheduleAnswer,
)
from dra_conform.conformance.schedule.expectation import (
    DEVICES,
    ExpectedEnd,
    ExpectedInFlight,
    ScheduleExpectation,
    StoredAfter,
)
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.profile import Profile

Json = Any
_Problems = Iterator[tuple[Kind, Finding]]


def judge(
    case: Case, profile: Profile, expectations: Expectations, answer: ScheduleAnswer, strict: bool
) -> Judgement:
    """First that each action has its observation, then act by act."""
    actions = case.ask["actions"]
    if len(answer.observations) != len(actions):
        message = f"{len(actions)} actions have {len(answer.observations)} observations"
        return Judgement(Verdict.FAIL, Kind.WRONG_OUTCOME, (Finding("shape", message),))
    problems = [
        (kind, replace(finding, act=act))
        for act, expectation in enumerate(expectations)
        if isinstance(expectation, ScheduleExpectation)
        for kind, finding in _of_act(expectation, answer.observations[act])
    ]
    if problems:
        return Judgement(Verdict.FAIL, problems[0][0], tuple(finding for _, finding in problems))
    return PASSED


def _of_act(expectation: ScheduleExpectation, observed: AttemptObservation) -> _Problems:
    phases = observed.phases if isinstance(observed, AttemptSeen) else ()
    for end in expectation.ends:
        yield from _of_end(end, phases)
    for flying in expectation.in_flight:
        yield from _of_flight(flying, last(phases, flying.phase))
    for stored in expectation.stored:
        yield from _of_stored(stored, last(phases, stored.phase))
    tried_again = observed.tried_again if isinstance(observed, ChangeSeen) else frozenset[str]()
    for retry in expectation.retries:
        if (retry.pod in tried_again) is not retry.again:
            said = "is not retried" if retry.again else "is retried"
            yield Kind.WRONG_RESULT, Finding("expectation", f"pod {retry.pod} {said}", step=retry.step)


def _of_end(expected: ExpectedEnd, phases: Sequence[PhaseEnd]) -> _Problems:
    where = f"{expected.phase} on node {expected.node}" if expected.node else expected.phase.value
    of_phase = [one for one in phases if one.phase is expected.phase and expected.node in ("", one.node)]
    if expected.code is None:
        if of_phase:
            message = f"{where} returns {of_phase[-1].code}, expected that it is not reached"
            yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=expected.step)
        return
    if not of_phase:
        message = f"{where} is not reached, expected that it returns {expected.code}"
        yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=expected.step)
    for one in of_phase:
        if one.code is not expected.code:
            because = f" ({'; '.join(one.reasons)})" if one.reasons else ""
            message = f"{where} returns {one.code}{because}, expected {expected.code}"
            yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=expected.step)
        elif not any(expected.words.lower() in reason.lower() for reason in one.reasons or ("",)):
            message = f"{where} says {'; '.join(one.reasons)!r}, expected a reason with {expected.words!r}"
            yield Kind.WRONG_REASON, Finding("expectation", message, step=expected.step)


def last(phases: Sequence[PhaseEnd], phase: AttemptPhase) -> PhaseEnd | None:
    """How a phase ended the last time, None where it was not reached."""
    return next((one for one in reversed(phases) if one.phase is phase), None)


def _of_flight(expected: ExpectedInFlight, end: PhaseEnd | None) -> _Problems:
    wrong = ""
    if end is None or end.in_flight is None:
        wrong = f"what is in flight after {expected.phase} is not told"
    else:
        wanted = [reference("ResourceClaim", name) for name in expected.claims]
        told = [dict(one) for one in end.in_flight]
        if sorted(map(_text, wanted)) != sorted(map(_text, told)):
            names = ", ".join(map(_text, told)) or "no ResourceClaim"
            wrong = f"after {expected.phase} {names} is in flight"
    if wrong:
        yield Kind.WRONG_RESULT, Finding("expectation", wrong, step=expected.step)


def _text(meant: dict[str, str]) -> str:
    """A reference for people: of a claim that the scheduler makes, whose it is."""
    if "specialOf" in meant:
        return f"the extended-resource claim of pod {meant['specialOf']}"
    return f"ResourceClaim {meant.get('namespace', 'default')}/{meant.get('name')}"


def _of_stored(expected: StoredAfter, end: PhaseEnd | None) -> _Problems:
    if end is None or end.objects is None:
        message = f"{expected.phase} is not reached, or what is stored after it is not told"
        yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=expected.step)
        return
    value = stored_value(end, expected)
    if not same(expected.value, value):
        message = f"{expected.path} of {expected.subject} should be {expected.value!r}, it is {value!r}"
        yield (
            Kind.WRONG_RESULT,
            Finding("expectation", f"after {expected.phase} {message}", step=expected.step),
        )


def stored_value(end: PhaseEnd, expected: StoredAfter) -> Json:
    """What is stored after a phase of the field that is spoken of, ABSENT for nothing."""
    one = found(end.objects or {}, reference(expected.kind, expected.name))
    if expected.path != DEVICES:
        return seen(one, expected.path)
    if one is None:
        return "(no such claim)"
    results: Json = field_at(one, "status.allocation.devices.results")
    return ABSENT if results is ABSENT else sorted(str(result.get("device")) for result in results)

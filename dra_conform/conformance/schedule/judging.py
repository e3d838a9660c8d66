"""The judge of scheduling attempts, and the documents of a wrong answer, by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dra_conform.conformance.object_references import find_object, reference
from dra_conform.conformance.observed_fields import difference, observed_field, same
from dra_conform.conformance.schedule.answer import (
    AttemptObservation,
    AttemptPhase,
    ObservedAttempt,
    ObservedChange,
    PhaseEnd,
    ScheduleAnswer,
    read,
    write,
)
from dra_conform.conformance.schedule.expectation import (
    DEVICES,
    ExpectedEnd,
    ExpectedInFlight,
    ScheduleExpectation,
    StoredAfter,
)
from dra_conform.conformance.served_fields import without_empty_fields
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json

_Problems = Iterator[tuple[Kind, Finding]]


def judge(
    actions: Sequence[Json],
    expectations: Sequence[ScheduleExpectation | None],
    answer: ScheduleAnswer,
    *,
    choice_counts: bool,
) -> Judgement:
    """Judge the number of observations, then each step.

    Without `choice_counts`, allocated devices are not compared.
    """
    if len(answer.observations) != len(actions):
        message = f"expected {len(actions)} observations, one for each action, got {len(answer.observations)}"
        return Judgement(Verdict.FAIL, Kind.WRONG_OUTCOME, (Finding("shape", message),))
    problems = [
        (kind, replace(finding, case_step=step))
        for step, expectation in enumerate(expectations)
        if expectation is not None
        for kind, finding in _of_step(expectation, answer.observations[step], choice_counts=choice_counts)
    ]
    if problems:
        return Judgement(Verdict.FAIL, problems[0][0], tuple(finding for _, finding in problems))
    return PASSED


def _of_step(
    expectation: ScheduleExpectation, observed: AttemptObservation, *, choice_counts: bool
) -> _Problems:
    """Yield the problems of a step."""
    phases = observed.phases if isinstance(observed, ObservedAttempt) else ()
    for end in expectation.ends:
        yield from _of_end(end, phases)
    for in_flight in expectation.in_flight:
        yield from _of_flight(in_flight, last(phases, in_flight.phase))
    for stored in expectation.stored:
        if stored.path == DEVICES and not choice_counts:
            continue
        yield from _of_stored(stored, last(phases, stored.phase))
    tried_again = observed.tried_again if isinstance(observed, ObservedChange) else frozenset[str]()
    for retry in expectation.retries:
        if (retry.pod in tried_again) is not retry.again:
            message = "expected a retry, got none" if retry.again else "expected no retry, got one"
            yield Kind.WRONG_RESULT, Finding("expectation", f"pod {retry.pod}: {message}", step=retry.step)


def _of_end(expected: ExpectedEnd, phases: Sequence[PhaseEnd]) -> _Problems:
    where = f"{expected.phase} on node {expected.node}" if expected.node else expected.phase.value
    of_phase = [end for end in phases if end.phase is expected.phase and expected.node in ("", end.node)]
    if expected.code is None:
        if of_phase:
            message = f"{where}: expected not to be reached, got {of_phase[-1].code}"
            yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=expected.step)
        return
    if not of_phase:
        message = f"{where}: expected {expected.code}, but the phase is not reached"
        yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=expected.step)
    for end in of_phase:
        if end.code is not expected.code:
            because = f" ({'; '.join(end.reasons)})" if end.reasons else ""
            message = f"{where}: expected {expected.code}, got {end.code}{because}"
            yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=expected.step)
        elif not any(expected.words.lower() in reason.lower() for reason in end.reasons or ("",)):
            message = f"{where}: expected a reason with {expected.words!r}, got {'; '.join(end.reasons)!r}"
            yield Kind.WRONG_REASON, Finding("expectation", message, step=expected.step)


def last(phases: Sequence[PhaseEnd], phase: AttemptPhase) -> PhaseEnd | None:
    """Return the last result of a phase, None if it was not reached."""
    return next((end for end in reversed(phases) if end.phase is phase), None)


def _of_flight(expected: ExpectedInFlight, end: PhaseEnd | None) -> _Problems:
    wrong = ""
    if end is None or end.in_flight is None:
        wrong = f"after {expected.phase}: expected ResourceClaims in flight, but they are not reported"
    else:
        wanted = [reference("ResourceClaim", name) for name in expected.claims]
        claims = [dict(ref) for ref in end.in_flight]
        if sorted(map(_text, wanted)) != sorted(map(_text, claims)):
            names, got = (", ".join(map(_text, references)) or "none" for references in (wanted, claims))
            wrong = f"after {expected.phase}: expected in flight: {names}; got: {got}"
    if wrong:
        yield Kind.WRONG_RESULT, Finding("expectation", wrong, step=expected.step)


def _text(ref: dict[str, str]) -> str:
    """Return the words for a reference to a ResourceClaim; an extended-resource claim is named by its pod."""
    if "specialOf" in ref:
        return f"the extended-resource claim of pod {ref['specialOf']}"
    return f"ResourceClaim {ref.get('namespace', 'default')}/{ref.get('name')}"


def _of_stored(expected: StoredAfter, end: PhaseEnd | None) -> _Problems:
    if end is None or end.objects is None:
        message = f"after {expected.phase}: the phase is not reached, or stored objects are not reported"
        yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=expected.step)
        return
    value = stored_value(end, expected)
    if not same(expected.value, value, expected.path):
        change = difference(expected.value, value, expected.path, expected.subject)
        message = f"after {expected.phase}: {change}"
        yield Kind.WRONG_RESULT, Finding("expectation", message, step=expected.step)


def stored_value(end: PhaseEnd, expected: StoredAfter) -> Json:
    """Return the stored value of the expected field after a phase, ABSENT if it is not set."""
    raw = without_empty_fields(find_object(end.objects or {}, reference(expected.kind, expected.name)))
    if expected.path != DEVICES:
        return observed_field(raw, expected.path)
    if raw is None:
        return "(no such ResourceClaim)"
    results: Json = field_at(raw, "status.allocation.devices.results")
    return ABSENT if results is ABSENT else sorted(str(result.get("device")) for result in results)


_ABSENT = "(absent)"
_UNREACHED = "(not reached)"
_IN_FLIGHT = "in flight"
_AGAIN = "is retried"


def expected(expectations: Sequence[ScheduleExpectation | None]) -> dict[str, Json]:
    """Return the expected phases, stored objects and retries of each step, numbered from 1."""
    return {
        f"step {number}": _demanded(expectation)
        for number, expectation in enumerate(expectations, 1)
        if expectation is not None
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


def actual(answer: ScheduleAnswer) -> dict[str, Json]:
    """Return the observation of each step, numbered from 1."""
    return {
        f"step {number}": observation for number, observation in enumerate(write(answer)["observations"], 1)
    }


def align(wanted: Json, answer: Json) -> tuple[Json, Json]:
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
    return expected_value if same(expected_value, shown, path) else shown

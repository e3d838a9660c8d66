"""The expectation of one step: codes of phases, stored objects, claims in flight, retried pods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from dra_conform.conformance.schedule.answer import AttemptCode, AttemptPhase
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.field_paths import ABSENT
from dra_conform.kube.json_values import Json

DEVICES = "devices"
"""The path of the sorted names of allocated devices; absent if there are none."""


@dataclass(frozen=True, slots=True)
class ExpectedEnd:
    """The expected result of a phase, on one node or on all its nodes.

    If `code` is None, the phase must not be reached.

    One of the reasons contains `words`, ignoring case.
    """

    phase: AttemptPhase
    code: AttemptCode | None
    node: str = ""
    words: str = ""
    step: int = 0


@dataclass(frozen=True, slots=True)
class ExpectedInFlight:
    """All ResourceClaims in flight after a phase, by their names in the case."""

    phase: AttemptPhase
    claims: tuple[str, ...]
    step: int = 0


@dataclass(frozen=True, slots=True)
class StoredAfter:
    """The expected value of a field of a stored object after a phase; ABSENT if it must not be set.

    The path `metadata` is absent if the object does not exist.
    """

    phase: AttemptPhase
    kind: str
    name: str
    path: str
    value: Json
    step: int = 0

    @property
    def subject(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class ExpectedRetry:
    """Whether scheduling of a pod (`namespace/name`) is retried because an object has changed."""

    pod: str
    again: bool
    step: int = 0


@dataclass(frozen=True, slots=True)
class ScheduleExpectation:
    """The correct observation of one step."""

    ends: tuple[ExpectedEnd, ...] = ()
    in_flight: tuple[ExpectedInFlight, ...] = ()
    stored: tuple[StoredAfter, ...] = ()
    retries: tuple[ExpectedRetry, ...] = ()
    steps: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool:
        return any(retry.again for retry in self.retries) or any(
            end.code in (AttemptCode.SUCCESS, AttemptCode.WAIT) for end in self.ends
        )

    @property
    def rejects(self) -> bool:
        return any(not retry.again for retry in self.retries) or any(
            end.code not in (AttemptCode.SUCCESS, AttemptCode.WAIT) for end in self.ends
        )


@dataclass
class ScheduleExpectationBuilder:
    """Collects the Then steps of the step with index `step_index` of the question `ask`."""

    ask: Mapping[str, Json]
    step_index: int
    ends: list[ExpectedEnd] = field(default_factory=list)
    in_flight: list[ExpectedInFlight] = field(default_factory=list)
    stored: list[StoredAfter] = field(default_factory=list)
    retries: list[ExpectedRetry] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    @property
    def step(self) -> int:
        """The index of the current Then step."""
        return len(self.steps) - 1

    def require_attempt(self) -> None:
        """Raise StepError unless the step is a scheduling attempt."""
        if self.ask["actions"][self.step_index]["do"] not in ("try", "bind", "give-up"):
            raise StepError("checks a scheduling attempt, expected a When step that attempts it before it")

    def require_change(self) -> None:
        """Raise StepError unless the step changes an object."""
        if self.ask["actions"][self.step_index]["do"] not in ("create", "change", "delete"):
            raise StepError("checks a retry, expected a When step that changes an object before it")

    def build(self) -> ScheduleExpectation:
        """Return the expectation; raises StepError if there was no Then step."""
        if not self.steps:
            raise StepError("has no outcome, expected at least one Then step")
        return ScheduleExpectation(
            tuple(self.ends),
            tuple(self.in_flight),
            tuple(self.stored),
            tuple(self.retries),
            tuple(self.steps),
        )


def negations(expectation: ScheduleExpectation) -> Iterator[tuple[str, ScheduleExpectation]]:
    """Yield the expectation with one of its parts negated."""
    for end in expectation.ends:
        ends = tuple(_other_end(known) if known is end else known for known in expectation.ends)
        yield _words(expectation, end.step), replace(expectation, ends=ends)
    for expected in expectation.in_flight:
        more = replace(expected, claims=(*expected.claims, "no-such-claim"))
        in_flight = tuple(more if known is expected else known for known in expectation.in_flight)
        yield _words(expectation, expected.step), replace(expectation, in_flight=in_flight)
    for stored in expectation.stored:
        negated = tuple(_other_value(known) if known is stored else known for known in expectation.stored)
        yield _words(expectation, stored.step), replace(expectation, stored=negated)
    for retry in expectation.retries:
        retries = tuple(
            replace(known, again=not known.again) if known is retry else known
            for known in expectation.retries
        )
        yield _words(expectation, retry.step), replace(expectation, retries=retries)


def _words(expectation: ScheduleExpectation, step: int) -> str:
    return f"step {expectation.steps[step]!r}"


def _other_end(end: ExpectedEnd) -> ExpectedEnd:
    return replace(end, code=AttemptCode.ERROR if end.code is not AttemptCode.ERROR else AttemptCode.SUCCESS)


def _other_value(stored: StoredAfter) -> StoredAfter:
    if stored.value is ABSENT:
        return replace(stored, value="no such value")
    return replace(stored, value=["no such value"] if stored.path == "status.reservedFor" else ABSENT)

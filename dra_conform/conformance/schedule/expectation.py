"""The expectation of one step: codes of phases, stored objects, claims in flight, retried pods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.schedule.answer import AttemptCode, AttemptPhase
from dra_conform.conformance.steps.step import StepError

Json = Any

DEVICES = "devices"
"""The path of the names of the devices that a claim has been allocated, sorted; absent for none."""


@dataclass(frozen=True, slots=True)
class ExpectedEnd:
    """How a phase ends, on a node or on all that it is about; without a code it is not reached.

    `words` are in one of the reasons, in any case.
    """

    phase: AttemptPhase
    code: AttemptCode | None
    node: str = ""
    words: str = ""
    step: int = 0


@dataclass(frozen=True, slots=True)
class ExpectedInFlight:
    """The claims that are in flight after a phase, all of them, as cases name them."""

    phase: AttemptPhase
    claims: tuple[str, ...]
    step: int = 0


@dataclass(frozen=True, slots=True)
class StoredAfter:
    """One field of an object as it is stored after a phase; ABSENT where it must not be there.

    The path `metadata` is absent where the object does not exist.
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
    """Whether a pod (`namespace/name`) is tried again because an object has changed."""

    pod: str
    again: bool
    step: int = 0


@dataclass(frozen=True, slots=True)
class ScheduleExpectation:
    """What is right of one act."""

    ends: tuple[ExpectedEnd, ...] = ()
    in_flight: tuple[ExpectedInFlight, ...] = ()
    stored: tuple[StoredAfter, ...] = ()
    retries: tuple[ExpectedRetry, ...] = ()
    steps: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool:
        return any(one.again for one in self.retries) or any(
            one.code in (AttemptCode.SUCCESS, AttemptCode.WAIT) for one in self.ends
        )

    @property
    def refuses(self) -> bool:
        return any(not one.again for one in self.retries) or any(
            one.code not in (AttemptCode.SUCCESS, AttemptCode.WAIT) for one in self.ends
        )


@dataclass
class ScheduleExpectationBuilder:
    """What the then steps have said so far of act number `act` of the question `ask`."""

    ask: Mapping[str, Json]
    act: int
    ends: list[ExpectedEnd] = field(default_factory=list)
    in_flight: list[ExpectedInFlight] = field(default_factory=list)
    stored: list[StoredAfter] = field(default_factory=list)
    retries: list[ExpectedRetry] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    @property
    def step(self) -> int:
        """The index of the step that is speaking."""
        return len(self.steps) - 1

    def of_attempt(self) -> None:
        """Raises StepError where the act is no attempt."""
        if self.ask["actions"][self.act]["do"] not in ("try", "bind", "give-up"):
            raise StepError("is about a scheduling attempt, expected it after a step that attempts one")

    def of_change(self) -> None:
        """Raises StepError where the act changes no object."""
        if self.ask["actions"][self.act]["do"] not in ("create", "change", "delete"):
            raise StepError("is about a retry, expected it after a step that changes an object")

    def build(self) -> ScheduleExpectation:
        """The expectation; raises StepError where no step says anything."""
        if not self.steps:
            raise StepError("has no outcome, expected at least one Then step")
        return ScheduleExpectation(
            tuple(self.ends),
            tuple(self.in_flight),
            tuple(self.stored),
            tuple(self.retries),
            tuple(self.steps),
        )

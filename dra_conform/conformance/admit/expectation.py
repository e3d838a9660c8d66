"""The expectation of a write: stored or rejected, with which fields or errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dra_conform.conformance.admit.answer import Admission
from dra_conform.conformance.steps.step import StepError

Json = Any


class _Present:
    """Any value of a field."""

    def __repr__(self) -> str:
        return "set"


PRESENT: Final = _Present()


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """One field error that must be among those reported; what is None is left open."""

    type: str | None = None
    path: str | None = None
    step: int = 0

    def __str__(self) -> str:
        return f"{self.type or 'an error'} at {self.path or 'any field'}"


@dataclass(frozen=True, slots=True)
class ExpectedField:
    """One field of the stored object: its path and its value; `PRESENT` for any, `ABSENT` for none."""

    path: str
    value: Json
    step: int = 0


@dataclass(frozen=True, slots=True)
class ExpectedWarning:
    """Words that are in one of the warnings, in any case; None where there must be no warning."""

    words: str | None
    step: int = 0

    def is_in(self, warning: str) -> bool:
        """Whether a warning has the words."""
        return self.words is not None and self.words.lower() in warning.lower()


@dataclass(frozen=True, slots=True)
class AdmissionExpectation:
    """What is right. `reason`: of the API status, where it matters."""

    outcome: Admission
    errors: tuple[ExpectedError, ...] = ()
    fields: tuple[ExpectedField, ...] = ()
    warnings: tuple[ExpectedWarning, ...] = ()
    reason: str | None = None
    steps: tuple[str, ...] = ()

    @property
    def accepts(self) -> bool:
        return self.outcome is Admission.ADMITTED

    @property
    def refuses(self) -> bool:
        return self.outcome is Admission.REJECTED


@dataclass
class AdmissionExpectationBuilder:
    """What the then steps have said so far of the write `ask`."""

    ask: Mapping[str, Json]
    outcome: Admission | None = None
    errors: list[ExpectedError] = field(default_factory=list)
    fields: list[ExpectedField] = field(default_factory=list)
    warnings: list[ExpectedWarning] = field(default_factory=list)
    reason: str | None = None
    steps: list[str] = field(default_factory=list)

    def decide(self, outcome: Admission) -> None:
        """Take the outcome; every then step of an act must mean the same one."""
        if self.outcome not in (None, outcome):
            raise StepError("contradicts the outcome of a step before it, expected one outcome")
        self.outcome = outcome

    def expect_error(self, error_type: str | None, path: str | None) -> None:
        """Take an error; raises StepError where the write is said to be stored."""
        self.decide(Admission.REJECTED)
        self.errors.append(ExpectedError(error_type, path, len(self.steps) - 1))

    def expect_field(self, path: str, value: Json) -> None:
        """Take a field of what is stored; raises StepError where the write is said to be rejected."""
        self.decide(Admission.ADMITTED)
        self.fields.append(ExpectedField(path, value, len(self.steps) - 1))

    def expect_warning(self, words: str | None) -> None:
        """Take a warning, or that there is none; raises StepError where the write is said to be rejected."""
        self.decide(Admission.ADMITTED)
        self.warnings.append(ExpectedWarning(words, len(self.steps) - 1))

    def build(self) -> AdmissionExpectation:
        """The expectation; raises StepError where no step says an outcome."""
        if self.outcome is None:
            raise StepError("has no outcome, expected at least one Then step")
        return AdmissionExpectation(
            self.outcome,
            tuple(self.errors),
            tuple(self.fields),
            tuple(self.warnings),
            self.reason,
            tuple(self.steps),
        )

"""The expectation of a write: stored or rejected, with which fields or errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dra_conform.conformance.admit.answer import Admission
from dra_conform.conformance.steps.step import StepError

Json = Any


class _Present:
    """The expectation of any value of a field."""

    def __repr__(self) -> str:
        return "set"


PRESENT: Final = _Present()


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """One field error that must be reported. A None matches any type or path."""

    type: str | None = None
    path: str | None = None
    step: int = 0

    def __str__(self) -> str:
        return f"{self.type or 'any error'} at {self.path or 'any field'}"


@dataclass(frozen=True, slots=True)
class ExpectedField:
    """The expected value of a field of the stored object: `PRESENT` means any value, `ABSENT` none."""

    path: str
    value: Json
    step: int = 0


@dataclass(frozen=True, slots=True)
class ExpectedWarning:
    """A string that one warning must contain, ignoring case; None if no warning is allowed."""

    words: str | None
    step: int = 0

    def is_in(self, warning: str) -> bool:
        """Whether a warning contains the string."""
        return self.words is not None and self.words.lower() in warning.lower()


@dataclass(frozen=True, slots=True)
class AdmissionExpectation:
    """The correct answer. `reason` is the reason of the API status, None if it is not compared."""

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
    """Collects the Then steps of the write `ask`."""

    ask: Mapping[str, Json]
    outcome: Admission | None = None
    errors: list[ExpectedError] = field(default_factory=list)
    fields: list[ExpectedField] = field(default_factory=list)
    warnings: list[ExpectedWarning] = field(default_factory=list)
    reason: str | None = None
    steps: list[str] = field(default_factory=list)

    def decide(self, outcome: Admission) -> None:
        """Record the outcome; raises StepError if an earlier Then step has a different one."""
        if self.outcome not in (None, outcome):
            raise StepError("contradicts the outcome of an earlier Then step, expected the same outcome")
        self.outcome = outcome

    def expect_error(self, error_type: str | None, path: str | None) -> None:
        """Record an expected error; raises StepError if the write is expected to be admitted."""
        self.decide(Admission.REJECTED)
        self.errors.append(ExpectedError(error_type, path, len(self.steps) - 1))

    def expect_field(self, path: str, value: Json) -> None:
        """Record an expected field; raises StepError if the write is expected to be rejected."""
        self.decide(Admission.ADMITTED)
        self.fields.append(ExpectedField(path, value, len(self.steps) - 1))

    def expect_warning(self, words: str | None) -> None:
        """Record an expected warning, None for no warnings; raises StepError if a rejection is expected."""
        self.decide(Admission.ADMITTED)
        self.warnings.append(ExpectedWarning(words, len(self.steps) - 1))

    def build(self) -> AdmissionExpectation:
        """Return the expectation; raises StepError if no Then step states the outcome."""
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

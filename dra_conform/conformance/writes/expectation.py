"""The expectation of a write: stored or rejected, with which fields or errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from dra_conform.conformance.steps.step import StepError
from dra_conform.conformance.writes.answer import Admission
from dra_conform.kube.field_paths import ABSENT
from dra_conform.kube.json_values import Json


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """One field error that must be reported. None matches any type or path."""

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
    """The correct answer to a write. `reason` is the reason of the API status, None if it is not compared."""

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
    def rejects(self) -> bool:
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


T = TypeVar("T")


def negated_writes(expectation: AdmissionExpectation) -> Iterator[tuple[str, AdmissionExpectation]]:
    """Yield the other outcome, each error at another path, and each field or warning absent or present."""
    other_outcome = next(outcome for outcome in Admission if outcome is not expectation.outcome)
    yield (
        "its outcome",
        replace(expectation, outcome=other_outcome, errors=(), fields=(), warnings=(), reason=None),
    )
    for index, error in enumerate(expectation.errors):
        negated = replace(error, path="no.such.field")
        yield f"the error {error}", replace(expectation, errors=_with(expectation.errors, index, negated))
    for index, expected_field in enumerate(expectation.fields):
        value = "no such value" if expected_field.value is ABSENT else ABSENT
        negated_field = replace(expected_field, value=value)
        fields = _with(expectation.fields, index, negated_field)
        yield f"the field {expected_field.path}", replace(expectation, fields=fields)
    for index, warning in enumerate(expectation.warnings):
        negated_warning = replace(warning, words="" if warning.words is None else None)
        warnings = _with(expectation.warnings, index, negated_warning)
        yield f"the warning {warning.words!r}", replace(expectation, warnings=warnings)
    if expectation.reason is not None:
        yield "its reason", replace(expectation, reason="NoSuchReason")


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])

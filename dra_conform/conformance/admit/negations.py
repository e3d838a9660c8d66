"""Negated expectations of a write: a correct answer must fail each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from dra_conform.conformance.admit.answer import Admission
from dra_conform.conformance.admit.expectation import AdmissionExpectation
from dra_conform.conformance.operation import Expectations
from dra_conform.kube.field_paths import ABSENT

T = TypeVar("T")


def negations(expectations: Expectations) -> Iterator[tuple[str, Expectations]]:
    """Yield the other outcome, each error at another path, and each field or warning absent or present."""
    [expectation] = expectations
    assert isinstance(expectation, AdmissionExpectation)
    other_outcome = next(outcome for outcome in Admission if outcome is not expectation.outcome)
    yield (
        "its outcome",
        (replace(expectation, outcome=other_outcome, errors=(), fields=(), warnings=(), reason=None),),
    )
    for index, error in enumerate(expectation.errors):
        negated = replace(error, path="no.such.field")
        yield f"the error {error}", (replace(expectation, errors=_with(expectation.errors, index, negated)),)
    for index, field in enumerate(expectation.fields):
        value = "no such value" if field.value is ABSENT else ABSENT
        negated_field = replace(field, value=value)
        fields = _with(expectation.fields, index, negated_field)
        yield f"the field {field.path}", (replace(expectation, fields=fields),)
    for index, warning in enumerate(expectation.warnings):
        negated_warning = replace(warning, words="" if warning.words is None else None)
        warnings = _with(expectation.warnings, index, negated_warning)
        yield f"the warning {warning.words!r}", (replace(expectation, warnings=warnings),)
    if expectation.reason is not None:
        yield "its reason", (replace(expectation, reason="NoSuchReason"),)


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])

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
    other = next(one for one in Admission if one is not expectation.outcome)
    yield (
        "its outcome",
        (replace(expectation, outcome=other, errors=(), fields=(), warnings=(), reason=None),),
    )
    for index, error in enumerate(expectation.errors):
        turned = replace(error, path="no.such.field")
        yield f"the error {error}", (replace(expectation, errors=_with(expectation.errors, index, turned)),)
    for index, one in enumerate(expectation.fields):
        value = "no such value" if one.value is ABSENT else ABSENT
        turned_field = replace(one, value=value)
        fields = _with(expectation.fields, index, turned_field)
        yield f"the field {one.path}", (replace(expectation, fields=fields),)
    for index, warning in enumerate(expectation.warnings):
        turned_words = replace(warning, words="" if warning.words is None else None)
        warnings = _with(expectation.warnings, index, turned_words)
        yield f"the warning {warning.words!r}", (replace(expectation, warnings=warnings),)
    if expectation.reason is not None:
        yield "its reason", (replace(expectation, reason="NoSuchReason"),)


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])

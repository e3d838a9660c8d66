"""The judge of a write: compares the decision, the stored object and the errors with the expectation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.conformance.admit.answer import Admission, AdmissionAnswer
from dra_conform.conformance.admit.expectation import PRESENT, AdmissionExpectation, ExpectedError
from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.field_error import FieldError
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity

Json = Any


def judge(
    case: Case, profile: Profile, expectations: Expectations, answer: AdmissionAnswer, strict: bool
) -> Judgement:
    """Judge the only write of a case."""
    [expectation] = expectations
    assert isinstance(expectation, AdmissionExpectation)
    return judge_write(expectation, case.ask["object"], answer, strict)


def judge_write(
    expectation: AdmissionExpectation, written: Mapping[str, Json], answer: AdmissionAnswer, strict: bool
) -> Judgement:
    """Judge a write. Each expected error must be reported; with `strict`, no other errors."""
    if answer.outcome is not expectation.outcome:
        return _failed(Kind.WRONG_OUTCOME, [_outcome(expectation, answer)])
    if answer.outcome is Admission.ADMITTED:
        assert answer.object is not None
        changed = list(_identity(written, answer.object))
        if changed:
            return _failed(Kind.WRONG_RESULT, changed)
        findings = [*_fields(expectation, answer.object), *_warnings(expectation, answer)]
        return _failed(Kind.WRONG_RESULT, findings)
    return _failed(Kind.WRONG_REASON, list(_errors(expectation, answer, strict=strict)))


def _failed(kind: Kind, findings: list[Finding]) -> Judgement:
    return Judgement(Verdict.FAIL, kind, tuple(findings)) if findings else PASSED


def _outcome(expectation: AdmissionExpectation, answer: AdmissionAnswer) -> Finding:
    message = f"expected {expectation.outcome.value}, got {answer.outcome.value}"
    why = "; ".join(map(_in_words, answer.errors[:3])) or answer.message
    return Finding("expectation", message + (f" ({why})" if why else ""), step=0)


def _identity(written: Mapping[str, Json], stored: Mapping[str, Json]) -> Iterator[Finding]:
    """Yield each change of apiVersion, kind, name or namespace between the written and the stored object."""
    for path in ("apiVersion", "kind", "metadata.name", "metadata.namespace"):
        wanted, got = field_at(written, path), field_at(stored, path)
        if wanted is not ABSENT and wanted != got:
            yield Finding("same-object", f"{path}: expected {wanted!r} as written, got {got!r}")


def _fields(expectation: AdmissionExpectation, stored: Mapping[str, Json]) -> Iterator[Finding]:
    for field in expectation.fields:
        got = field_at(stored, field.path)
        if got is ABSENT if field.value is PRESENT else not same(field.value, got):
            message = f"{field.path}: expected {field.value!r}, got {got!r}"
            yield Finding("expectation", message, step=field.step)


def _warnings(expectation: AdmissionExpectation, answer: AdmissionAnswer) -> Iterator[Finding]:
    warnings = "; ".join(answer.warnings) or "none"
    for expected in expectation.warnings:
        if expected.words is None and answer.warnings:
            yield Finding("expectation", f"expected no warnings, got: {warnings}", step=expected.step)
        elif expected.words is not None and not any(map(expected.is_in, answer.warnings)):
            wanted = f"a warning with {expected.words!r}" if expected.words else "a warning"
            message = f"expected {wanted}, got: {warnings}"
            yield Finding("expectation", message, step=expected.step)


def same(expected: Json, actual: Json) -> bool:
    """Whether two values are equal. Quantities are compared by value, also if one is a YAML number.

    In a mapping, null equals absent, and so does metadata without content: releases serve
    `conditions: null` in ResourceClaims and `metadata: {}` in ResourceClaimTemplates.
    """
    if expected is ABSENT or actual is ABSENT:
        return expected is actual
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        names = expected.keys() | actual.keys()
        return all(same(_member(expected, name), _member(actual, name)) for name in names)
    if isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
        return len(expected) == len(actual) and all(map(same, expected, actual))
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    return bool(expected == actual) or _equal_amounts(expected, actual)


def _member(value: Mapping[str, Json], name: str) -> Json:
    member = value.get(name)
    if (
        name == "metadata"
        and isinstance(member, Mapping)
        and all(nested is None for nested in member.values())
    ):
        return None
    return member


def _equal_amounts(expected: Json, actual: Json) -> bool:
    try:
        return Quantity.parse(str(expected)) == Quantity.parse(str(actual))
    except ValueError:
        return False


def _errors(expectation: AdmissionExpectation, answer: AdmissionAnswer, *, strict: bool) -> Iterator[Finding]:
    if expectation.reason is not None and answer.reason != expectation.reason:
        message = f"expected reason {expectation.reason}, got {answer.reason or 'none'}"
        yield Finding("expectation", message, step=0)
    reported = "; ".join(map(_in_words, answer.errors)) or answer.message or "no error"
    for wanted in expectation.errors:
        if not any(_is(wanted, error) for error in answer.errors):
            kind = "error " if wanted.type is not None else ""
            yield Finding("expectation", f"expected {kind}{wanted}, got {reported}", step=wanted.step)
    if strict and expectation.errors:
        for error in answer.errors:
            if not any(_is(wanted, error) for wanted in expectation.errors):
                yield Finding("expectation", f"unexpected error: {_in_words(error)}")


def _in_words(error: FieldError) -> str:
    """Return the error in the form of an expected one, with its detail."""
    return f"{error.type} at {error.path}" + (f" ({error.detail})" if error.detail else "")


def _is(wanted: ExpectedError, error: FieldError) -> bool:
    return wanted.type in (None, error.type) and wanted.path in (None, error.path)

"""The judge of a write to the API server, and the documents of a wrong answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.conformance.observed_fields import PRESENT, difference, same
from dra_conform.conformance.served_fields import without_empty_fields
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.conformance.writes.expectation import AdmissionExpectation, ExpectedError, ExpectedWarning
from dra_conform.kube.errors import FieldError
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json


def judge_write(
    expectation: AdmissionExpectation,
    written: Mapping[str, Json],
    answer: AdmissionAnswer,
    strict: bool,
) -> Judgement:
    """Judge a write. Each expected error must be reported; with `strict`, no other errors."""
    if answer.outcome is not expectation.outcome:
        return _failed(Kind.WRONG_OUTCOME, [_outcome(expectation, answer)])
    if answer.outcome is Admission.ADMITTED:
        stored = without_empty_fields(answer.object)
        changed = list(_identity(written, stored))
        if changed:
            return _failed(Kind.WRONG_RESULT, changed)
        findings = [*_fields(expectation, stored), *_warnings(expectation, answer)]
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
        if field.value is PRESENT:
            if got is ABSENT:
                message = f"{field.path}: expected a value, got none"
                yield Finding("expectation", message, step=field.step)
        elif not same(field.value, got, field.path):
            yield Finding("expectation", difference(field.value, got, field.path), step=field.step)


def _warnings(expectation: AdmissionExpectation, answer: AdmissionAnswer) -> Iterator[Finding]:
    warnings = "; ".join(answer.warnings) or "none"
    for expected in expectation.warnings:
        if expected.words is None and answer.warnings:
            yield Finding("expectation", f"expected no warnings, got: {warnings}", step=expected.step)
        elif expected.words is not None and not any(map(expected.is_in, answer.warnings)):
            wanted = f"a warning with {expected.words!r}" if expected.words else "a warning"
            message = f"expected {wanted}, got: {warnings}"
            yield Finding("expectation", message, step=expected.step)


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
    """Return a reported error in the form of an expected error, with its detail."""
    return f"{error.type} at {error.path}" + (f" ({error.detail})" if error.detail else "")


def _is(wanted: ExpectedError, error: FieldError) -> bool:
    return wanted.type in (None, error.type) and wanted.path in (None, error.path)


_SET = "(set)"


def expected_write(expectation: AdmissionExpectation) -> dict[str, Json]:
    """Return the expected outcome with the compared fields, or with the errors."""
    document: dict[str, Json] = {"outcome": expectation.outcome.value}
    if expectation.reason:
        document["reason"] = expectation.reason
    if expectation.fields:
        document["fields"] = {
            expected_field.path: _shown(expected_field.value) for expected_field in expectation.fields
        }
    if expectation.warnings:
        document["warnings"] = [
            warning.words for warning in expectation.warnings if warning.words is not None
        ]
    if expectation.errors:
        document["errors"] = [str(error) for error in expectation.errors]
    return document


def actual_write(answer: AdmissionAnswer) -> dict[str, Json]:
    """Return the answer: the stored object, or all errors."""
    if answer.outcome is Admission.ADMITTED:
        warnings = {"warnings": list(answer.warnings)} if answer.warnings else {}
        return {"outcome": answer.outcome.value, "object": answer.object, **warnings}
    document: dict[str, Json] = {"outcome": answer.outcome.value, "reason": answer.reason}
    if answer.errors:
        document["errors"] = [f"{error.type} at {error.path}" for error in answer.errors]
    elif answer.message:
        document["message"] = answer.message
    return document


def aligned_write(wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Keep only the compared fields of an object or a rejection, and move expected errors to the front."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    answer = dict(answer)
    if wanted.get("outcome") != answer.get("outcome"):
        return wanted, answer
    if "reason" not in wanted:
        answer.pop("reason", None)
    if "errors" not in wanted and wanted.get("reason") == answer.get("reason"):
        answer.pop("errors", None)
        answer.pop("message", None)
    if "object" in answer:
        stored = without_empty_fields(answer.pop("object"))
        answer["fields"] = {
            path: _aligned(value, field_at(stored, path), path)
            for path, value in wanted.get("fields", {}).items()
        }
        warnings = answer.pop("warnings", [])
        if "warnings" in wanted:
            answer["warnings"] = _aligned_warnings(wanted["warnings"], warnings)
        return wanted, {name: value for name, value in answer.items() if value != {}}
    reported = answer.get("errors", [])
    if "errors" in wanted:
        first = [error for error in wanted["errors"] if error in reported]
        answer["errors"] = first + [error for error in reported if error not in first]
    return wanted, answer


def _aligned(wanted: Json, actual: Json, path: str) -> Json:
    equal = actual is not ABSENT if wanted == _SET else same(wanted, actual, path)
    return wanted if equal else _shown(actual)


def _aligned_warnings(wanted: list[str], warnings: list[str]) -> list[str]:
    """Return the expected warnings if all of them are present, otherwise all warnings."""
    present = [
        words for words in wanted if any(ExpectedWarning(words).is_in(warning) for warning in warnings)
    ]
    return present if wanted and present == wanted else warnings


def _shown(value: Json) -> Json:
    return _SET if value is PRESENT else "(absent)" if value is ABSENT else value

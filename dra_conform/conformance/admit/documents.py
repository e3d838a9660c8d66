"""The expectation and the answer of a write as documents that can be compared."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.admit.answer import Admission, AdmissionAnswer
from dra_conform.conformance.admit.expectation import PRESENT, AdmissionExpectation, ExpectedWarning
from dra_conform.conformance.admit.judging import same
from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import Expectations
from dra_conform.kube.field_paths import ABSENT, field_at

Json = Any
_SET = "(set)"


def expected(expectations: Expectations) -> Json:
    """Return the expected outcome with the compared fields, or with the errors."""
    [expectation] = expectations
    assert isinstance(expectation, AdmissionExpectation)
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


def actual(answer: AdmissionAnswer) -> Json:
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


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Keep only the compared fields of the stored object, and move expected errors to the front."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    answer = dict(answer)
    if wanted.get("outcome") != answer.get("outcome"):
        return wanted, answer
    if "reason" not in wanted:
        answer.pop("reason", None)
    if "object" in answer:
        stored = answer.pop("object")
        answer["fields"] = {
            path: _aligned(value, field_at(stored, path)) for path, value in wanted.get("fields", {}).items()
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


def _aligned(wanted: Json, actual: Json) -> Json:
    equal = actual is not ABSENT if wanted == _SET else same(wanted, actual)
    return wanted if equal else _shown(actual)


def _aligned_warnings(wanted: list[str], warnings: list[str]) -> list[str]:
    """Return the expected warnings if all of them are present, else all warnings."""
    present = [
        words for words in wanted if any(ExpectedWarning(words).is_in(warning) for warning in warnings)
    ]
    return present if wanted and present == wanted else warnings


def _shown(value: Json) -> Json:
    return _SET if value is PRESENT else "(absent)" if value is ABSENT else value

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
    """What is demanded: the outcome with the fields that count, or with the errors."""
    [expectation] = expectations
    assert isinstance(expectation, AdmissionExpectation)
    document: dict[str, Json] = {"outcome": expectation.outcome.value}
    if expectation.reason:
        document["reason"] = expectation.reason
    if expectation.fields:
        document["fields"] = {one.path: _shown(one.value) for one in expectation.fields}
    if expectation.warnings:
        document["warnings"] = [one.words for one in expectation.warnings if one.words is not None]
    if expectation.errors:
        document["errors"] = [str(one) for one in expectation.errors]
    return document


def actual(answer: AdmissionAnswer) -> Json:
    """The answer: what is stored, or all that is wrong."""
    if answer.outcome is Admission.ADMITTED:
        warnings = {"warnings": list(answer.warnings)} if answer.warnings else {}
        return {"outcome": answer.outcome.value, "object": answer.object, **warnings}
    document: dict[str, Json] = {"outcome": answer.outcome.value, "reason": answer.reason}
    if answer.errors:
        document["errors"] = [f"{one.type} at {one.path}" for one in answer.errors]
    elif answer.message:
        document["message"] = answer.message
    return document


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Of what is stored only the fields that count; an expected error that is reported stands first."""
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
            path: _beside(value, field_at(stored, path)) for path, value in wanted.get("fields", {}).items()
        }
        told = answer.pop("warnings", [])
        if "warnings" in wanted:
            answer["warnings"] = _beside_warnings(wanted["warnings"], told)
        return wanted, {name: value for name, value in answer.items() if value != {}}
    reported = answer.get("errors", [])
    if "errors" in wanted:
        first = [one for one in wanted["errors"] if one in reported]
        answer["errors"] = first + [one for one in reported if one not in first]
    return wanted, answer


def _beside(wanted: Json, found: Json) -> Json:
    alike = found is not ABSENT if wanted == _SET else same(wanted, found)
    return wanted if alike else _shown(found)


def _beside_warnings(wanted: list[str], told: list[str]) -> list[str]:
    """The warnings, those that are expected in the words of the expectation; no others where some are."""
    found = [words for words in wanted if any(ExpectedWarning(words).is_in(one) for one in told)]
    return found if wanted and found == wanted else told


def _shown(value: Json) -> Json:
    return _SET if value is PRESENT else "(absent)" if value is ABSENT else value

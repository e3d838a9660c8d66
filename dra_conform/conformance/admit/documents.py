"""Expectation and answer of a write as documents of one shape."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.admit.answer import Admission, AdmissionAnswer
from dra_conform.conformance.admit.expectation import AdmissionExpectation
from dra_conform.conformance.admit.judging import same
from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import Expectations
from dra_conform.kube.field_paths import ABSENT, field_at

Json = Any


def expected(expectations: Expectations) -> Json:
    """What is demanded: the outcome with the fields that count, or with the errors."""
    [expectation] = expectations
    assert isinstance(expectation, AdmissionExpectation)
    document: dict[str, Json] = {"outcome": expectation.outcome.value}
    if expectation.reason:
        document["reason"] = expectation.reason
    if expectation.fields:
        document["fields"] = {one.path: _shown(one.value) for one in expectation.fields}
    if expectation.errors:
        document["errors"] = [str(one) for one in expectation.errors]
    return document


def actual(answer: AdmissionAnswer) -> Json:
    """The answer: what is stored, or all that is wrong."""
    if answer.outcome is Admission.ADMITTED:
        return {"outcome": answer.outcome.value, "object": answer.object}
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
        fields = {path: field_at(stored, path) for path in wanted.get("fields", {})}
        shown = {
            path: wanted["fields"][path] if same(wanted["fields"][path], value) else _shown(value)
            for path, value in fields.items()
        }
        return wanted, {**answer, **({"fields": shown} if shown else {})}
    reported = answer.get("errors", [])
    if "errors" in wanted:
        first = [one for one in wanted["errors"] if one in reported]
        answer["errors"] = first + [one for one in reported if one not in first]
    return wanted, answer


def _shown(value: Json) -> Json:
    return "(absent)" if value is ABSENT else value

"""The wire form of an answer to `admit`: valid and malformed bodies, and a round trip."""

from __future__ import annotations

import pytest

from dra_conform.adapters import schemas
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer, read, write
from dra_conform.kube.errors import FieldError
from dra_conform.kube.json_values import Json

ERROR = {"path": "spec.x", "type": "FieldValueInvalid", "value": [1], "detail": "no"}


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({"outcome": "admitted", "object": {"a": 1}}, AdmissionAnswer(Admission.ADMITTED, {"a": 1})),
        (
            {"outcome": "admitted", "object": {}, "warnings": ["w"], "more": 1},
            AdmissionAnswer(Admission.ADMITTED, {}, ("w",)),
        ),
        (
            {"outcome": "rejected", "reason": "Forbidden"},
            AdmissionAnswer(Admission.REJECTED, reason="Forbidden"),
        ),
        (
            {"outcome": "rejected", "reason": "Invalid", "message": "m", "errors": [ERROR]},
            AdmissionAnswer(
                Admission.REJECTED,
                reason="Invalid",
                message="m",
                errors=(FieldError("spec.x", "Invalid", [1], "no"),),
            ),
        ),
    ],
)
def test_read_and_write(body: Json, answer: AdmissionAnswer) -> None:
    assert read(body) == answer
    written = write(answer)
    assert read(written) == answer
    assert schemas.result_violations("admit", {"type": "result", "id": 1, "status": "ok", **written}) == ()


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Required", "Required"),
        ("FieldValueRequired", "Required"),
        ("FieldValueTooMany", "TooMany"),
        ("InternalError", "Internal"),
        ("Internal", "Internal"),
    ],
)
def test_error_types_of_an_api_status(said: str, meant: str) -> None:
    body = {"outcome": "rejected", "reason": "Invalid", "errors": [{"path": "p", "type": said}]}
    assert read(body).errors == (FieldError("p", meant),)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({}, "the reply has status ok but no outcome, expected an outcome"),
        ({"outcome": "admitted"}, "object"),
        ({"outcome": "admitted", "object": []}, "object"),
        ({"outcome": "admitted", "object": {}, "warnings": "w"}, "warnings"),
        ({"outcome": "rejected"}, "reason"),
        ({"outcome": "maybe", "reason": "Invalid"}, "outcome"),
        ({"outcome": "rejected", "reason": "Invalid", "errors": [{"path": "p"}]}, "type"),
    ],
)
def test_malformed_answers(body: Json, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read(body)

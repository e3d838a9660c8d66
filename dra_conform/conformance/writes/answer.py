"""The answer of an implementation to a write, and its form in the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import msgspec

from dra_conform.kube.errors import FieldError
from dra_conform.kube.json_values import UncheckedJson


class Admission(StrEnum):
    """The outcome of a write."""

    ADMITTED = "admitted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class AdmissionAnswer:
    """The decision about one write.

    `object` is the stored object in the version of the write; None unless the write was admitted.
    `reason` is the reason of the API status (`Invalid`, `Forbidden`, ...) and `errors` are all field errors;
    both are empty unless the write was rejected.
    """

    outcome: Admission
    object: Mapping[str, UncheckedJson] | None = None
    warnings: tuple[str, ...] = ()
    reason: str = ""
    errors: tuple[FieldError, ...] = ()
    message: str = ""


class _Error(msgspec.Struct):
    path: str
    type: str
    value: Any = None
    detail: str = ""


class _Admitted(msgspec.Struct):
    outcome: Literal["admitted"]
    object: dict[str, Any]
    warnings: list[str] = []


class _Rejected(msgspec.Struct):
    outcome: Literal["rejected"]
    reason: str
    errors: list[_Error] = []
    message: str = ""


def read(body: Mapping[str, UncheckedJson]) -> AdmissionAnswer:
    """Return the answer in the body of a `result` with status ok; raises ValueError if it is malformed."""
    if "outcome" not in body:
        raise ValueError("the reply has status ok but no outcome, expected an outcome")
    if body["outcome"] == "admitted":
        admitted = msgspec.convert(body, _Admitted)
        return AdmissionAnswer(Admission.ADMITTED, admitted.object, tuple(admitted.warnings))
    rejected = msgspec.convert(body, _Rejected)
    errors = tuple(
        FieldError(error.path, _short(error.type), error.value, error.detail) for error in rejected.errors
    )
    return AdmissionAnswer(
        Admission.REJECTED, reason=rejected.reason, errors=errors, message=rejected.message
    )


def _short(error_type: str) -> str:
    """Return the short error type: `Required` for `FieldValueRequired` in the causes of an API status."""
    return "Internal" if error_type == "InternalError" else error_type.removeprefix("FieldValue")


def write(answer: AdmissionAnswer) -> dict[str, UncheckedJson]:
    """Return the body of a `result` without its status."""
    if answer.outcome is Admission.ADMITTED:
        return {"outcome": "admitted", "object": answer.object, "warnings": list(answer.warnings)}
    errors = [{name: getattr(error, name) for name in error.__slots__} for error in answer.errors]
    return {"outcome": "rejected", "reason": answer.reason, "errors": errors, "message": answer.message}

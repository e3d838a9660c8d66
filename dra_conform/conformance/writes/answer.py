"""The answer of an implementation to a write, and its form in the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import msgspec

from dra_conform.conformance.answer_limits import Entries, all_shortened, shortened
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
    warnings: Entries[str] = []


class _Rejected(msgspec.Struct):
    outcome: Literal["rejected"]
    reason: str
    errors: Entries[_Error] = []
    message: str = ""


def read(body: Mapping[str, UncheckedJson]) -> AdmissionAnswer:
    """Return the answer in the body of a `result` with status ok; raises ValueError if it is malformed."""
    if "outcome" not in body:
        raise ValueError("the reply has status ok but no outcome, expected an outcome")
    if body["outcome"] == "admitted":
        admitted = msgspec.convert(body, _Admitted)
        return AdmissionAnswer(Admission.ADMITTED, admitted.object, all_shortened(admitted.warnings))
    rejected = msgspec.convert(body, _Rejected)
    errors = tuple(
        FieldError(shortened(error.path), shortened(_short(error.type)), error.value, shortened(error.detail))
        for error in rejected.errors
    )
    reason, message = all_shortened([rejected.reason, rejected.message])
    return AdmissionAnswer(Admission.REJECTED, reason=reason, errors=errors, message=message)


def _short(error_type: str) -> str:
    """Return the short error type: `Required` for `FieldValueRequired` in the causes of an API status."""
    return "Internal" if error_type == "InternalError" else error_type.removeprefix("FieldValue")


def write(answer: AdmissionAnswer) -> dict[str, UncheckedJson]:
    """Return the body of a `result` without its status."""
    if answer.outcome is Admission.ADMITTED:
        return {"outcome": "admitted", "object": answer.object, "warnings": list(answer.warnings)}
    errors = [{name: getattr(error, name) for name in error.__slots__} for error in answer.errors]
    return {"outcome": "rejected", "reason": answer.reason, "errors": errors, "message": answer.message}

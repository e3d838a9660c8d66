"""Field errors of API objects, as the API server reports them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class ErrorType(StrEnum):
    """The type of a field error: the reason `FieldValueRequired` of Kubernetes is `Required` here."""

    REQUIRED = "Required"
    INVALID = "Invalid"
    DUPLICATE = "Duplicate"
    NOT_SUPPORTED = "NotSupported"
    FORBIDDEN = "Forbidden"
    TOO_LONG = "TooLong"
    TOO_MANY = "TooMany"
    NOT_FOUND = "NotFound"
    TYPE_INVALID = "TypeInvalid"
    INTERNAL = "Internal"


@dataclass(frozen=True, slots=True)
class FieldError:
    """An invalid field of an object.

    `path` is written as by the API server: `spec.devices[0].name`. `type` is usually an ErrorType. `value` is
    the invalid value as JSON, None if the error has no value.
    """

    path: str
    type: str
    value: Any = None
    detail: str = ""

    def __str__(self) -> str:
        shown = f"{self.value!r}: " if self.value is not None else ""
        return f"{self.path}: {self.type}: {shown}{self.detail}".removesuffix(": ")

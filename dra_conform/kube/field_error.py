"""A field error, in the words of the API server."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class ErrorType(StrEnum):
    """What is wrong, without the `FieldValue` that Kubernetes puts before it."""

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
    """One thing wrong with an object.

    `path` is the API server's text, `spec.devices[0].name`; `type` mostly an ErrorType; `value` the bad value
    as JSON, None where there is none.
    """

    path: str
    type: str
    value: Any = None
    detail: str = ""

    def __str__(self) -> str:
        shown = f"{self.value!r}: " if self.value is not None else ""
        return f"{self.path}: {self.type}: {shown}{self.detail}".removesuffix(": ")

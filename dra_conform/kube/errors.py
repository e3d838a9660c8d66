"""Errors in input files as `file:line: path: …`, and field errors of API objects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class InputError(Exception):
    """A problem in an input file. `line` is None and `path` is empty if unknown."""

    def __init__(self, file: str, line: int | None, path: str, message: str) -> None:
        super().__init__(file, line, path, message)
        self.file = file
        self.line = line
        self.path = path
        self.message = message

    def __str__(self) -> str:
        file, path = (text.replace("\n", "\\n") for text in (self.file or '""', self.path))
        where = file if self.line is None else f"{file}:{self.line}"
        return ": ".join(part for part in (where, path, self.message) if part)


class InputErrors(Exception):  # noqa: N818 - a group of InputError
    """All problems of an input, each as an InputError."""

    def __init__(self, errors: Iterable[InputError]) -> None:
        self.errors = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


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

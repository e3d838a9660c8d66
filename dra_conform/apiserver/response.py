"""The answer of the API server to a write: the stored object, or the errors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dra_conform.kube.errors import ErrorType, FieldError


class StatusReason(StrEnum):
    """The reason of a rejection, as in the `reason` of a Status object."""

    INVALID = "Invalid"
    BAD_REQUEST = "BadRequest"
    NOT_FOUND = "NotFound"
    CONFLICT = "Conflict"
    INTERNAL_ERROR = "InternalError"


@dataclass(frozen=True, slots=True)
class Admitted:
    """The admitted object as served after the write, in the version of the write."""

    object: dict[str, Any]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rejection; `errors` has every field error if the reason is Invalid, and is empty otherwise."""

    reason: StatusReason
    message: str
    errors: tuple[FieldError, ...] = ()


class FieldErrors(list[FieldError]):
    """A list of field errors, with a method to add an error of each type.

    `long_lists_validated`: the items of a list or map that is too long are validated too.
    `milli_units_overflow`: an integer is an error if its milli-units overflow 64 bits.
    """

    def __init__(self, long_lists_validated: bool = False, milli_units_overflow: bool = False) -> None:
        super().__init__()
        self.long_lists_validated = long_lists_validated
        self.milli_units_overflow = milli_units_overflow

    def required(self, path: str, detail: str = "") -> None:
        self.append(FieldError(path, ErrorType.REQUIRED, None, detail))

    def invalid(self, path: str, value: Any, detail: str) -> None:
        self.append(FieldError(path, ErrorType.INVALID, value, detail))

    def duplicate(self, path: str, value: Any) -> None:
        self.append(FieldError(path, ErrorType.DUPLICATE, value))

    def not_supported(self, path: str, value: Any, supported: tuple[str, ...]) -> None:
        detail = "supported values: " + ", ".join(f'"{value}"' for value in supported)
        self.append(FieldError(path, ErrorType.NOT_SUPPORTED, value, detail))

    def forbidden(self, path: str, detail: str) -> None:
        self.append(FieldError(path, ErrorType.FORBIDDEN, None, detail))

    def too_long(self, path: str, limit: int) -> None:
        self.append(FieldError(path, ErrorType.TOO_LONG, None, f"may not be more than {limit} bytes"))

    def too_many(self, path: str, count: int, limit: int) -> None:
        self.append(FieldError(path, ErrorType.TOO_MANY, count, f"must have at most {limit} items"))

    def not_found(self, path: str, value: Any) -> None:
        self.append(FieldError(path, ErrorType.NOT_FOUND, value))

    def internal(self, path: str, detail: str) -> None:
        self.append(FieldError(path, ErrorType.INTERNAL, None, detail))


class Crash(Exception):  # noqa: N818 - what happens to the request
    """The API server of this release crashes on the object, and the request ends in an internal error."""

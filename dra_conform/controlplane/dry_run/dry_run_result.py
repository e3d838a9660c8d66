"""The result of one write, with the lines of the manifest that it is about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.dry_run.field_changes import FieldChange
from dra_conform.controlplane.dry_run.proposed_writes import ProposedWrite
from dra_conform.kube.errors import InputError
from dra_conform.kube.field_error import ErrorType, FieldError
from dra_conform.kube.yaml import Path, written

Json = Any

_LONGEST = 60
_EXPECTED: Mapping[str, str] = {
    ErrorType.REQUIRED: "expected a value",
    ErrorType.DUPLICATE: "expected it once",
    ErrorType.NOT_FOUND: "expected one that exists",
}
"""What was expected, for errors of which the API server says no more than the type."""


@dataclass(frozen=True, slots=True)
class LocatedError:
    """A field error and the line it leads to; the error's path is that in the manifest."""

    error: FieldError
    line: int


@dataclass(frozen=True, slots=True)
class DryRunResult:
    """What became of one write.

    `stored` is the object as stored, None if it was refused; `changes` is then what gates would have dropped
    before it was validated. `warnings` are those that no change tells already. `reason` and `message` are
    those of the refusal. `unanswered`: why there is no answer, else empty.
    """

    write: ProposedWrite
    stored: Mapping[str, Json] | None = None
    changes: tuple[FieldChange, ...] = ()
    warnings: tuple[str, ...] = ()
    reason: str = ""
    message: str = ""
    errors: tuple[LocatedError, ...] = ()
    unanswered: str = ""

    @property
    def line(self) -> int:
        """Where the manifest begins."""
        return self.write.manifest.line

    def line_of(self, path: Path) -> int:
        """The line of a place of the object."""
        manifest = self.write.manifest
        return manifest.document.line_of((*manifest.path, *self.write.within, *path))

    def shown(self, path: Path) -> str:
        """A place of the object as a path in its manifest."""
        return written((*self.write.within, *path))

    def problems(self) -> tuple[InputError, ...]:
        """Why the write was refused, one line each; at least one if it was."""
        if not self.reason:
            return ()
        file = self.write.manifest.file
        whole = InputError(file, self.line, "", f"{self.reason}: {self.message}")
        return tuple(InputError(file, one.line, one.error.path, _said(one.error)) for one in self.errors) or (
            whole,
        )


def _said(error: FieldError) -> str:
    """An error without its path in one line: type, bad value, and what was expected."""
    value = "" if error.value is None else json.dumps(error.value, ensure_ascii=False)
    shown = value if len(value) <= _LONGEST else f"{value[: _LONGEST - 3]}..."
    detail = (error.detail or _EXPECTED.get(error.type, "")).partition("\n")[0]
    return ": ".join(part for part in (error.type, shown, detail) if part)

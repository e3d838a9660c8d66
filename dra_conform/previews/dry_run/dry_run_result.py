"""The result of one write of a dry run with lines of its manifest, and the JSON report of all results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.kube.errors import ErrorType, FieldError, InputError
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.yaml import Path, written
from dra_conform.previews.dry_run.proposed_writes import ProposedWrite
from dra_conform.previews.dry_run.written_fields import FieldChange

_MAX_VALUE_LENGTH = 60
_EXPECTED: Mapping[str, str] = {
    ErrorType.REQUIRED: "expected a value",
    ErrorType.DUPLICATE: "expected a unique value",
    ErrorType.NOT_FOUND: "expected an existing name",
}
"""The expectation for error types to which the API server adds no detail."""


@dataclass(frozen=True, slots=True)
class LocatedError:
    """A field error with its path in the manifest, and the line of the field."""

    error: FieldError
    line: int


@dataclass(frozen=True, slots=True)
class DryRunResult:
    """The result of one write: the stored object or the errors, with lines of the manifest.

    `stored` is the stored object, None if the write was rejected with `reason` and `message`. `changes` are
    the differences between written and stored object; for a rejected object they are the fields that were
    dropped before validation. `warnings` are the warnings that do not belong to a change. `unanswered` says
    why there is no answer, and is empty otherwise.
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
        """The first line of the manifest."""
        return self.write.manifest.line

    def line_of(self, path: Path) -> int:
        """Return the line of a field of the object."""
        manifest = self.write.manifest
        return manifest.document.line_of((*manifest.path, *self.write.within, *path))

    def shown(self, path: Path) -> str:
        """Return the path of a field of the object within its manifest."""
        return written((*self.write.within, *path))

    def problems(self) -> tuple[InputError, ...]:
        """Return the errors of a rejected write, at least one; return nothing for other results."""
        if not self.reason:
            return ()
        file = self.write.manifest.file
        whole = InputError(file, self.line, "", f"{self.reason}: {self.message}")
        located = tuple(
            InputError(file, located.line, located.error.path, _message(located.error))
            for located in self.errors
        )
        return located or (whole,)


def _message(error: FieldError) -> str:
    """Return an error without its path in one line: type, bad value, and expectation."""
    value = "" if error.value is None else json.dumps(error.value, ensure_ascii=False)
    shown = value if len(value) <= _MAX_VALUE_LENGTH else f"{value[: _MAX_VALUE_LENGTH - 3]}..."
    detail = (error.detail or _EXPECTED.get(error.type, "")).partition("\n")[0]
    return ": ".join(part for part in (error.type, shown, detail) if part)


FORMAT = "dra-conform-dry-run/1"


def machine_form(
    results: Sequence[DryRunResult], passed_over: Mapping[str, int], profile: Profile, implementation: str
) -> dict[str, Json]:
    """Return the report with every result in the order of the manifests.

    `passed_over` has the number of ignored objects by `apiVersion kind`.
    """
    return {
        "format": FORMAT,
        "profile": profile.name,
        "gates": dict(profile.gates),
        "implementation": implementation,
        "objects": [dict(_members(result)) for result in results],
        "passedOver": dict(passed_over),
    }


def _members(result: DryRunResult) -> Iterator[tuple[str, Json]]:
    write = result.write
    yield from (("file", write.manifest.file), ("line", result.line))
    yield from (("apiVersion", write.api_version), ("kind", write.kind))
    yield from (("namespace", write.namespace), ("name", write.name), ("verb", write.verb))
    if write.subresource:
        yield "subresource", write.subresource
    if write.within:
        yield "templateOf", write.manifest.kind
    if result.unanswered:
        yield from (("outcome", "unanswered"), ("message", result.unanswered))
        return
    yield "outcome", "rejected" if result.reason else "admitted"
    if result.reason:
        yield from (("reason", result.reason), ("message", result.message))
        yield (
            "errors",
            [
                {
                    "line": located.line,
                    "path": located.error.path,
                    "type": str(located.error.type),
                    "value": located.error.value,
                    "detail": located.error.detail,
                }
                for located in result.errors
            ],
        )
    else:
        yield "stored", result.stored
    yield "changes", [dict(_change(result, number)) for number in range(len(result.changes))]
    yield "warnings", list(result.warnings)


def _change(result: DryRunResult, number: int) -> Iterator[tuple[str, Json]]:
    change = result.changes[number]
    yield from (("change", str(change.change)), ("path", result.shown(change.path)))
    yield "line", result.line_of(change.path)
    for name in ("written", "stored"):
        if getattr(change, name) is not None:
            yield name, getattr(change, name)
    if change.gates:
        yield "gates", list(change.gates)
    if change.reason:
        yield "reason", change.reason

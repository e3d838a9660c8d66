"""The terminal output of a dry run: each object with its changed fields, or with its errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.controlplane.dry_run import DryRunResult
from dra_conform.controlplane.dry_run.field_changes import Change, FieldChange
from dra_conform.kube.printable import one_line
from dra_conform.kube.profile import Profile

Json = Any

_LONGEST = 60
_SIGNS = {Change.ADDED: "+", Change.DROPPED: "-", Change.CHANGED: "~"}
_ALIKE = 3
"""The maximum number of similar changes that are listed one by one."""


def table(results: Sequence[DryRunResult], passed_over: Mapping[str, int], profile: Profile) -> Iterator[str]:
    """Yield a header for each object, then its changes, warnings and errors, and the totals at the end."""
    for result in results:
        first, *rest = outcome(result, profile)
        yield one_line(f"{subject(result)}: {first}")
        yield from (f"  {line}" for line in rest)
    rejected = sum(bool(result.reason) for result in results)
    unanswered = sum(bool(result.unanswered) for result in results)
    figures = f"{len(results) - rejected - unanswered} admitted, {rejected} rejected"
    yield f"{figures}, {unanswered} without an answer" if unanswered else figures
    if passed_over:
        kinds = (f"{kind} ({count})" if count > 1 else kind for kind, count in passed_over.items())
        yield f"not checked: {', '.join(kinds)}"


def subject(result: DryRunResult) -> str:
    """Return file, line and name of the object of a write."""
    return one_line(f"{result.write.manifest.file}:{result.line}: {_name(result)}")


def outcome(result: DryRunResult, profile: Profile) -> Iterator[str]:
    """Yield whether the object is admitted, then changes, warnings and errors."""
    yield _outcome(result)
    yield from _changes(result, profile)
    yield from (f"warning: {warning}" for warning in result.warnings)
    yield from map(str, result.problems())


def _name(result: DryRunResult) -> str:
    write = result.write
    name = f"{write.namespace}/{write.name}" if write.namespace else write.name
    return f"{write.manifest.kind} {name}, pod template" if write.within else f"{write.kind} {name}"


def _outcome(result: DryRunResult) -> str:
    if result.unanswered:
        return f"no answer: {result.unanswered}"
    if result.reason:
        return f"rejected ({result.reason})"
    part = f"{result.write.subresource} " if result.write.subresource else ""
    return f"admitted, {part}updated" if result.write.verb == "update" else "admitted"


def _changes(result: DryRunResult, profile: Profile) -> Iterator[str]:
    """Yield a line for each change, or one line for many changes that differ only in list indexes."""
    groups: dict[tuple[str, str], list[FieldChange]] = {}
    for change in result.changes:
        path = result.shown(tuple("*" if isinstance(part, int) else part for part in change.path))
        groups.setdefault((path, _why(change, profile)), []).append(change)
    for (path, why), changes in groups.items():
        first = changes[0]
        if len(changes) > _ALIKE:
            line = result.line_of(first.path)
            yield f"{_SIGNS[first.change]} {path}: {why} ({len(changes)} times, first in line {line})"
            continue
        for change in changes:
            where = "" if change.change is Change.ADDED else f" (line {result.line_of(change.path)})"
            yield f"{_SIGNS[change.change]} {result.shown(change.path)}: {why}{where}"


def _why(change: FieldChange, profile: Profile) -> str:
    """Describe the change of a field with its reason.

    Values of fields that are dropped because of a feature gate are omitted, because they are long.
    """
    match change:
        case FieldChange(gates=gates) if gates:
            return (
                f"dropped, {' and '.join(gates)} {'is' if len(gates) == 1 else 'are'} off in {profile.name}"
            )
        case FieldChange(change=Change.DROPPED, reason=reason):
            return f"dropped, it {reason}" if reason else f"dropped: {_value(change.written)}"
        case FieldChange(change=Change.CHANGED):
            text = f"{_value(change.written)} becomes {_value(change.stored)}"
        case _:
            text = _value(change.stored)
    return f"{text}, {change.reason}" if change.reason else text


def _value(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."

"""Execution of a dry run: send the writes to an API server, and locate its answers in the manifests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dra_conform.apiserver.response import StatusReason
from dra_conform.kube.errors import FieldError
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import UnservedVersion, from_v1, to_v1
from dra_conform.kube.yaml import Path, written
from dra_conform.previews.dry_run.dry_run_result import DryRunResult, LocatedError
from dra_conform.previews.dry_run.explanations import (
    explained,
    explanations,
    lost_before_validation,
    off_by_default,
    version_conflicts,
)
from dra_conform.previews.dry_run.proposed_writes import Proposal, ProposedWrite
from dra_conform.previews.dry_run.workload_rules import template_error
from dra_conform.previews.dry_run.written_fields import (
    Change,
    FieldChange,
    field_changes,
    place_of,
    removed_fields,
)
from dra_conform.simulation.parts import Objects, admit

_UNKNOWN_FIELD = re.compile(r'unknown field "(?P<path>.*)"')


Question = tuple[Objects, Mapping[str, Json]]
"""The objects and the `ask` of the operation `admit`."""

Admission = Callable[[Sequence[Question], Profile], Iterable[Mapping[str, Json]]]
"""Answers the questions in order, each with the body of a `result`.

The outcome `unanswered` with a `message` means that there is no answer.
"""


def builtin(questions: Sequence[Question], profile: Profile) -> Iterator[Mapping[str, Json]]:
    """Answer the questions with the built-in API server."""
    return (admit(objects, ask, profile) for objects, ask in questions)


def dry_run(
    proposal: Proposal,
    profile: Profile,
    admission: Admission = builtin,
    user: Mapping[str, Json] | None = None,
) -> Iterator[DryRunResult]:
    """Yield the result of each write in order; no write depends on the result of another write."""
    questions = [_question(write, proposal, user) for write in proposal.writes]
    for write, answer in zip(proposal.writes, admission(questions, profile), strict=True):
        result = DryRunResult(write)
        match answer["outcome"]:
            case "admitted":
                yield _with_template_error(_admitted(result, answer, profile))
            case "rejected":
                yield _with_template_error(_rejected(result, answer, profile))
            case _:
                yield replace(result, unanswered=answer["message"])


def _question(write: ProposedWrite, proposal: Proposal, user: Mapping[str, Json] | None) -> Question:
    existing = tuple(raw for raw in proposal.namespaces if raw["metadata"]["name"] != write.new_namespace)
    return {"namespaces": existing}, {**write.ask, "user": user} if user else write.ask


def _admitted(result: DryRunResult, answer: Mapping[str, Json], profile: Profile) -> DryRunResult:
    write, stored, warnings = result.write, answer["object"], answer.get("warnings") or ()
    unknown = [_unknown_field(text, write.object) for text in warnings]
    changes = field_changes(write.object, stored)
    if write.within:  # A pod template has no status and no namespace.
        changes = (
            change
            for change in changes
            if change.path[0] != "status" and change.path != ("metadata", "namespace")
        )
    return replace(
        result,
        stored=stored,
        changes=(
            *explained(changes, write, [place for place in unknown if place], profile),
            *_removed(write, stored),
        ),
        warnings=(
            *(text for text, place in zip(warnings, unknown, strict=True) if not place),
            *off_by_default(write),
            *version_conflicts(write),
        ),
    )


def _removed(write: ProposedWrite, stored: Json) -> Iterator[FieldChange]:
    """Yield the fields of the stored object that an update removes."""
    if write.old is None:
        return
    old = write.old
    if old.get("apiVersion") != write.api_version:
        try:
            old = from_v1(to_v1(dict(old)), write.api_version)
        except UnservedVersion:
            return
    yield from removed_fields(old, write.object, stored)


def _unknown_field(warning: str, value: Json) -> Path:
    match = _UNKNOWN_FIELD.search(warning)
    return place_of(match["path"], value) if match else ()


def _rejected(result: DryRunResult, answer: Mapping[str, Json], profile: Profile) -> DryRunResult:
    write, reason = result.write, answer["reason"]
    errors = [
        LocatedError(
            FieldError(
                _below(write.within, error["path"]),
                error["type"],
                error.get("value"),
                error.get("detail", ""),
            ),
            result.line_of(place_of(error["path"], write.written)),
        )
        for error in answer.get("errors") or ()
    ] or [
        LocatedError(FieldError(result.shown(place), error_type, None, detail), result.line_of(place))
        for place, error_type, detail in explanations(write, reason, profile)
    ]
    return replace(
        result,
        changes=() if reason == "NotFound" else tuple(lost_before_validation(write, profile)),
        reason=reason,
        message=answer.get("message", ""),
        errors=tuple(errors),
    )


def _with_template_error(result: DryRunResult) -> DryRunResult:
    """Return the result of a pod template with the error that its workload adds."""
    write, error = result.write, template_error(result.write)
    if error is None or result.reason not in ("", StatusReason.INVALID):
        return result
    below = replace(error, path=_below(write.within, error.path))
    located = LocatedError(below, result.line_of(place_of(error.path, write.written)))
    return replace(
        result,
        stored=None,
        changes=tuple(change for change in result.changes if change.change is Change.DROPPED),
        warnings=(),
        reason=StatusReason.INVALID,
        message=result.message or f'{write.manifest.kind} "{write.name}" is invalid: {below}',
        errors=(*result.errors, located),
    )


def _below(within: Path, path: str) -> str:
    return ".".join(part for part in (written(within), path) if part)

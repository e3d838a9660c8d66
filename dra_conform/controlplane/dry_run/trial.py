"""Asking an API server what would become of writes, and finding its answers in the manifests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from dra_conform.controlplane.dry_run.dry_run_result import DryRunResult, LocatedError
from dra_conform.controlplane.dry_run.explanations import explained, explanations, lost_before_validation
from dra_conform.controlplane.dry_run.field_changes import field_changes
from dra_conform.controlplane.dry_run.places import place_of
from dra_conform.controlplane.dry_run.proposed_writes import Proposal
from dra_conform.controlplane.parts import AdmissionPart
from dra_conform.kube.field_error import FieldError
from dra_conform.kube.profile import Profile
from dra_conform.kube.yaml import Path, written

Json = Any

_UNKNOWN_FIELD = re.compile(r'unknown field "(?P<path>.*)"')


class Unanswered(Exception):  # noqa: N818 - it reads as what happened
    """Whoever was asked did not say what becomes of a write."""


def dry_run(
    proposal: Proposal, admission: AdmissionPart, profile: Profile, user: Mapping[str, Json] | None = None
) -> Iterator[DryRunResult]:
    """What becomes of each write, in order. `admission` may raise Unanswered. Nothing is stored meanwhile."""
    collections = {"namespaces": proposal.namespaces}
    for write in proposal.writes:
        ask = {**write.ask, "user": user} if user else write.ask
        try:
            answer = admission(collections, ask, profile)
        except Unanswered as error:
            yield DryRunResult(write, unanswered=str(error))
            continue
        found = _admitted if answer["outcome"] == "admitted" else _rejected
        yield found(DryRunResult(write), answer, profile)


def _admitted(result: DryRunResult, answer: Mapping[str, Json], profile: Profile) -> DryRunResult:
    write, stored, warnings = result.write, answer["object"], answer.get("warnings") or ()
    unknown = [_unknown_field(text, write.object) for text in warnings]
    changes = field_changes(write.object, stored)
    return replace(
        result,
        stored=stored,
        changes=tuple(explained(changes, write, [place for place in unknown if place], profile)),
        warnings=tuple(text for text, place in zip(warnings, unknown, strict=True) if not place),
    )


def _unknown_field(warning: str, value: Json) -> Path:
    found = _UNKNOWN_FIELD.search(warning)
    return place_of(found["path"], value) if found else ()


def _rejected(result: DryRunResult, answer: Mapping[str, Json], profile: Profile) -> DryRunResult:
    write, reason = result.write, answer["reason"]
    errors = [
        LocatedError(
            FieldError(
                _below(write.within, one["path"]), one["type"], one.get("value"), one.get("detail", "")
            ),
            result.line_of(place_of(one["path"], write.written)),
        )
        for one in answer.get("errors") or ()
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


def _below(within: Path, path: str) -> str:
    return ".".join(part for part in (written(within), path) if part)

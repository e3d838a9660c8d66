"""The When steps of writes that need a cluster: a patch, and server-side apply by a field manager."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.conformance.admit.when_steps import Writer, by_user, write_phrase
from dra_conform.conformance.cluster.references import ObjectReference
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.kinds import kind_and_name
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.yaml import parse_yaml


class PatchedObject(ObjectReference, frozen=True, kw_only=True):
    """An object to patch: `patch` is a JSON merge patch, in which null removes a field."""

    patch: dict[str, Any]
    status: bool = False
    user: Writer | None = None


class AppliedObject(Params, frozen=True, kw_only=True):
    """The fields that a field manager applies; `force`: also take ownership from other managers.

    `fields` are changed in the object, by path.
    """

    manager: str
    object: dict[str, Any]
    fields: dict[str, Any] = {}
    force: bool = False
    status: bool = False
    user: Writer | None = None


def _patch(_: Given, params: PatchedObject) -> Json:
    said = {"do": "patch", "of": params.reference, "patch": params.patch}
    return {**said, **_endpoint(params), **by_user(params.user)}


def _apply(_: Given, params: AppliedObject) -> Json:
    written: Json = params.object
    try:
        for path, value in params.fields.items():
            written = with_field(written, path, value)
    except ValueError as error:
        raise StepError(str(error)) from None
    said = {"do": "apply", "manager": params.manager, "object": written}
    force = {"force": True} if params.force else {}
    return {**said, **force, **_endpoint(params), **by_user(params.user)}


def _endpoint(params: PatchedObject | AppliedObject) -> dict[str, Json]:
    return {"subresource": "status"} if params.status else {}


def _patched(found: re.Match[str], _: Table, text: str) -> Json:
    return {**kind_and_name(found), "patch": one_document(text, "patch")}


def _applied(found: re.Match[str], _: Table, text: str) -> Json:
    force = {"force": True} if found[0].endswith("by force") else {}
    return {"manager": found["manager"], "object": one_document(text, "object"), **force}


def one_document(text: str, what: str) -> Json:
    """Return the only YAML document of a string; raises StepError."""
    documents = parse_yaml(text, f"the {what}")
    if len(documents) != 1:
        raise StepError(f"has {len(documents)} YAML documents, expected one {what}")
    return documents[0].value


WRITES: tuple[Step, ...] = (
    Step(
        "when",
        "patch",
        PatchedObject,
        (
            write_phrase('{kind} "{name}" is patched with', _patched),
            write_phrase('the status of {kind} "{name}" is patched with', _patched, status=True),
        ),
        _patch,
    ),
    Step(
        "when",
        "apply",
        AppliedObject,
        (
            write_phrase('field manager "{manager}" applies this object[ by force]', _applied),
            write_phrase(
                'field manager "{manager}" applies the status of this object[ by force]',
                _applied,
                status=True,
            ),
        ),
        _apply,
    ),
)
"""The When steps. A case with only one of them runs on a cluster, too."""

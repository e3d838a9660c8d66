"""The When steps of writes that need a cluster: a patch, and server-side apply by a field manager."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.conformance.object_references import ObjectReference
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Params, Step, Table, when
from dra_conform.conformance.steps.written_objects import kind_and_name, one_document, with_fields
from dra_conform.conformance.writes.steps import Writer, by_user, write_phrase
from dra_conform.kube.json_values import Json


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


def _endpoint(params: PatchedObject | AppliedObject) -> dict[str, Json]:
    return {"subresource": "status"} if params.status else {}


def _patched(match: re.Match[str], _: Table, text: str) -> Json:
    return {**kind_and_name(match), "patch": one_document(text, "patch")}


def _applied(match: re.Match[str], _: Table, text: str) -> Json:
    force = {"force": True} if match[0].endswith("by force") else {}
    return {"manager": match["manager"], "object": one_document(text, "object"), **force}


@when(write_phrase('{kind} "{name}" is patched with', _patched))
@when(write_phrase('the status of {kind} "{name}" is patched with', _patched, status=True))
def patch(_: Given, params: PatchedObject) -> Json:
    action = {"do": "patch", "of": params.reference, "patch": params.patch}
    return {**action, **_endpoint(params), **by_user(params.user)}


@when(write_phrase('field manager "{manager}" applies this object[ by force]', _applied))
@when(
    write_phrase(
        'field manager "{manager}" applies the status of this object[ by force]',
        _applied,
        status=True,
    )
)
def apply(_: Given, params: AppliedObject) -> Json:
    written = with_fields(params.object, params.fields)
    action = {"do": "apply", "manager": params.manager, "object": written}
    force = {"force": True} if params.force else {}
    return {**action, **force, **_endpoint(params), **by_user(params.user)}


WRITES: tuple[Step, ...] = (
    patch,
    apply,
)
"""The When steps. A case with only one of them runs on a cluster, too."""

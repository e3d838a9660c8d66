"""The When steps of a write to the API server."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.kinds import KINDS, kind_and_name
from dra_conform.conformance.steps.step import Json, Params, Phrase, Step, StepError, Table, listed, phrase
from dra_conform.kube.field_paths import each_field, parts_of
from dra_conform.kube.yaml import parse_yaml

_WRITER = '[as user "{user}"[ in group[s] "{groups}"], ]'
_FROM_FIRST = re.compile(r"(?P<list>[^.\]]+(\.[^.\]]+)*)\[0\.\.\d+\]")
"""A range of all items of a list that is not nested in another list."""
ParamsOf = Callable[[re.Match[str], Table, str], Json]
"""Converts the match of a phrase, its table and its doc string to the parameters of a step."""


class Writer(Params, frozen=True, kw_only=True):
    """The user who writes."""

    name: str
    groups: tuple[str, ...] = ()


class WrittenObject(Params, frozen=True, kw_only=True):
    """The written object: one of the setup by kind and name, or `object`.

    `fields` are changed in it, by path; null removes a field. Without `user`, an administrator writes.
    """

    kind: str = ""
    name: str = ""
    object: dict[str, Any] | None = None
    fields: dict[str, Any] = {}
    user: Writer | None = None


class UpdatedObject(WrittenObject, frozen=True, kw_only=True):
    """The object that updates the one of its kind and name; `status`: through the status subresource."""

    status: bool = False


class ResizedPod(Params, frozen=True, kw_only=True):
    """The pod of the setup that is written to its resize subresource, with changed fields by path."""

    pod: str
    fields: dict[str, Any]


def _create(_: Given, params: WrittenObject) -> Json:
    return {"verb": "create", **_what(params)}


def _update(_: Given, params: UpdatedObject) -> Json:
    return {"verb": "update", **_what(params), **({"subresource": "status"} if params.status else {})}


def _resize(_: Given, params: ResizedPod) -> Json:
    return {
        "verb": "update",
        **_what(WrittenObject(kind="Pod", name=params.pod, fields=params.fields)),
        "subresource": "resize",
    }


def _what(params: WrittenObject) -> dict[str, Json]:
    for path in params.fields:
        checked_path(path)
    named = bool(params.kind and params.name)
    if named == (params.object is not None):
        raise StepError("expected the kind and name of an object in the setup, or an object")
    what = {"kind": params.kind, "name": params.name} if named else {"object": params.object}
    return {**what, "fields": params.fields, **by_user(params.user)}


def by_user(writer: Writer | None) -> dict[str, Json]:
    """Return the member `user` of a question or an action, none for an administrator."""
    return {} if writer is None else {"user": {"name": writer.name, "groups": list(writer.groups)}}


def checked_path(path: str) -> str:
    """Return the path; raises StepError if it is malformed."""
    try:
        parts_of(path)
    except ValueError as error:
        raise StepError(str(error)) from None
    return path


def _written(_: re.Match[str], __: Table, text: str) -> Json:
    documents = parse_yaml(text, "the object")
    if len(documents) != 1:
        raise StepError(f"has {len(documents)} objects, expected one")
    return {"object": documents[0].value}


def _named(found: re.Match[str], rows: Table, _: str) -> Json:
    return {**kind_and_name(found), "fields": by_path(rows)}


def write_phrase(words: str, params: ParamsOf, *, status: bool = False) -> Phrase:
    """Return a phrase of a write; `status`: through the status subresource.

    The phrase may begin with the user, such as `as user "jane" in groups "team, staff", `.
    """

    def all_params(found: re.Match[str], rows: Table, text: str) -> Json:
        said = found.groupdict()
        writer = {"user": {"name": said["user"], "groups": listed(said["groups"] or "")}}
        return {
            **params(found, rows, text),
            **(writer if said["user"] else {}),
            **({"status": True} if status else {}),
        }

    whole = phrase(_WRITER + words, all_params, kind=KINDS)
    return replace(whole, words=words)


def by_path(rows: Table) -> dict[str, Json]:
    """Return a table of fields and values as a map; raises StepError for other columns."""
    for row in rows:
        if row.keys() != {"field", "value"}:
            raise StepError(f"the table has the columns {', '.join(row)}, expected field and value")
    return {row["field"]: yaml_value(row["value"]) for row in rows}


def each_by_path(fields: Mapping[str, Json]) -> dict[str, Json]:
    """Expand ranges in paths, which are unknown to implementations; raises StepError.

    A range that begins with the first item becomes a list, because the order of additions is undefined.
    """
    found: dict[str, Json] = {}
    try:
        for path, value in fields.items():
            each = dict(each_field(path, value))
            several = _FROM_FIRST.fullmatch(path) if value is not None else None
            found |= {several["list"]: list(each.values())} if several else each
    except ValueError as error:
        raise StepError(str(error)) from None
    return found


def yaml_value(cell: str) -> Json:
    """Return the YAML value of a cell; an empty cell is null."""
    documents = parse_yaml(cell, "the value")
    return documents[0].value if documents else None


CREATE = Step(
    "when",
    "create",
    WrittenObject,
    (
        write_phrase('{kind} "{name}" is created[ with]', _named),
        write_phrase("this object is created", _written),
    ),
    _create,
)

UPDATE = Step(
    "when",
    "update",
    UpdatedObject,
    (
        write_phrase('{kind} "{name}" is updated[ with]', _named),
        write_phrase('the status of {kind} "{name}" is updated[ with]', _named, status=True),
        write_phrase("this object is updated", _written),
        write_phrase("the status of this object is updated", _written, status=True),
    ),
    _update,
)

RESIZE = Step(
    "when",
    "resize",
    ResizedPod,
    (
        phrase(
            'pod "{pod}" is resized to',
            lambda found, rows, _: {"pod": found["pod"], "fields": by_path(rows)},
        ),
    ),
    _resize,
)

WHEN_STEPS: tuple[Step, ...] = (CREATE, UPDATE, RESIZE)
"""The When steps."""

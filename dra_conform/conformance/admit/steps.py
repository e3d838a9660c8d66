"""The when and then steps of a write to the API server."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dra_conform.conformance.admit.answer import Admission
from dra_conform.conformance.admit.expectation import PRESENT, AdmissionExpectationBuilder
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Json, Params, Phrase, Step, StepError, Table, listed, phrase
from dra_conform.kube.field_error import ErrorType
from dra_conform.kube.field_paths import ABSENT, field_at, parts_of
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.yaml import parse_yaml

_KINDS = "|".join(COLLECTIONS)
_WRITER = '[as user "{user}"[ in group[s] "{groups}"], ]'
ParamsOf = Callable[[re.Match[str], Table, str], Json]
"""From what a phrase has matched, its table and its doc string to the parameters of a step."""


class Writer(Params, frozen=True, kw_only=True):
    """Who writes."""

    name: str
    groups: tuple[str, ...] = ()


class WrittenObject(Params, frozen=True, kw_only=True):
    """The object written: one that is given, by its kind and name, or `object` as it stands there.

    `fields` are what is different in it, by path; null takes a field away. Without `user` an administrator
    writes.
    """

    kind: str = ""
    name: str = ""
    object: dict[str, Any] | None = None
    fields: dict[str, Any] = {}
    user: Writer | None = None


class UpdatedObject(WrittenObject, frozen=True, kw_only=True):
    """The object written over the given one of its kind and name; `status`: by the status subresource."""

    status: bool = False


class ResizedPod(Params, frozen=True, kw_only=True):
    """The given pod that is written to its resize subresource, with what is different in it by path."""

    pod: str
    fields: dict[str, Any]


class ExpectedRejection(Params, frozen=True, kw_only=True):
    """One field error that must be among those reported, or the reason of the API status; or neither."""

    type: str | None = None
    path: str | None = None
    reason: str | None = None


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
        _path(path)
    named = bool(params.kind and params.name)
    if named == (params.object is not None):
        raise StepError("expected the kind and name of a given object, or an object")
    what = {"kind": params.kind, "name": params.name} if named else {"object": params.object}
    return {**what, "fields": params.fields, **by_user(params.user)}


def by_user(writer: Writer | None) -> dict[str, Json]:
    """The member `user` of a question or an action, none for an administrator."""
    return {} if writer is None else {"user": {"name": writer.name, "groups": list(writer.groups)}}


def _stored(then: AdmissionExpectationBuilder, params: dict[str, Any] | bool) -> None:
    if params is False:
        raise StepError("is false, expected true or fields with their values")
    then.decide(Admission.ADMITTED)
    for path, value in (params if isinstance(params, dict) else {}).items():
        then.expect_field(_path(path), ABSENT if value is None else value)


def _unchanged(then: AdmissionExpectationBuilder, params: bool) -> None:
    if params is False:
        raise StepError("is false, expected true")
    then.decide(Admission.ADMITTED)
    part = then.ask.get("subresource", "spec")
    then.expect_field(part, field_at(then.ask["object"], part))


def _dropped(then: AdmissionExpectationBuilder, params: str) -> None:
    then.expect_field(_path(params), ABSENT)


def _kept(then: AdmissionExpectationBuilder, params: str) -> None:
    value = field_at(then.ask["object"], _path(params))
    if value is ABSENT:
        raise StepError(f"{params} is not in the object that is written, expected a field of it")
    then.expect_field(params, value)


def _set(then: AdmissionExpectationBuilder, params: str) -> None:
    then.expect_field(_path(params), PRESENT)


def _warned(then: AdmissionExpectationBuilder, params: str | bool) -> None:
    then.expect_warning("" if params is True else params or None)


def _not_served(then: AdmissionExpectationBuilder, params: bool) -> None:
    if params is False:
        raise StepError("is false, expected true")
    then.decide(Admission.REJECTED)
    then.reason = "NotFound"


def _rejected(then: AdmissionExpectationBuilder, params: ExpectedRejection | bool) -> None:
    if params is False:
        raise StepError("is false, expected true or an error")
    then.decide(Admission.REJECTED)
    if not isinstance(params, ExpectedRejection):
        return
    if params.type is not None and params.type not in set(ErrorType):
        known = ", ".join(ErrorType)
        raise StepError(f"error type {params.type!r} is unknown, expected one of {known}")
    then.reason = params.reason or then.reason
    if params.type is not None or params.path is not None:
        then.expect_error(params.type, params.path)


def _path(path: str) -> str:
    try:
        parts_of(path)
    except ValueError as error:
        raise StepError(str(error)) from None
    return path


def _written(_: re.Match[str], __: Table, text: str) -> Json:
    documents = parse_yaml(text, "the object")
    if len(documents) != 1:
        raise StepError(f"{len(documents)} objects, expected one")
    return {"object": documents[0].value}


def _named(found: re.Match[str], rows: Table, _: str) -> Json:
    return {"kind": found["kind"], "name": found["name"], "fields": by_path(rows)}


def write_phrase(words: str, params: ParamsOf, *, status: bool = False) -> Phrase:
    """A phrase of a write; `status`: of the status.

    It may begin with who writes, as in `as user "jane" in groups "team, staff", `.
    """

    def all_params(found: re.Match[str], rows: Table, text: str) -> Json:
        said = found.groupdict()
        writer = {"user": {"name": said["user"], "groups": listed(said["groups"] or "")}}
        return {
            **params(found, rows, text),
            **(writer if said["user"] else {}),
            **({"status": True} if status else {}),
        }

    whole = phrase(_WRITER + words, all_params, kind=_KINDS)
    return replace(whole, words=words)


def by_path(rows: Table) -> dict[str, Json]:
    """A table of fields and their values; raises StepError for other columns."""
    for row in rows:
        if row.keys() != {"field", "value"}:
            raise StepError(f"a table with the columns {', '.join(row)}, expected field and value")
    return {row["field"]: _value(row["value"]) for row in rows}


def _value(cell: str) -> Json:
    """The value that a cell writes in YAML; an empty one is null."""
    documents = parse_yaml(cell, "the value")
    return documents[0].value if documents else None


def _fields(_: re.Match[str], rows: Table, __: str) -> Json:
    return by_path(rows) or True


def _error(found: re.Match[str], _: Table, __: str) -> Json:
    said = {name: text for name, text in found.groupdict().items() if text}
    return said or True


CREATE = Step(
    "when",
    "create",
    WrittenObject,
    (
        write_phrase('the {kind} "{name}" is created[ with]', _named),
        write_phrase("this object is created", _written),
    ),
    _create,
)

UPDATE = Step(
    "when",
    "update",
    UpdatedObject,
    (
        write_phrase('the {kind} "{name}" is updated[ with]', _named),
        write_phrase('the status of the {kind} "{name}" is updated[ with]', _named, status=True),
        write_phrase("it is updated to this object", _written),
        write_phrase("its status is updated to that of this object", _written, status=True),
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

STEPS: tuple[Step, ...] = (
    CREATE,
    UPDATE,
    RESIZE,
    Step(
        "then",
        "stored",
        dict[str, Any] | bool,
        (
            phrase("it is stored[ with]", _fields),
            phrase(
                'the field "{path}" is set to {value}',
                lambda found, _, __: {found["path"]: _value(found["value"])},
                value=".+",
            ),
        ),
        _stored,
    ),
    Step(
        "then",
        "set",
        str,
        (phrase('the field "{path}" is set', lambda found, _, __: found["path"]),),
        _set,
    ),
    Step(
        "then",
        "unchanged",
        bool,
        (phrase("it is stored as it was written", lambda *_: True),),
        _unchanged,
    ),
    Step(
        "then",
        "dropped",
        str,
        (phrase('the field "{path}" is dropped', lambda found, _, __: found["path"]),),
        _dropped,
    ),
    Step(
        "then",
        "kept",
        str,
        (phrase('the field "{path}" is kept', lambda found, _, __: found["path"]),),
        _kept,
    ),
    Step(
        "then",
        "warned",
        str | bool,
        (
            phrase('it is stored with the warning "{text}"', lambda found, _, __: found["text"]),
            phrase("it is stored with a warning", lambda *_: True),
            phrase("it is stored without warnings", lambda *_: False),
        ),
        _warned,
    ),
    Step("then", "not-served", bool, (phrase("its version is not served", lambda *_: True),), _not_served),
    Step(
        "then",
        "rejected",
        ExpectedRejection | bool,
        (
            phrase('it is rejected[ with {type} at "{path}"]', _error, type="[A-Za-z]+"),
            phrase("it is rejected as {reason}", _error, reason="[A-Za-z]+"),
        ),
        _rejected,
    ),
)
"""The when and then steps."""

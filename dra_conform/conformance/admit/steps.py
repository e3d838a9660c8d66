"""The when and then steps of a write to the API server."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dra_conform.conformance.admit.answer import Admission
from dra_conform.conformance.admit.expectation import AdmissionExpectationBuilder
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table, phrase
from dra_conform.kube.field_error import ErrorType
from dra_conform.kube.field_paths import ABSENT, field_at, parts_of
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.yaml import parse_yaml

_KINDS = "|".join(COLLECTIONS)


class WrittenObject(Params, frozen=True, kw_only=True):
    """The object written: one that is given, by its kind and name, or `object` as it stands there.

    `fields` are what is different in it, by path; null takes a field away.
    """

    kind: str = ""
    name: str = ""
    object: dict[str, Any] | None = None
    fields: dict[str, Any] = {}


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
    if named:
        return {"kind": params.kind, "name": params.name, "fields": params.fields}
    return {"object": params.object, "fields": params.fields}


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


def _of_status(
    params: Callable[[re.Match[str], Table, str], Json],
) -> Callable[[re.Match[str], Table, str], Json]:
    return lambda found, rows, text: {**params(found, rows, text), "status": True}


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
        phrase('the {kind} "{name}" is created[ with]', _named, kind=_KINDS),
        phrase("this object is created", _written),
    ),
    _create,
)

UPDATE = Step(
    "when",
    "update",
    UpdatedObject,
    (
        phrase('the {kind} "{name}" is updated[ with]', _named, kind=_KINDS),
        phrase('the status of the {kind} "{name}" is updated[ with]', _of_status(_named), kind=_KINDS),
        phrase("it is updated to this object", _written),
        phrase("its status is updated to that of this object", _of_status(_written)),
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
    Step("then", "stored", dict[str, Any] | bool, (phrase("it is stored[ with]", _fields),), _stored),
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

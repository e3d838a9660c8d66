"""The When and Then steps of a write to the API server."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dra_conform.conformance.observed_fields import PRESENT
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import (
    Params,
    Phrase,
    Step,
    StepError,
    Table,
    listed,
    phrase,
    then,
    when,
)
from dra_conform.conformance.steps.written_objects import (
    KINDS,
    by_path,
    checked_path,
    kind_and_name,
    yaml_value,
)
from dra_conform.conformance.writes.answer import Admission
from dra_conform.conformance.writes.expectation import AdmissionExpectationBuilder
from dra_conform.kube.codec import plain
from dra_conform.kube.errors import ErrorType
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.yaml import parse_yaml

_WRITER = '[as user "{user}"[ in group[s] "{groups}"], ]'
ParamsOf = Callable[[re.Match[str], Table, str], Json]
"""Converts the match of a phrase, its table and its doc string to the parameters of a step."""


class Writer(Params, frozen=True, kw_only=True):
    """The user who writes."""

    name: str
    groups: tuple[str, ...] = ()


class WrittenObject(Params, frozen=True, kw_only=True):
    """The written object: an object of the setup by kind and name, or `object`.

    `fields` are changed in it, by path; null removes a field. Without `user`, an administrator writes.
    """

    kind: str = ""
    name: str = ""
    object: dict[str, Any] | None = None
    fields: dict[str, Any] = {}
    user: Writer | None = None


class UpdatedObject(WrittenObject, frozen=True, kw_only=True):
    """An object that updates the object of the same kind and name; `status`: by the status subresource."""

    status: bool = False


class ResizedPod(Params, frozen=True, kw_only=True):
    """The pod of the setup that is written to its resize subresource, with changed fields by path."""

    pod: str
    fields: dict[str, Any]


def _written_object(params: WrittenObject) -> dict[str, Json]:
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


def _written(_: re.Match[str], __: Table, text: str) -> Json:
    documents = parse_yaml(text, "the object")
    if len(documents) != 1:
        raise StepError(f"has {len(documents)} objects, expected one")
    return {"object": documents[0].value}


def _named(match: re.Match[str], rows: Table, _: str) -> Json:
    return {**kind_and_name(match), "fields": by_path(rows)}


def write_phrase(words: str, params: ParamsOf, *, status: bool = False) -> Phrase:
    """Return a phrase of a write; `status`: through the status subresource.

    The phrase may begin with the user, such as `as user "jane" in groups "team, staff", `.
    """

    def all_params(match: re.Match[str], rows: Table, text: str) -> Json:
        groups = match.groupdict()
        writer = {"user": {"name": groups["user"], "groups": listed(groups["groups"] or "")}}
        return {
            **params(match, rows, text),
            **(writer if groups["user"] else {}),
            **({"status": True} if status else {}),
        }

    whole = phrase(_WRITER + words, all_params, kind=KINDS)
    return replace(whole, words=words)


@when(write_phrase('{kind} "{name}" is created[ with]', _named))
@when(write_phrase("this object is created", _written))
def create(_: Given, params: WrittenObject) -> Json:
    return {"verb": "create", **_written_object(params)}


@when(write_phrase('{kind} "{name}" is updated[ with]', _named))
@when(write_phrase('the status of {kind} "{name}" is updated[ with]', _named, status=True))
@when(write_phrase("this object is updated", _written))
@when(write_phrase("the status of this object is updated", _written, status=True))
def update(_: Given, params: UpdatedObject) -> Json:
    return {
        "verb": "update",
        **_written_object(params),
        **({"subresource": "status"} if params.status else {}),
    }


@when('pod "{pod}" is resized to', lambda match, rows, _: {"pod": match["pod"], "fields": by_path(rows)})
def resize(_: Given, params: ResizedPod) -> Json:
    return {
        "verb": "update",
        **_written_object(WrittenObject(kind="Pod", name=params.pod, fields=params.fields)),
        "subresource": "resize",
    }


WHEN_STEPS: tuple[Step, ...] = (create, update, resize)
"""The When steps."""


class ExpectedRejection(Params, frozen=True, kw_only=True):
    """A rejection: with a field error that must be reported, or with the reason of the API status.

    Without both, any rejection matches.
    """

    type: str | None = None
    path: str | None = None
    reason: str | None = None


def _fields(_: re.Match[str], rows: Table, __: str) -> Json:
    return by_path(rows) or True


def _error(match: re.Match[str], _: Table, __: str) -> Json:
    params = {name: text for name, text in match.groupdict().items() if text}
    return params or True


@then("the object is stored[ with]", _fields)
@then(
    'the field "{path}" is set to {value}',
    lambda match, _, __: {match["path"]: yaml_value(match["value"])},
    value=".+",
)
def stored(then: AdmissionExpectationBuilder, params: dict[str, Any] | bool) -> None:
    if params is False:
        raise StepError("is false, expected true or fields with their values")
    then.decide(Admission.ADMITTED)
    for path, value in (params if isinstance(params, dict) else {}).items():
        then.expect_field(checked_path(path), ABSENT if value is None else value)


@then('the field "{path}" is set')
def set_(then: AdmissionExpectationBuilder, params: str) -> None:
    then.expect_field(checked_path(params), PRESENT)


@then("the object is stored as written")
def stored_as_written(then: AdmissionExpectationBuilder, params: bool) -> None:
    if params is False:
        raise StepError("is false, expected true")
    then.decide(Admission.ADMITTED)
    part = then.ask.get("subresource", "spec")
    then.expect_field(part, field_at(then.ask["object"], part))


@then('the field "{path}" is dropped')
def dropped(then: AdmissionExpectationBuilder, params: str) -> None:
    then.expect_field(checked_path(params), ABSENT)


@then('the field "{path}" is kept')
def kept(then: AdmissionExpectationBuilder, params: str) -> None:
    value = field_at(then.ask["object"], checked_path(params))
    if value is ABSENT:
        raise StepError(f"the written object has no field {params}, expected a field of this object")
    then.expect_field(params, plain(value))


@then('the object is stored with the warning "{text}"')
@then("the object is stored with a warning")
@then("the object is stored without warnings", lambda *_: False)
def warned(then: AdmissionExpectationBuilder, params: str | bool) -> None:
    then.expect_warning("" if params is True else params or None)


@then("the API version is not served")
def version_not_served(then: AdmissionExpectationBuilder, params: bool) -> None:
    if params is False:
        raise StepError("is false, expected true")
    then.decide(Admission.REJECTED)
    then.reason = "NotFound"


@then('the object is rejected[ with {type}][ at "{path}"]', _error, type="[A-Za-z]+")
@then("the object is rejected as {reason}", _error, reason="[A-Za-z]+")
def rejected(then: AdmissionExpectationBuilder, params: ExpectedRejection | bool) -> None:
    if params is False:
        raise StepError("is false, expected true or an error")
    then.decide(Admission.REJECTED)
    if not isinstance(params, ExpectedRejection):
        return
    if params.type is not None and params.type not in set(ErrorType):
        known = ", ".join(ErrorType)
        raise StepError(f"unknown error type {params.type!r}, expected one of {known}")
    then.reason = params.reason or then.reason
    if params.type is not None or params.path is not None:
        then.expect_error(params.type, params.path)


THEN_STEPS: tuple[Step, ...] = (
    stored,
    set_,
    stored_as_written,
    dropped,
    kept,
    warned,
    version_not_served,
    rejected,
)
"""The Then steps."""

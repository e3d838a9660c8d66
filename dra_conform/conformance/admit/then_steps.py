"""The Then steps of a write to the API server."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.conformance.admit.answer import Admission
from dra_conform.conformance.admit.expectation import PRESENT, AdmissionExpectationBuilder
from dra_conform.conformance.admit.when_steps import by_path, checked_path, yaml_value
from dra_conform.conformance.steps.step import Json, Params, Step, StepError, Table, phrase
from dra_conform.kube.field_error import ErrorType
from dra_conform.kube.field_paths import ABSENT, field_at


class ExpectedRejection(Params, frozen=True, kw_only=True):
    """A rejection: with a field error that must be reported, with the reason of the API status, or any."""

    type: str | None = None
    path: str | None = None
    reason: str | None = None


def _stored(then: AdmissionExpectationBuilder, params: dict[str, Any] | bool) -> None:
    if params is False:
        raise StepError("is false, expected true or fields with their values")
    then.decide(Admission.ADMITTED)
    for path, value in (params if isinstance(params, dict) else {}).items():
        then.expect_field(checked_path(path), ABSENT if value is None else value)


def _stored_as_written(then: AdmissionExpectationBuilder, params: bool) -> None:
    if params is False:
        raise StepError("is false, expected true")
    then.decide(Admission.ADMITTED)
    part = then.ask.get("subresource", "spec")
    then.expect_field(part, field_at(then.ask["object"], part))


def _dropped(then: AdmissionExpectationBuilder, params: str) -> None:
    then.expect_field(checked_path(params), ABSENT)


def _kept(then: AdmissionExpectationBuilder, params: str) -> None:
    value = field_at(then.ask["object"], checked_path(params))
    if value is ABSENT:
        raise StepError(f"the written object has no field {params}, expected a field of this object")
    then.expect_field(params, value)


def _set(then: AdmissionExpectationBuilder, params: str) -> None:
    then.expect_field(checked_path(params), PRESENT)


def _warned(then: AdmissionExpectationBuilder, params: str | bool) -> None:
    then.expect_warning("" if params is True else params or None)


def _version_not_served(then: AdmissionExpectationBuilder, params: bool) -> None:
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
        raise StepError(f"unknown error type {params.type!r}, expected one of {known}")
    then.reason = params.reason or then.reason
    if params.type is not None or params.path is not None:
        then.expect_error(params.type, params.path)


def _fields(_: re.Match[str], rows: Table, __: str) -> Json:
    return by_path(rows) or True


def _error(match: re.Match[str], _: Table, __: str) -> Json:
    params = {name: text for name, text in match.groupdict().items() if text}
    return params or True


THEN_STEPS: tuple[Step, ...] = (
    Step(
        "then",
        "stored",
        dict[str, Any] | bool,
        (
            phrase("the object is stored[ with]", _fields),
            phrase(
                'the field "{path}" is set to {value}',
                lambda match, _, __: {match["path"]: yaml_value(match["value"])},
                value=".+",
            ),
        ),
        _stored,
    ),
    Step(
        "then",
        "set",
        str,
        (phrase('the field "{path}" is set', lambda match, _, __: match["path"]),),
        _set,
    ),
    Step(
        "then",
        "storedAsWritten",
        bool,
        (phrase("the object is stored as written", lambda *_: True),),
        _stored_as_written,
    ),
    Step(
        "then",
        "dropped",
        str,
        (phrase('the field "{path}" is dropped', lambda match, _, __: match["path"]),),
        _dropped,
    ),
    Step(
        "then",
        "kept",
        str,
        (phrase('the field "{path}" is kept', lambda match, _, __: match["path"]),),
        _kept,
    ),
    Step(
        "then",
        "warned",
        str | bool,
        (
            phrase('the object is stored with the warning "{text}"', lambda match, _, __: match["text"]),
            phrase("the object is stored with a warning", lambda *_: True),
            phrase("the object is stored without warnings", lambda *_: False),
        ),
        _warned,
    ),
    Step(
        "then",
        "versionNotServed",
        bool,
        (phrase("the API version is not served", lambda *_: True),),
        _version_not_served,
    ),
    Step(
        "then",
        "rejected",
        ExpectedRejection | bool,
        (
            phrase('the object is rejected[ with {type}][ at "{path}"]', _error, type="[A-Za-z]+"),
            phrase("the object is rejected as {reason}", _error, reason="[A-Za-z]+"),
        ),
        _rejected,
    ),
)
"""The Then steps."""

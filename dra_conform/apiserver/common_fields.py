"""Validation of fields that several kinds have: meta/v1 conditions, binding conditions, CEL device selectors,
opaque driver configuration, and `status.devices[].data`."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from dra_conform.apiserver import limits, naming
from dra_conform.apiserver.limits import Limit
from dra_conform.apiserver.name_rules import driver
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import (
    Rule,
    anything,
    fields,
    items,
    one_of,
    required,
    string,
    strings,
    unique,
)
from dra_conform.cel import CompileError, Environment, compile, worst_cost  # noqa: A004 -- the word for it in every CEL library
from dra_conform.kube.errors import ErrorType
from dra_conform.kube.switches.api_server import ApiServerSwitches

_REASON = re.compile(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?")
_REASON_LENGTH = Limit(1024, "conditions[].reason", ErrorType.TOO_LONG)
_MESSAGE_LENGTH = Limit(32 * 1024, "conditions[].message", ErrorType.TOO_LONG)


def _reason(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if not _REASON.fullmatch(value):
        errors.invalid(
            path, value, "must start with a letter and consist of letters, digits, '_', ',' and ':'"
        )
    if len(value) > _REASON_LENGTH.bound:
        _REASON_LENGTH.exceeded(path, len(value), errors)


def _message(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if len(value) > _MESSAGE_LENGTH.bound:
        _MESSAGE_LENGTH.exceeded(path, len(value), errors)


def _generation(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if value < 0:
        errors.invalid(path, value, "must be greater than or equal to zero")


@lru_cache
def conditions(switches: ApiServerSwitches) -> Rule:
    """Return the rule for a list of conditions with distinct types."""
    kind, status = string(naming.label_key), one_of("False", "True", "Unknown")
    by_field = switches.conditions_validated_by_field
    condition = fields(
        {
            "type": required(kind) if by_field else kind,
            "status": required(status) if by_field else status,
            "lastTransitionTime": required(anything),
            "reason": required(_reason),
        },
        {"message": _message, "observedGeneration": _generation},
    )
    return items(condition, key="type", duplicate_at="" if by_field else ".type")


_CONDITIONS = strings(string(naming.label_key), limits.BINDING_CONDITIONS, distinct=False)


def binding_conditions(parent: Tree, path: str, errors: FieldErrors) -> None:
    """Validate that both lists or none are set, and that all conditions are distinct label keys."""
    binding, failure = parent.get("bindingConditions", []), parent.get("bindingFailureConditions", [])
    for name, conditions, other in (
        ("bindingConditions", binding, failure),
        ("bindingFailureConditions", failure, binding),
    ):
        _CONDITIONS(conditions, None, f"{path}.{name}", errors)
        unique(conditions, f"{path}.{name}", errors)
        if other and not conditions:
            errors.invalid(
                f"{path}.{name}", [], "bindingConditions and bindingFailureConditions need each other"
            )
    for index, condition in enumerate(failure):
        if condition in binding:
            condition_path = f"{path}.bindingFailureConditions[{index}]"
            errors.invalid(condition_path, condition, "must not overlap with bindingConditions")


def config(switches: ApiServerSwitches, stored: bool = False) -> Rule:
    """Return the rule for one entry: a driver and a JSON object whose size is limited unless it is stored."""
    parameters = json_object(None if stored else limits.PARAMETERS_LENGTH)
    opaque = fields({"driver": driver(switches), "parameters": parameters})

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if "opaque" in value:
            opaque(value["opaque"], None, f"{path}.opaque", errors)
        else:
            errors.required(f"{path}.opaque")

    return rule


def json_object(limit: Limit | None) -> Rule:
    """Return the rule for a JSON object whose length in bytes is limited."""

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if value is None:
            errors.required(path)
        elif limit is not None and (size := len(value.json)) > limit.bound:
            limit.exceeded(path, size, errors)
        elif not isinstance(value.value, dict):
            errors.invalid(path, "<value omitted>", "must be a valid JSON object")

    return rule


@lru_cache(maxsize=4096)
def _too_complex(expression: str, environment: Environment) -> bool:
    return worst_cost(compile(expression, environment)) > limits.EXPRESSION_COST


def selectors(switches: ApiServerSwitches, *, stored: bool = False) -> Rule:
    """Return the rule for a list of CEL selectors, which must compile.

    `stored` says that the list is stored and unchanged: most releases do not validate it again.
    """
    environment = _environment(switches, stored=stored)

    def expression(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if environment is None:
            return
        text = value or ""
        if len(text.encode()) > limits.EXPRESSION_LENGTH.bound:
            limits.EXPRESSION_LENGTH.exceeded(path, len(text), errors)
            return
        try:
            too_complex = _too_complex(text, environment)
        except CompileError as error:
            errors.invalid(path, text, f"compilation failed: {error}")
        else:
            if too_complex:
                errors.forbidden(path, "too complex, exceeds cost limit")

    cel = fields({"expression": expression})

    def selector(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        if "cel" in value:
            cel(value["cel"], None, f"{path}.cel", errors)
        else:
            errors.required(f"{path}.cel")

    return items(selector, limits.SELECTORS)


def _environment(switches: ApiServerSwitches, *, stored: bool) -> Environment | None:
    """Return the environment in which expressions must compile, None if they are not validated."""
    if not stored:
        return Environment.new(switches.expressions)
    if not switches.stored_expressions_validated:
        return None
    environment = Environment.stored(switches.expressions)
    return replace(environment, sharing=switches.stored_expressions_see_sharing)

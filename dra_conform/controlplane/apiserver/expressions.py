"""Validation of CEL device selectors."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from dra_conform.cel import CompileError, Environment, compile, worst_cost  # noqa: A004 -- the word for it in every CEL library
from dra_conform.controlplane.apiserver import limits
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.walk import Rule, fields, items
from dra_conform.kube.switches.api_server import ApiServerSwitches


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

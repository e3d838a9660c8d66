"""Validation of CEL device selectors."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dra_conform.cel import CompileError, Environment, compile, worst_cost  # noqa: A004 -- the word for it in every CEL library
from dra_conform.controlplane.apiserver import limits
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.walk import Rule, fields, items


@lru_cache(maxsize=4096)
def _too_complex(expression: str, environment: Environment) -> bool:
    return worst_cost(compile(expression, environment)) > limits.EXPRESSION_COST


def selectors(environment: Environment | None) -> Rule:
    """Return the rule for a list of CEL selectors that compile in an environment.

    Without an environment the expressions are not validated.
    """

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

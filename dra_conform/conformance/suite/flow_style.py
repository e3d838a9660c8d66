"""Golden values and steps in one line, in YAML flow style."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.kube.json_values import UncheckedJson
from dra_conform.kube.scalars import Number, in_flow


def step_in_words(key: str, params: UncheckedJson) -> str:
    """Return a golden step as reports show it, such as `resourceClaim: {name: c}`."""
    return f"{key}: {compact(params, in_flow)}"


def compact(value: UncheckedJson, text: Callable[[str], str] = str) -> str:
    """Return a value in one line; `text` formats strings."""
    match value:
        case dict():
            return (
                "{"
                + ", ".join(f"{text(str(key))}: {compact(item, text)}" for key, item in value.items())
                + "}"
            )
        case list() | tuple():
            return "[" + ", ".join(compact(item, text) for item in value) + "]"
        case bool():
            return str(value).lower()
        case None:
            return "null"
        case Number():
            return value.text
        case str():
            return text(value)
        case _:
            return str(value)

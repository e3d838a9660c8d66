"""A fast reader for JSON, which returns the same values as the YAML reader.

Input that the YAML reader rejects is rejected here without details; the YAML reader then words the error.
"""

from __future__ import annotations

import json
from typing import Any

from dra_conform.kube.scalars import Number


class UnsupportedJSONError(ValueError):
    """The string is not JSON, or has something that the YAML reader must report."""


def looks_like_json(text: str) -> bool:
    """Whether a string starts like a JSON object, which YAML in flow style does as well."""
    return text.lstrip(" \t\r\n")[:1] == "{"


def read_json(text: str, max_depth: int, max_scalar: int) -> Any:
    """Return the plain value of a JSON string, fractions as `Number`; raises UnsupportedJSONError."""
    try:
        value = json.loads(
            text, object_pairs_hook=_without_duplicates, parse_float=Number, parse_constant=_reject_constant
        )
    except (ValueError, RecursionError) as error:
        raise UnsupportedJSONError(str(error)) from None
    _check(value, max_depth, max_scalar, escaped=r"\ud" in text.lower())
    return value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) != len(pairs):
        raise UnsupportedJSONError("duplicate key")
    return built


def _reject_constant(name: str) -> Any:
    """Reject NaN and Infinity, which Python's JSON reader accepts."""
    raise UnsupportedJSONError(name)


def _check(value: Any, max_depth: int, max_scalar: int, *, escaped: bool) -> None:
    """Check depth, the length of strings, and surrogate pairs, one level of nesting after the other."""
    level = [value]
    for _ in range(max_depth + 1):
        below: list[Any] = []
        for item in level:
            if isinstance(item, str):
                _check_string(item, max_scalar, escaped=escaped)
            elif isinstance(item, dict):
                below += item.values()
                for key in item:
                    _check_string(key, max_scalar, escaped=escaped)
            elif isinstance(item, list):
                below += item
        if not below:
            return
        level = below
    raise UnsupportedJSONError(f"nested deeper than {max_depth}")


def _check_string(text: str, max_scalar: int, *, escaped: bool) -> None:
    if len(text) > max_scalar:
        raise UnsupportedJSONError(f"a string of more than {max_scalar} characters")
    if escaped:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise UnsupportedJSONError(str(error)) from None

"""The fast JSON reader, which gives the same values as the YAML reader.

Whatever the YAML road would complain about is refused here, so that there is one place that words complaints.
"""

from __future__ import annotations

import json
from typing import Any

from dra_conform.kube.scalars import Number


class NotPlainJSON(ValueError):  # noqa: N818 - it reads as what it is
    """The text is not JSON, or holds something that is to be complained about."""


def looks_like_json(text: str) -> bool:
    """Whether a text begins as a JSON object; YAML may begin so too."""
    return text.lstrip(" \t\r\n")[:1] == "{"


def read_json(text: str, max_depth: int, max_scalar: int) -> Any:
    """The plain value of a JSON text, fractions as `Number`; raises NotPlainJSON."""
    try:
        value = json.loads(
            text, object_pairs_hook=_without_duplicates, parse_float=Number, parse_constant=_refused
        )
    except (ValueError, RecursionError) as error:
        raise NotPlainJSON(str(error)) from None
    _check(value, max_depth, max_scalar, escaped=r"\ud" in text.lower())
    return value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) != len(pairs):
        raise NotPlainJSON("a key a second time")
    return built


def _refused(name: str) -> Any:
    raise NotPlainJSON(name)


def _check(value: Any, max_depth: int, max_scalar: int, *, escaped: bool) -> None:
    """Level by level: not too deep, no scalar too long, and no half of a surrogate pair."""
    level = [value]
    for _ in range(max_depth + 1):
        below: list[Any] = []
        for item in level:
            if isinstance(item, str):
                _check_text(item, max_scalar, escaped=escaped)
            elif isinstance(item, dict):
                below += item.values()
                for key in item:
                    _check_text(key, max_scalar, escaped=escaped)
            elif isinstance(item, list):
                below += item
        if not below:
            return
        level = below
    raise NotPlainJSON("nested too deep")


def _check_text(text: str, max_scalar: int, *, escaped: bool) -> None:
    if len(text) > max_scalar:
        raise NotPlainJSON("a text that is too long")
    if escaped:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise NotPlainJSON(str(error)) from None

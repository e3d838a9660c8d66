"""The path of a value in a scenario of plain dicts and lists."""

from __future__ import annotations

from typing import Any

Json = Any
FieldPath = tuple[str | int, ...]
"""Keys and indexes from the scenario, or from its objects, to a value."""


def value_at(whole: Json, path: FieldPath) -> Json:
    """Return the value at a path. Raises KeyError and IndexError."""
    for key in path:
        whole = whole[key]
    return whole

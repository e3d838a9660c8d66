"""The place of a value in a scenario of plain dicts and lists."""

from __future__ import annotations

from typing import Any

Json = Any
FieldPath = tuple[str | int, ...]
"""Keys and indexes from the whole scenario, or from its objects, down to one value."""


def value_at(whole: Json, path: FieldPath) -> Json:
    """The value at a path; raises KeyError and IndexError."""
    for key in path:
        whole = whole[key]
    return whole

"""Conversion of any value to plain JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity

_DEPTH = 40


def plain(value: object, depth: int = 0) -> Json:
    """Convert any value to JSON values: an implementation in process may answer with any Python object."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return value if value - value == 0 else repr(value)
    if depth >= _DEPTH:
        return "..."
    if isinstance(value, Mapping):
        return {str(key): plain(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, (set, frozenset)):
        return [plain(entry, depth + 1) for entry in sorted(value, key=repr)]
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return [plain(entry, depth + 1) for entry in value]
    return str(value) if isinstance(value, Quantity) else repr(value)

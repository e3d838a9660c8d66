"""Access to lists and maps by index and key."""

from __future__ import annotations

import math

from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.equality import contains, find, hashed
from dra_conform.cel.values.value import Optional_, UInt, Value, type_of


def membership(value: Value, where: Value) -> bool:
    """Return `value in where` for lists and maps."""
    if isinstance(where, tuple):
        return contains(where, value)
    if isinstance(where, dict):
        return find(where, value).present
    raise EvaluationError("no such overload")


def index(where: Value, key: Value) -> Value:
    """Return `where[key]`. Raise EvaluationError `no such key: ...` or `index out of bounds: ...`."""
    if isinstance(where, dict):
        if type(key) is str:
            try:
                return where[key]
            except KeyError:
                raise EvaluationError(f"no such key: {key}") from None
        entry = find(where, key)
        if entry.present:
            return entry.value
        raise EvaluationError(f"no such key: {displayed(key)}")
    if isinstance(where, tuple):
        return where[_position(where, key)]
    raise EvaluationError(f"no such key: {displayed(key)}")


def index_if_present(where: Value, key: Value) -> Optional_:
    """Return `where[?key]` for a `where` that is not optional."""
    if isinstance(where, dict):
        if type(key) is str:
            try:
                return Optional_(True, where[key])
            except KeyError:
                return Optional_(False)
        return find(where, key)
    if isinstance(where, tuple):
        at = _whole(key)
        return Optional_(True, where[at]) if 0 <= at < len(where) else Optional_(False)
    return Optional_(False)


def _position(where: tuple[Value, ...], key: Value) -> int:
    at = _whole(key)
    if 0 <= at < len(where):
        return at
    raise EvaluationError(f"index out of bounds: {at}")


def _whole(key: Value) -> int:
    if type(key) not in {int, UInt, float} or not math.isfinite(key) or key != int(key):
        raise EvaluationError(f"unsupported index type '{type_of(key).name}' in list")
    return int(key)


def displayed(key: Value) -> str:
    """Return a key as error messages show it."""
    if isinstance(key, bool):
        return "true" if key else "false"
    return str(int(key)) if isinstance(key, UInt) else "null" if key is None else str(key)


def insert(accumulator: dict[Value, Value], key: Value, value: Value) -> dict[Value, Value]:
    """Return the map with one more entry. Raise EvaluationError for a duplicate or unsupported key."""
    hashed(key)
    if isinstance(key, (tuple, dict)):
        raise EvaluationError("unsupported key type")
    if key in accumulator:
        raise EvaluationError(f"insert failed: key {displayed(key)} already exists")
    return {**accumulator, key: value}


def merge(accumulator: dict[Value, Value], entries: dict[Value, Value]) -> dict[Value, Value]:
    """Return the map with more entries. Raise EvaluationError as `insert` does."""
    for key, value in entries.items():
        accumulator = insert(accumulator, key, value)
    return accumulator

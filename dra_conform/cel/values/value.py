"""The values of CEL as Python values, their types, equality and order.

| CEL | Python |
|---|---|
| int | `int` within 64 bits (never a `bool`) |
| uint | `UInt` |
| double, bool, string, bytes, null | `float`, `bool`, `str`, `bytes`, `None` |
| list, map | `tuple`, `dict` |
| duration, timestamp | `Duration`, `Timestamp` |
| optional | `Optional_` |
| type | `Type` |
| quantity | `kube.quantity.Quantity` |
| any other opaque type | a frozen class with a class attribute `cel_type: Type` and value equality |
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.cel.values import types
from dra_conform.cel.values.cel_errors import Aborted, EvaluationError
from dra_conform.cel.values.types import Type
from dra_conform.kube.quantity import Quantity

Value = Any
"""A CEL value in its Python form; see the table of this module."""

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
UINT_MAX = 2**64 - 1


class UInt(int):
    """An unsigned 64-bit integer."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{int(self)}u"


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A span in nanoseconds, within 64 bits."""

    nanos: int


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A point in time in nanoseconds since 1970-01-01T00:00:00Z, within the years 1 to 9999."""

    nanos: int


@dataclass(frozen=True, slots=True)
class Optional_:  # noqa: N801 -- typing.Optional is another thing
    """A value that may be absent; `value` means nothing when `present` is false."""

    present: bool
    value: Value = None


NONE = Optional_(False)

_TYPES: dict[type, Type] = {
    bool: types.BOOL,
    int: types.INT,
    UInt: types.UINT,
    float: types.DOUBLE,
    str: types.STRING,
    bytes: types.BYTES,
    type(None): types.NULL,
    tuple: types.list_of(types.DYN),
    dict: types.map_of(types.DYN, types.DYN),
    Duration: types.DURATION,
    Timestamp: types.TIMESTAMP,
    Optional_: types.optional_of(types.DYN),
    Type: types.TYPE,
    Quantity: types.QUANTITY,
}


def type_of(value: Value) -> Type:
    """The runtime type; parameters of lists, maps and optionals are dyn."""
    found = _TYPES.get(type(value))
    if found is not None:
        return found
    if isinstance(value, dict):
        return _TYPES[dict]
    declared: Type = value.cel_type
    return declared


_NUMBERS = frozenset({int, UInt, float})


def equal(a: Value, b: Value) -> bool:
    """CEL equality: numbers compare across their types, values of other different types are unequal.

    The types of Kubernetes themselves (version, quantity, IP ...) are not so tolerant: on the left of another
    kind, except null, they raise EvaluationError("no such overload").
    """
    kind, other = type(a), type(b)
    if kind is other and kind in _PLAIN:
        return bool(a == b)
    if kind in _NUMBERS:
        return other in _NUMBERS and bool(a == b)
    if isinstance(a, dict):
        return isinstance(b, dict) and len(a) == len(b) and all(_same_entry(k, v, b) for k, v in a.items())
    if kind is not other:
        if _strict(kind) and b is not None:
            raise EvaluationError("no such overload")
        return False
    if kind is tuple:
        return len(a) == len(b) and all(map(_same_member, a, b))
    if kind is Optional_:
        return a.present == b.present and (not a.present or equal(a.value, b.value))
    if kind is Type:
        return bool(a.name == b.name)
    return bool(a == b)


_PLAIN = frozenset({bool, int, UInt, float, str, bytes, type(None), Duration, Timestamp, Quantity})


def _strict(kind: type) -> bool:
    declared: Type | None = getattr(kind, "cel_type", None)
    return kind is Quantity or (declared is not None and declared.name != "map")


def _same_entry(key: Value, value: Value, other: Mapping[Value, Value]) -> bool:
    found = find(other, key)
    return found.present and _same_member(value, found.value)


def _same_member(a: Value, b: Value) -> bool:
    """As cel-go compares the members of lists and maps: only a definite difference makes them unequal."""
    try:
        return equal(a, b)
    except EvaluationError:
        return True


def same(a: Value, b: Value) -> bool:
    """As `equal`, where values that cannot be compared are not the same."""
    try:
        return equal(a, b)
    except EvaluationError:
        return False


def find(mapping: Mapping[Value, Value], key: Value) -> Optional_:
    """The entry of a key; Python takes `true`, `1` and `1.0` for one key.

    In CEL whole numbers find each other; a key that is a double is found by the same double only.
    """
    if type(key) is str:
        return Optional_(True, mapping[key]) if key in mapping else NONE
    if isinstance(key, (tuple, dict)) or key not in mapping:
        return NONE
    if type(key) in _KEYS_ALIKE and not any(k == key and _finds(type(key), type(k)) for k in mapping):
        return NONE
    return Optional_(True, mapping[key])


_KEYS_ALIKE = frozenset({bool, int, UInt, float})


def _finds(key: type, present: type) -> bool:
    if present is bool or key is bool or present is float:
        return key is present
    return True


def contains(values: tuple[Value, ...], wanted: Value) -> bool:
    """Membership in a list by CEL equality."""
    return any(same(wanted, v) for v in values)


SET_KINDS = frozenset({bool, int, UInt, float, str})
"""The kinds of constants of which cel-go makes a set to look values up in."""

UNHASHED = frozenset({"bytes", "kubernetes.Semver", "kubernetes.NamedFormat"})
"""The types that Go cannot look up in a set or use as the key of a map."""


def hashed(value: Value) -> Value:
    """The value itself. Raises Aborted for a type that cannot be hashed in Go: there, this is a panic."""
    if type_of(value).name in UNHASHED:
        raise Aborted(f"internal error: runtime error: hash of unhashable type {type_of(value).name}")
    return value


def compare(a: Value, b: Value) -> int:
    """-1, 0 or 1. Raises EvaluationError for NaN and for types without an order."""
    kind, other = type(a), type(b)
    if (kind in _NUMBERS and other in _NUMBERS) or (kind is other and kind in _ORDERED):
        if a < b:
            return -1
        if a > b:
            return 1
        if a == b:
            return 0
        raise EvaluationError("NaN values cannot be ordered")
    raise EvaluationError("no such overload")


_ORDERED = frozenset({bool, str, bytes, Duration, Timestamp})


def int64(value: int) -> int:
    """The value itself if it fits; EvaluationError("integer overflow") otherwise."""
    if INT_MIN <= value <= INT_MAX:
        return value
    raise EvaluationError("integer overflow")


def uint64(value: int) -> UInt:
    """As `int64`, for unsigned integers."""
    if 0 <= value <= UINT_MAX:
        return UInt(value)
    raise EvaluationError("unsigned integer overflow")


def size(value: Value) -> int:
    """The size a cost is charged by: characters, bytes, elements or entries; 1 for everything else."""
    if isinstance(value, (str, bytes, tuple, dict)):
        return len(value)
    return 1


def traversal(value: Value) -> int:
    """The cost of walking over a value once: a tenth of its size, rounded up."""
    return math.ceil(size(value) * 0.1)

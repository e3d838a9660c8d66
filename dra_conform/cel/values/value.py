"""CEL values as Python values, and their types.

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
from dataclasses import dataclass
from typing import Any

from dra_conform.cel.values import types
from dra_conform.cel.values.cel_errors import EvaluationError
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
    """A duration in nanoseconds, within 64 bits."""

    nanos: int


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A point in time in nanoseconds since 1970-01-01T00:00:00Z, within the years 1 to 9999."""

    nanos: int


@dataclass(frozen=True, slots=True)
class Optional_:  # noqa: N801 -- typing.Optional is another thing
    """A value that may be absent; `value` is meaningful only if `present`."""

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
    """Return the runtime type; the parameters of lists, maps and optionals are dyn."""
    runtime_type = _TYPES.get(type(value))
    if runtime_type is not None:
        return runtime_type
    if isinstance(value, dict):
        return _TYPES[dict]
    declared: Type = value.cel_type
    return declared


def int64(value: int) -> int:
    """Return the value if it fits into 64 bits. Raise EvaluationError("integer overflow") otherwise."""
    if INT_MIN <= value <= INT_MAX:
        return value
    raise EvaluationError("integer overflow")


def uint64(value: int) -> UInt:
    """Return the value as an unsigned integer. Raise EvaluationError if it does not fit into 64 bits."""
    if 0 <= value <= UINT_MAX:
        return UInt(value)
    raise EvaluationError("unsigned integer overflow")


def size(value: Value) -> int:
    """Return the size that costs depend on: characters, bytes, elements or entries; 1 for other values."""
    if isinstance(value, (str, bytes, tuple, dict)):
        return len(value)
    return 1


def traversal(value: Value) -> int:
    """Return the cost of one traversal of a value: a tenth of its size, rounded up."""
    return math.ceil(size(value) * 0.1)

"""Kubernetes' list library: `isSorted`, `sum`, `min`, `max`, `indexOf` and `lastIndexOf`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.equality import compare, same
from dra_conform.cel.values.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    list_of,
    param,
)
from dra_conform.cel.values.value import INT_MAX, INT_MIN, Duration, UInt, Value, int64, uint64

_ELEMENT = param("T")


def _order(a: Value, b: Value) -> int | None:
    """Compare two values. Return None for values of different ordered types."""
    compare(a, a)
    compare(b, b)
    try:
        return compare(a, b)
    except EvaluationError:
        return None


def _is_sorted(values: tuple[Value, ...]) -> bool:
    return all(_order(a, b) != 1 for a, b in pairwise(values))


def _total(zero: Value) -> Callable[[tuple[Value, ...]], Value]:
    """Return a function that sums a list; an empty list gives `zero`."""

    def add(values: tuple[Value, ...]) -> Value:
        result = zero
        for value in values:
            result = _add(result, value)
        return result

    return add


def _add(a: Value, b: Value) -> Value:
    if type(a) is not type(b):
        raise EvaluationError("no such overload")
    if type(a) is int:
        return int64(a + b)
    if type(a) is UInt:
        return uint64(int(a) + int(b))
    if type(a) is float:
        return a + b
    if type(a) is Duration:
        nanos = a.nanos + b.nanos
        if not INT_MIN <= nanos <= INT_MAX:
            raise EvaluationError("duration overflow")
        return Duration(nanos)
    raise EvaluationError("no such overload")


def _extreme(name: str, wanted: int) -> Callable[[tuple[Value, ...]], Value]:
    """Return a function that finds the minimum (`wanted` -1) or maximum (`wanted` 1) of a list."""

    def search(values: tuple[Value, ...]) -> Value:
        if not values:
            raise EvaluationError(f"{name} called on empty list")
        best = values[0]
        for value in values[1:]:
            if _order(best, value) == -wanted:
                best = value
        return best

    return search


def _index_of(values: tuple[Value, ...], wanted: Value) -> int:
    return next((i for i, v in enumerate(values) if same(v, wanted)), -1)


def _last_index_of(values: tuple[Value, ...], wanted: Value) -> int:
    return next((i for i in reversed(range(len(values))) if same(values[i], wanted)), -1)


_SUMMABLE: tuple[tuple[Type, Value], ...] = (
    (INT, 0),
    (UINT, UInt(0)),
    (DOUBLE, 0.0),
    (DURATION, Duration(0)),
)
_COMPARABLE = (INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES)

OVERLOADS = (
    *(Overload("isSorted", True, (list_of(t),), BOOL, _is_sorted, charge.elements) for t in _COMPARABLE),
    *(Overload("sum", True, (list_of(t),), t, _total(zero), charge.elements) for t, zero in _SUMMABLE),
    *(Overload("min", True, (list_of(t),), t, _extreme("min", -1), charge.elements) for t in _COMPARABLE),
    *(Overload("max", True, (list_of(t),), t, _extreme("max", 1), charge.elements) for t in _COMPARABLE),
    Overload("indexOf", True, (list_of(_ELEMENT), _ELEMENT), INT, _index_of, charge.elements),
    Overload("lastIndexOf", True, (list_of(_ELEMENT), _ELEMENT), INT, _last_index_of, charge.elements),
)

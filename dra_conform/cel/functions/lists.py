"""Kubernetes' list library, such as `isSorted` and `sum`, and the lists extension of CEL, such as `slice`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.charge import check_elements, check_pairs
from dra_conform.cel.functions.overloads import Cost, Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.equality import compare, same
from dra_conform.cel.values.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    list_of,
    optional_of,
    param,
)
from dra_conform.cel.values.value import (
    INT_MAX,
    INT_MIN,
    NONE,
    Duration,
    Optional_,
    UInt,
    Value,
    int64,
    size,
    uint64,
)

List = tuple[Value, ...]

SORT_BY = "@sortByAssociatedKeys"
"""The function in the expansion of the macro `sortBy`."""

NEW_LISTS = frozenset({"slice", "lists.range", "reverse", "flatten", "distinct", "sort", SORT_BY})
"""Functions of Kubernetes 1.34 that return a new list."""

_MOST = 1_000_000
"""The maximum length of a list within the cost limit."""


def _take_slice(values: List, start: int, end: int) -> List:
    if not 0 <= start <= end <= len(values):
        raise EvaluationError(f"cannot slice({start}, {end}), list is length {len(values)}")
    return values[start:end]


def _flatten(values: List, depth: int = 1) -> List:
    """Replace nested lists by their elements, down to `depth` levels."""
    if depth < 0:
        raise EvaluationError("level must be non-negative")
    flat: list[Value] = []
    waiting = [(v, depth) for v in reversed(values)]
    while waiting:
        value, left = waiting.pop()
        if isinstance(value, tuple) and left:
            waiting.extend((v, left - 1) for v in reversed(value))
        else:
            check_elements(len(flat) + 1)
            flat.append(value)
    return tuple(flat)


def _sort_by(values: List, keys: List) -> List:
    """Return the values in the order of their keys. Raise EvaluationError for keys of different types."""
    if len(values) != len(keys):
        raise EvaluationError(f"cannot sort {len(values)} elements by {len(keys)} keys")
    if len({type(k) for k in keys}) > 1:
        raise EvaluationError("list elements must have the same type")
    check_pairs(len(values) ** 2)
    by_key = cmp_to_key(compare)
    return tuple(values[i] for i in sorted(range(len(values)), key=lambda i: by_key(keys[i])))


def _number_range(count: int) -> List:
    if count > _MOST:
        raise EvaluationError("operation cancelled: actual cost limit exceeded")
    return tuple(range(count))


def _distinct(values: List) -> List:
    """Return the values without later duplicates."""
    check_pairs(len(values) ** 2)
    kept: list[Value] = []
    for value in values:
        if not any(same(value, other) for other in kept):
            kept.append(value)
    return tuple(kept)


def _first(values: List) -> Optional_:
    return Optional_(True, values[0]) if values else NONE


def _last(values: List) -> Optional_:
    return Optional_(True, values[-1]) if values else NONE


def _unwrap(values: List) -> List:
    """Return the values of all optionals in the list that are present."""
    if any(type(v) is not Optional_ for v in values):
        raise EvaluationError("value is not optional")
    return tuple(v.value for v in values if v.present)


_ALLOCATED = 11
"""The cost of a call and of the new list."""


def _result(_: tuple[Value, ...], result: Value) -> int:
    return size(result) + _ALLOCATED


def _depth(values: tuple[Value, ...], _: Value) -> int:
    return size(values[0]) * (values[1] if len(values) > 1 else 1) + _ALLOCATED


def _each_with_each(at: int) -> Cost:
    def cost(values: tuple[Value, ...], _: Value) -> int:
        compared = values[at]
        tenths = 21 if compared and isinstance(compared[0], (str, bytes)) else 20
        return len(compared) ** 2 * tenths // 10 + _ALLOCATED

    return cost


_T = param("T")
_LIST = list_of(_T)
_COMPARABLE = (INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES)
_SORT: Callable[[List], List] = lambda values: _sort_by(values, values)  # noqa: E731 -- used in the table below

EXTENSION_OVERLOADS = (
    Overload("slice", True, (_LIST, INT, INT), _LIST, _take_slice, _result),
    Overload("flatten", True, (list_of(_LIST),), _LIST, _flatten, _depth),
    Overload("flatten", True, (list_of(DYN), INT), list_of(DYN), _flatten, _depth),
    *(Overload("sort", True, (list_of(t),), list_of(t), _SORT, _each_with_each(0)) for t in _COMPARABLE),
    *(Overload(SORT_BY, True, (_LIST, list_of(t)), _LIST, _sort_by, _each_with_each(1)) for t in _COMPARABLE),
    Overload("lists.range", False, (INT,), list_of(INT), _number_range, _result),
    Overload("reverse", True, (_LIST,), _LIST, lambda values: values[::-1], _result),
    Overload("distinct", True, (_LIST,), _LIST, _distinct, _each_with_each(0)),
    Overload("first", True, (_LIST,), optional_of(_T), _first),
    Overload("last", True, (_LIST,), optional_of(_T), _last),
    Overload("optional.unwrap", False, (list_of(optional_of(_T)),), _LIST, _unwrap),
    Overload("unwrapOpt", True, (list_of(optional_of(_T)),), _LIST, _unwrap),
)


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

OVERLOADS = (
    *(Overload("isSorted", True, (list_of(t),), BOOL, _is_sorted, charge.elements) for t in _COMPARABLE),
    *(Overload("sum", True, (list_of(t),), t, _total(zero), charge.elements) for t, zero in _SUMMABLE),
    *(Overload("min", True, (list_of(t),), t, _extreme("min", -1), charge.elements) for t in _COMPARABLE),
    *(Overload("max", True, (list_of(t),), t, _extreme("max", 1), charge.elements) for t in _COMPARABLE),
    Overload("indexOf", True, (list_of(_ELEMENT), _ELEMENT), INT, _index_of, charge.elements),
    Overload("lastIndexOf", True, (list_of(_ELEMENT), _ELEMENT), INT, _last_index_of, charge.elements),
)

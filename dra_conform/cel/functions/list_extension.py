"""The lists extension of cel-go (since Kubernetes 1.34), and the list functions of optional values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key

from dra_conform.cel.functions.bounds import check_elements, check_pairs
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
    list_of,
    optional_of,
    param,
)
from dra_conform.cel.values.value import NONE, Optional_, Value, size

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

OVERLOADS = (
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

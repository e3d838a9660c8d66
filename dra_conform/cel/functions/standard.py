"""The standard functions and operators of CEL as overloads.


The planner compiles logic, comparison, membership and access itself. Their overloads are for the type checker
and the cost.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping

from dra_conform.cel.functions import clock, conversions
from dra_conform.cel.functions.arithmetic import (
    divide,
    divide_double,
    divide_unsigned,
    duration,
    remainder,
    remainder_unsigned,
    timestamp,
)
from dra_conform.cel.functions.charge import check_elements, check_joined
from dra_conform.cel.functions.indexing import index, insert, membership, merge
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.patterns import compile_regex
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.equality import compare, equal, same
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
    map_of,
    optional_of,
    param,
)
from dra_conform.cel.values.value import Value, int64, size, traversal, uint64

_A, _K, _V = param("A"), param("K"), param("V")


def _min_size(args: tuple[Value, ...], _: Value) -> int:
    return min(traversal(args[0]), traversal(args[1]))


def _both_sizes(args: tuple[Value, ...], _: Value) -> int:
    return math.ceil((size(args[0]) + size(args[1])) * 0.1)


def _list_size(args: tuple[Value, ...], _: Value) -> int:
    return size(args[1])


def _op(name: str, params: tuple[Type, ...], result: Type, call: Callable[..., Value]) -> Overload:
    return Overload(name, False, params, result, call)


def _unlike(a: Value, b: Value) -> bool:
    return not same(a, b)


_ORDER: Mapping[str, Callable[[int], bool]] = {
    "_<_": lambda c: c < 0,
    "_<=_": lambda c: c <= 0,
    "_>_": lambda c: c > 0,
    "_>=_": lambda c: c >= 0,
}


def ordering(name: str) -> Callable[[Value, Value], bool]:
    """Return the function of an ordering operator. It raises EvaluationError for incomparable values."""
    test = _ORDER[name]

    def call(a: Value, b: Value) -> bool:
        return test(compare(a, b))

    return call


def _orderings() -> list[Overload]:
    overloads: list[Overload] = []
    numbers = (INT, UINT, DOUBLE)
    pairs = [(a, b) for a in numbers for b in numbers]
    pairs += [(t, t) for t in (BOOL, STRING, BYTES, TIMESTAMP, DURATION)]
    for name in _ORDER:
        for a, b in pairs:
            cost = _min_size if a in {STRING, BYTES} else None
            overloads.append(Overload(name, False, (a, b), BOOL, ordering(name), cost))
    return overloads


def _not_evaluated(*_: Value) -> Value:
    raise EvaluationError("no such overload")


def _joined(a: tuple[Value, ...], b: tuple[Value, ...]) -> Value:
    check_elements(len(a) + len(b))
    return a + b


def _text_joined(a: str, b: str) -> str:
    check_joined(len(a) + len(b))
    return a + b


def _bytes_joined(a: bytes, b: bytes) -> bytes:
    check_joined(len(a) + len(b))
    return a + b


def _negate(value: bool) -> bool:
    return not value


_LIST, _MAP = list_of(_A), map_of(_K, _V)

_OPERATORS: tuple[Overload, ...] = (
    _op("_&&_", (BOOL, BOOL), BOOL, _not_evaluated),
    _op("_||_", (BOOL, BOOL), BOOL, _not_evaluated),
    _op("_?_:_", (BOOL, _A, _A), _A, _not_evaluated),
    _op("@not_strictly_false", (BOOL,), BOOL, _not_evaluated),
    _op("!_", (BOOL,), BOOL, _negate),
    _op("-_", (INT,), INT, lambda a: int64(-a)),
    _op("-_", (DOUBLE,), DOUBLE, operator.neg),
    Overload("_==_", False, (_A, _A), BOOL, equal, _min_size),
    Overload("_!=_", False, (_A, _A), BOOL, _unlike, _min_size),
    *_orderings(),
    Overload("@in", False, (_A, _LIST), BOOL, membership, _list_size),
    _op("@in", (_K, _MAP), BOOL, membership),
    _op("_[_]", (_LIST, INT), _A, index),
    _op("_[_]", (_MAP, _K), _V, index),
    _op("_[_]", (optional_of(_LIST), INT), optional_of(_A), _not_evaluated),
    _op("_[_]", (optional_of(_MAP), _K), optional_of(_V), _not_evaluated),
    _op("_[?_]", (_LIST, INT), optional_of(_A), _not_evaluated),
    _op("_[?_]", (optional_of(_LIST), INT), optional_of(_A), _not_evaluated),
    _op("_[?_]", (_MAP, _K), optional_of(_V), _not_evaluated),
    _op("_[?_]", (optional_of(_MAP), _K), optional_of(_V), _not_evaluated),
    _op("_+_", (INT, INT), INT, lambda a, b: int64(a + b)),
    _op("_+_", (UINT, UINT), UINT, lambda a, b: uint64(int(a) + int(b))),
    _op("_+_", (DOUBLE, DOUBLE), DOUBLE, operator.add),
    Overload("_+_", False, (STRING, STRING), STRING, _text_joined, _both_sizes),
    Overload("_+_", False, (BYTES, BYTES), BYTES, _bytes_joined, _both_sizes),
    _op("_+_", (_LIST, _LIST), _LIST, _joined),
    _op("_+_", (DURATION, DURATION), DURATION, lambda a, b: duration(a.nanos + b.nanos)),
    _op("_+_", (TIMESTAMP, DURATION), TIMESTAMP, lambda a, b: timestamp(a.nanos + b.nanos)),
    _op("_+_", (DURATION, TIMESTAMP), TIMESTAMP, lambda a, b: timestamp(a.nanos + b.nanos)),
    _op("_-_", (INT, INT), INT, lambda a, b: int64(a - b)),
    _op("_-_", (UINT, UINT), UINT, lambda a, b: uint64(int(a) - int(b))),
    _op("_-_", (DOUBLE, DOUBLE), DOUBLE, operator.sub),
    _op("_-_", (TIMESTAMP, TIMESTAMP), DURATION, lambda a, b: duration(a.nanos - b.nanos)),
    _op("_-_", (TIMESTAMP, DURATION), TIMESTAMP, lambda a, b: timestamp(a.nanos - b.nanos)),
    _op("_-_", (DURATION, DURATION), DURATION, lambda a, b: duration(a.nanos - b.nanos)),
    _op("_*_", (INT, INT), INT, lambda a, b: int64(a * b)),
    _op("_*_", (UINT, UINT), UINT, lambda a, b: uint64(int(a) * int(b))),
    _op("_*_", (DOUBLE, DOUBLE), DOUBLE, operator.mul),
    _op("_/_", (INT, INT), INT, divide),
    _op("_/_", (UINT, UINT), UINT, divide_unsigned),
    _op("_/_", (DOUBLE, DOUBLE), DOUBLE, divide_double),
    _op("_%_", (INT, INT), INT, remainder),
    _op("_%_", (UINT, UINT), UINT, remainder_unsigned),
    _op("cel.@mapInsert", (_MAP, _K, _V), _MAP, insert),
    _op("cel.@mapInsert", (_MAP, _MAP), _MAP, merge),
)
"""All operators. `_?._` has no overload, because the checker resolves fields itself."""


def _size(value: Value) -> int:
    return len(value)


def _matches(text: str, pattern: str) -> bool:
    return compile_regex(pattern).search(text) is not None


def _second(args: tuple[Value, ...], _: Value) -> int:
    return traversal(args[1])


def _product(args: tuple[Value, ...], _: Value) -> int:
    return traversal(args[0]) * traversal(args[1])


def _regex(args: tuple[Value, ...], _: Value) -> int:
    return math.ceil((1 + size(args[0])) * 0.1) * math.ceil(size(args[1]) * 0.25)


_SIZED = (STRING, BYTES, list_of(_A), map_of(_K, _V))

STANDARD: tuple[Overload, ...] = (
    *_OPERATORS,
    *(Overload("size", member, (t,), INT, _size) for t in _SIZED for member in (False, True)),
    Overload("contains", True, (STRING, STRING), BOOL, lambda a, b: b in a, _product),
    Overload("startsWith", True, (STRING, STRING), BOOL, str.startswith, _second),
    Overload("endsWith", True, (STRING, STRING), BOOL, str.endswith, _second),
    Overload("matches", True, (STRING, STRING), BOOL, _matches, _regex),
    Overload("matches", False, (STRING, STRING), BOOL, _matches, _regex),
    *conversions.OVERLOADS,
    *clock.ACCESSORS,
)
"""All operators and standard functions."""

"""The operators as overloads: what the checker may pick, and arithmetic within the bounds of the types.

The interpreter evaluates logic, comparison, membership and access itself; their entries here are for the
checker and for the cost.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping

from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
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
from dra_conform.cel.values.value import (
    INT_MAX,
    INT_MIN,
    Duration,
    Optional_,
    Timestamp,
    UInt,
    Value,
    compare,
    contains,
    equal,
    find,
    hashed,
    int64,
    same,
    size,
    traversal,
    type_of,
    uint64,
)

A, B, K, V = param("A"), param("B"), param("K"), param("V")

TIMESTAMP_MIN, TIMESTAMP_MAX = -62135596800 * 10**9, 253402300800 * 10**9 - 1


def duration(nanos: int) -> Duration:
    """A duration if it fits into 64 bits of nanoseconds."""
    if INT_MIN <= nanos <= INT_MAX:
        return Duration(nanos)
    raise EvaluationError("duration overflow")


def timestamp(nanos: int) -> Timestamp:
    """A timestamp if it is within the years 1 to 9999."""
    if TIMESTAMP_MIN <= nanos <= TIMESTAMP_MAX:
        return Timestamp(nanos)
    raise EvaluationError("timestamp overflow")


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise EvaluationError("division by zero")
    quotient = abs(a) // abs(b)
    return int64(quotient if (a < 0) == (b < 0) else -quotient)


def _remainder(a: int, b: int) -> int:
    if b == 0:
        raise EvaluationError("modulus by zero")
    if a == INT_MIN and b == -1:
        raise EvaluationError("integer overflow")
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


def _divide_unsigned(a: UInt, b: UInt) -> UInt:
    if b == 0:
        raise EvaluationError("division by zero")
    return UInt(int(a) // int(b))


def _remainder_unsigned(a: UInt, b: UInt) -> UInt:
    if b == 0:
        raise EvaluationError("modulus by zero")
    return UInt(int(a) % int(b))


def _divide_double(a: float, b: float) -> float:
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


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
    """The meaning of an ordering operator. Raises EvaluationError for values without a common order."""
    test = _ORDER[name]

    def call(a: Value, b: Value) -> bool:
        return test(compare(a, b))

    return call


def _orderings() -> list[Overload]:
    found: list[Overload] = []
    numbers = (INT, UINT, DOUBLE)
    pairs = [(a, b) for a in numbers for b in numbers]
    pairs += [(t, t) for t in (BOOL, STRING, BYTES, TIMESTAMP, DURATION)]
    for name in _ORDER:
        for a, b in pairs:
            cost = _min_size if a in {STRING, BYTES} else None
            found.append(Overload(name, False, (a, b), BOOL, ordering(name), cost))
    return found


def membership(value: Value, where: Value) -> bool:
    """`value in where` for lists and maps."""
    if isinstance(where, tuple):
        return contains(where, value)
    if isinstance(where, dict):
        return find(where, value).present
    raise EvaluationError("no such overload")


def index(where: Value, key: Value) -> Value:
    """`where[key]`. Raises EvaluationError `no such key: ...` or `index out of bounds: ...`."""
    if isinstance(where, dict):
        if type(key) is str:
            try:
                return where[key]
            except KeyError:
                raise EvaluationError(f"no such key: {key}") from None
        found = find(where, key)
        if found.present:
            return found.value
        raise EvaluationError(f"no such key: {spoken(key)}")
    if isinstance(where, tuple):
        return where[_position(where, key)]
    raise EvaluationError(f"no such key: {spoken(key)}")


def index_if_present(where: Value, key: Value) -> Optional_:
    """`where[?key]` on anything that is no optional itself."""
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


def spoken(key: Value) -> str:
    """A key as error messages write it."""
    if isinstance(key, bool):
        return "true" if key else "false"
    return str(int(key)) if isinstance(key, UInt) else "null" if key is None else str(key)


def insert(accumulator: dict[Value, Value], key: Value, value: Value) -> dict[Value, Value]:
    """A map with one entry more. Raises EvaluationError if the key is there or no key type."""
    hashed(key)
    if isinstance(key, (tuple, dict)):
        raise EvaluationError("unsupported key type")
    if key in accumulator:
        raise EvaluationError(f"insert failed: key {spoken(key)} already exists")
    return {**accumulator, key: value}


def _merge(accumulator: dict[Value, Value], entries: dict[Value, Value]) -> dict[Value, Value]:
    for key, value in entries.items():
        accumulator = insert(accumulator, key, value)
    return accumulator


def _not_evaluated(*_: Value) -> Value:
    raise EvaluationError("no such overload")


def _negate(value: bool) -> bool:
    return not value


_LIST, _MAP = list_of(A), map_of(K, V)

OPERATORS: tuple[Overload, ...] = (
    _op("_&&_", (BOOL, BOOL), BOOL, _not_evaluated),
    _op("_||_", (BOOL, BOOL), BOOL, _not_evaluated),
    _op("_?_:_", (BOOL, A, A), A, _not_evaluated),
    _op("@not_strictly_false", (BOOL,), BOOL, _not_evaluated),
    _op("!_", (BOOL,), BOOL, _negate),
    _op("-_", (INT,), INT, lambda a: int64(-a)),
    _op("-_", (DOUBLE,), DOUBLE, operator.neg),
    Overload("_==_", False, (A, A), BOOL, equal, _min_size),
    Overload("_!=_", False, (A, A), BOOL, _unlike, _min_size),
    *_orderings(),
    Overload("@in", False, (A, _LIST), BOOL, membership, _list_size),
    _op("@in", (K, _MAP), BOOL, membership),
    _op("_[_]", (_LIST, INT), A, index),
    _op("_[_]", (_MAP, K), V, index),
    _op("_[_]", (optional_of(_LIST), INT), optional_of(A), _not_evaluated),
    _op("_[_]", (optional_of(_MAP), K), optional_of(V), _not_evaluated),
    _op("_[?_]", (_LIST, INT), optional_of(A), _not_evaluated),
    _op("_[?_]", (optional_of(_LIST), INT), optional_of(A), _not_evaluated),
    _op("_[?_]", (_MAP, K), optional_of(V), _not_evaluated),
    _op("_[?_]", (optional_of(_MAP), K), optional_of(V), _not_evaluated),
    _op("_+_", (INT, INT), INT, lambda a, b: int64(a + b)),
    _op("_+_", (UINT, UINT), UINT, lambda a, b: uint64(int(a) + int(b))),
    _op("_+_", (DOUBLE, DOUBLE), DOUBLE, operator.add),
    Overload("_+_", False, (STRING, STRING), STRING, operator.add, _both_sizes),
    Overload("_+_", False, (BYTES, BYTES), BYTES, operator.add, _both_sizes),
    _op("_+_", (_LIST, _LIST), _LIST, operator.add),
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
    _op("_/_", (INT, INT), INT, _divide),
    _op("_/_", (UINT, UINT), UINT, _divide_unsigned),
    _op("_/_", (DOUBLE, DOUBLE), DOUBLE, _divide_double),
    _op("_%_", (INT, INT), INT, _remainder),
    _op("_%_", (UINT, UINT), UINT, _remainder_unsigned),
    _op("cel.@mapInsert", (_MAP, K, V), _MAP, insert),
    _op("cel.@mapInsert", (_MAP, _MAP), _MAP, _merge),
)
"""Access by `_?._` has no overload: the checker knows fields."""

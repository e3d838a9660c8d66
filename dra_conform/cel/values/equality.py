"""Equality, membership and order of values, as in cel-go."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.cel.values.cel_errors import Aborted, EvaluationError
from dra_conform.cel.values.types import Type
from dra_conform.cel.values.value import NONE, Duration, Optional_, Timestamp, UInt, Value, type_of
from dra_conform.kube.quantity import Quantity

_NUMBERS = frozenset({int, UInt, float})


Compared = dict[tuple[int, int], bool]
"""Results of earlier comparisons of lists, maps and long strings, by the identities of both values."""

_LONG = 1_000
"""The length above which strings are compared only once, even if they occur in a list many times."""


def equal(a: Value, b: Value, compared: Compared | None = None) -> bool:
    """Return CEL equality: numbers of different types are comparable, other different types are unequal.

    A value of a Kubernetes type (version, quantity, IP ...) on the left of another type, except null, raises
    EvaluationError("no such overload"). `compared` caches results, because a list can contain the same long
    list many times.
    """
    kind, other = type(a), type(b)
    if kind is other and kind in _PLAIN:
        return bool(a == b)
    if kind in _NUMBERS:
        return other in _NUMBERS and bool(a == b)
    if isinstance(a, dict):
        known = {} if compared is None else compared
        return (
            isinstance(b, dict)
            and len(a) == len(b)
            and all(_same_entry(k, v, b, known) for k, v in a.items())
        )
    if kind is not other:
        if _strict(kind) and b is not None:
            raise EvaluationError("no such overload")
        return False
    if kind is tuple:
        known = {} if compared is None else compared
        return len(a) == len(b) and all(_same_member(x, y, known) for x, y in zip(a, b, strict=True))
    if kind is Optional_:
        return a.present == b.present and (not a.present or equal(a.value, b.value))
    if kind is Type:
        return bool(a.name == b.name)
    return bool(a == b)


_PLAIN = frozenset({bool, int, UInt, float, str, bytes, type(None), Duration, Timestamp, Quantity})


def _strict(kind: type) -> bool:
    declared: Type | None = getattr(kind, "cel_type", None)
    return kind is Quantity or (declared is not None and declared.name != "map")


def _same_entry(key: Value, value: Value, other: Mapping[Value, Value], compared: Compared) -> bool:
    entry = find(other, key)
    return entry.present and _same_member(value, entry.value, compared)


def _same_member(a: Value, b: Value, compared: Compared) -> bool:
    """Compare members of lists and maps as cel-go does: members that cannot be compared count as equal."""
    if not isinstance(a, (tuple, dict)) and not _long(a):
        return _not_different(a, b, compared)
    pair = id(a), id(b)
    if pair not in compared:
        compared[pair] = _not_different(a, b, compared)
    return compared[pair]


def _long(value: Value) -> bool:
    return isinstance(value, (str, bytes)) and len(value) > _LONG


def _not_different(a: Value, b: Value, compared: Compared) -> bool:
    try:
        return equal(a, b, compared)
    except EvaluationError:
        return True


def same(a: Value, b: Value) -> bool:
    """Return CEL equality; values that cannot be compared are unequal."""
    try:
        return equal(a, b)
    except EvaluationError:
        return False


def find(mapping: Mapping[Value, Value], key: Value) -> Optional_:
    """Return the entry of a key as an optional.

    Python treats `True`, `1` and `1.0` as one key. In CEL int and uint keys are the same, but a double key is
    found only by a double.
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
    """Whether a list has an element that equals a value, by CEL equality."""
    if _long(wanted):
        return any(same(wanted, v) for v in {id(v): v for v in values}.values())
    return any(same(wanted, v) for v in values)


SET_KINDS = frozenset({bool, int, UInt, float, str})
"""The types of constants for which cel-go turns `x in [...]` into a lookup in a set."""

_UNHASHED = frozenset({"bytes", "kubernetes.Semver", "kubernetes.NamedFormat"})
"""The types that Go cannot hash, so that they cannot be in a set or be a key of a map."""


def hashed(value: Value) -> Value:
    """Return the value. Raise Aborted for a type that Go cannot hash, because Go panics there."""
    if type_of(value).name in _UNHASHED:
        raise Aborted(f"internal error: runtime error: hash of unhashable type {type_of(value).name}")
    return value


def compare(a: Value, b: Value) -> int:
    """Compare two values: return -1, 0 or 1. Raise EvaluationError for NaN and types without an order."""
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

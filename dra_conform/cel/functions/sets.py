"""Membership of several values: the sets extension, and `includes` of Kubernetes 1.36.

`includes` is membership in a list-type attribute, and equality with a scalar attribute.
"""

from __future__ import annotations

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.charge import check_pairs
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.equality import contains, same
from dra_conform.cel.values.types import BOOL, DYN, list_of, param
from dra_conform.cel.values.value import Value

_LIST = list_of(param("T"))


def _contains_all(values: tuple[Value, ...], wanted: tuple[Value, ...]) -> bool:
    check_pairs(len(values) * len(wanted))
    return all(contains(values, w) for w in wanted)


def _equivalent(a: tuple[Value, ...], b: tuple[Value, ...]) -> bool:
    return _contains_all(a, b) and _contains_all(b, a)


def _intersects(a: tuple[Value, ...], b: tuple[Value, ...]) -> bool:
    check_pairs(len(a) * len(b))
    return any(contains(a, v) for v in b)


MOST_VALUES = 48
"""The most values that all attributes of a device may have together."""


def _includes(value: Value, wanted: Value) -> bool:
    if not isinstance(value, tuple):
        return same(value, wanted)
    if any(same(v, wanted) for v in value[:MOST_VALUES]):
        return True
    if len(value) > MOST_VALUES:
        raise EvaluationError(
            f"'includes' function cannot be applied to lists longer than {MOST_VALUES} values"
        )
    return False


OVERLOADS = (
    Overload("sets.contains", False, (_LIST, _LIST), BOOL, _contains_all, charge.product),
    Overload("sets.equivalent", False, (_LIST, _LIST), BOOL, _equivalent, charge.product_twice),
    Overload("sets.intersects", False, (_LIST, _LIST), BOOL, _intersects, charge.product),
    Overload("includes", True, (DYN, DYN), BOOL, _includes, charge.elements),
)

"""The sets extension: `sets.contains`, `sets.equivalent` and `sets.intersects`."""

from __future__ import annotations

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.bounds import check_pairs
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.equality import contains
from dra_conform.cel.values.types import BOOL, list_of, param
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


OVERLOADS = (
    Overload("sets.contains", False, (_LIST, _LIST), BOOL, _contains_all, charge.product),
    Overload("sets.equivalent", False, (_LIST, _LIST), BOOL, _equivalent, charge.product_twice),
    Overload("sets.intersects", False, (_LIST, _LIST), BOOL, _intersects, charge.product),
)

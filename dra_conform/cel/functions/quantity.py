"""Kubernetes' quantity library: exact arithmetic and comparison, never floats."""

from __future__ import annotations

import math

from dra_conform.cel.errors import EvaluationError
from dra_conform.cel.functions import charge
from dra_conform.cel.overloads import Overload
from dra_conform.cel.types import BOOL, DOUBLE, INT, QUANTITY, STRING
from dra_conform.cel.values import INT_MAX, INT_MIN
from dra_conform.kube.quantity import Format, Quantity, QuantityError

_UNIT = 10**9


def quantity(text: str) -> Quantity:
    try:
        return Quantity.parse(text)
    except QuantityError as e:
        raise EvaluationError(str(e)) from None


def is_quantity(text: str) -> bool:
    try:
        Quantity.parse(text)
    except QuantityError:
        return False
    return True


def is_integer(q: Quantity) -> bool:
    return q.nano % _UNIT == 0 and INT_MIN <= q.nano // _UNIT <= INT_MAX


def as_integer(q: Quantity) -> int:
    if not is_integer(q):
        raise EvaluationError("cannot convert value to integer")
    return q.nano // _UNIT


def as_approximate_float(q: Quantity) -> float:
    try:
        return q.nano / _UNIT
    except OverflowError:
        return math.inf if q.nano > 0 else -math.inf


def sign(q: Quantity) -> int:
    return (q.nano > 0) - (q.nano < 0)


def compare_to(a: Quantity, b: Quantity) -> int:
    return (a.nano > b.nano) - (a.nano < b.nano)


def _whole(n: int) -> Quantity:
    return Quantity.of(n * _UNIT, Format.DECIMAL_EXPONENT)


OVERLOADS = (
    Overload("quantity", False, (STRING,), QUANTITY, quantity, charge.text),
    Overload("isQuantity", False, (STRING,), BOOL, is_quantity, charge.text),
    Overload("sign", True, (QUANTITY,), INT, sign),
    Overload("sign", False, (QUANTITY,), INT, sign),
    Overload("isInteger", True, (QUANTITY,), BOOL, is_integer),
    Overload("asInteger", True, (QUANTITY,), INT, as_integer),
    Overload("asApproximateFloat", True, (QUANTITY,), DOUBLE, as_approximate_float),
    Overload("add", True, (QUANTITY, QUANTITY), QUANTITY, lambda a, b: a + b),
    Overload("add", True, (QUANTITY, INT), QUANTITY, lambda a, b: a + _whole(b)),
    Overload("sub", True, (QUANTITY, QUANTITY), QUANTITY, lambda a, b: a - b),
    Overload("sub", True, (QUANTITY, INT), QUANTITY, lambda a, b: a - _whole(b)),
    Overload("compareTo", True, (QUANTITY, QUANTITY), INT, compare_to),
    Overload("isGreaterThan", True, (QUANTITY, QUANTITY), BOOL, lambda a, b: a.nano > b.nano),
    Overload("isLessThan", True, (QUANTITY, QUANTITY), BOOL, lambda a, b: a.nano < b.nano),
)

"""Kubernetes' quantity library, with exact arithmetic and comparison."""

from __future__ import annotations

import math
import re

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import BOOL, DOUBLE, INT, QUANTITY, STRING
from dra_conform.cel.values.value import INT_MAX, INT_MIN
from dra_conform.kube.quantity import Format, Quantity, QuantityError

_UNIT = 10**9


def _quantity(text: str) -> Quantity:
    try:
        return Quantity.parse(text)
    except QuantityError as e:
        raise EvaluationError(str(e)) from None


def _is_quantity(text: str) -> bool:
    try:
        Quantity.parse(text)
    except QuantityError:
        return False
    return True


_SUFFIXES = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_CANONICAL = re.compile(r"(-?)([0-9]+)(?:e(-?[0-9]+)|([a-zA-Z]*))")
_MOST_DIGITS = 18


def _small(q: Quantity) -> tuple[int, int] | None:
    """Return value and decimal exponent of a quantity that Go stores as an int64, None for other quantities.

    Go decides by the string that was parsed. Here only the canonical string is known.
    """
    match = _CANONICAL.fullmatch(str(q))
    if match is None:
        return None
    sign, digits, exponent, suffix = match.groups()
    value = -int(digits) if sign else int(digits)
    if suffix in _BINARY:
        power = _BINARY[suffix]
        return (value << power, 0) if len(digits) + power * 3 // 10 <= _MOST_DIGITS - 4 else None
    scale = int(exponent) if exponent is not None else _SUFFIXES[suffix]
    return (value, scale) if len(digits) <= _MOST_DIGITS and scale >= _SUFFIXES["n"] else None


def _integer(q: Quantity) -> int | None:
    small = _small(q)
    if small is None or small[1] < 0:
        return None
    whole = small[0] * 10 ** small[1]
    return whole if INT_MIN <= whole <= INT_MAX else None


def _is_integer(q: Quantity) -> bool:
    return _integer(q) is not None


def _as_integer(q: Quantity) -> int:
    whole = _integer(q)
    if whole is None:
        raise EvaluationError("cannot convert value to integer")
    return whole


def _as_approximate_float(q: Quantity) -> float:
    value, scale = _small(q) or (q.nano, _SUFFIXES["n"])
    try:
        return float(value) * float(f"1e{scale}") if scale else float(value)
    except OverflowError:
        return math.inf if q.nano > 0 else -math.inf


def _sign(q: Quantity) -> int:
    return (q.nano > 0) - (q.nano < 0)


def _compare_to(a: Quantity, b: Quantity) -> int:
    return (a.nano > b.nano) - (a.nano < b.nano)


def _whole(n: int) -> Quantity:
    return Quantity(n * _UNIT, Format.DECIMAL_EXPONENT)


OVERLOADS = (
    Overload("quantity", False, (STRING,), QUANTITY, _quantity, charge.text),
    Overload("isQuantity", False, (STRING,), BOOL, _is_quantity, charge.text),
    Overload("sign", False, (QUANTITY,), INT, _sign),
    Overload("isInteger", True, (QUANTITY,), BOOL, _is_integer),
    Overload("asInteger", True, (QUANTITY,), INT, _as_integer),
    Overload("asApproximateFloat", True, (QUANTITY,), DOUBLE, _as_approximate_float),
    Overload("add", True, (QUANTITY, QUANTITY), QUANTITY, lambda a, b: a + b),
    Overload("add", True, (QUANTITY, INT), QUANTITY, lambda a, b: a + _whole(b)),
    Overload("sub", True, (QUANTITY, QUANTITY), QUANTITY, lambda a, b: a - b),
    Overload("sub", True, (QUANTITY, INT), QUANTITY, lambda a, b: a - _whole(b)),
    Overload("compareTo", True, (QUANTITY, QUANTITY), INT, _compare_to),
    Overload("isGreaterThan", True, (QUANTITY, QUANTITY), BOOL, lambda a, b: a.nano > b.nano),
    Overload("isLessThan", True, (QUANTITY, QUANTITY), BOOL, lambda a, b: a.nano < b.nano),
)

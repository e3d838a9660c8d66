"""The check of releases that a quantity is a whole number, which overflows for large quantities."""

from __future__ import annotations

import re

from dra_conform.kube.quantity import NANO, Quantity

_DECIMAL = re.compile(r"([+-]?)([0-9]+)([kMGTPE]?)")
_EXPONENTS = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_FEW_DIGITS = 18
"""The number of digits up to which apimachinery keeps a number and its exponent in 64 bits."""
_CHECKED = (3, 6, 9)
"""The powers of ten by which apimachinery multiplies in 64 bits and returns the overflowed number."""
_INT64 = 2**64


def overflows_in_thousandths(text: str, quantity: Quantity) -> bool:
    """Whether the thousandths of a whole decimal quantity overflow 64 bits to a number that is not whole."""
    if abs(quantity.nano) <= (2**63 - 1) * NANO // 1000:
        return False
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return False
    sign, digits, suffix = match.groups()
    power = _EXPONENTS[suffix] + 3
    if len(digits) <= _FEW_DIGITS and power not in _CHECKED:
        return False
    thousandths: int = int(sign + digits) * 10**power
    wrapped = (thousandths + _INT64 // 2) % _INT64 - _INT64 // 2
    return wrapped % 1000 != 0

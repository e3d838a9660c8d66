"""Parsing of the quantities in answers, which are untrusted input."""

from __future__ import annotations

from fractions import Fraction

from dra_conform.kube.quantity import MAX_BINARY, Quantity, QuantityError
from dra_conform.sweep.decision import RowDecision, RowOutcome
from dra_conform.sweep.written_quantities import UNITS

LARGEST = 2**120
"""The maximum quantity in an answer, in nano-units. No correct answer is larger, so that a larger quantity is
an error."""


def quantity_decision(text: str | None) -> RowDecision:
    """Return the decision that accepts a row with a quantity, which may be missing or wrong."""
    if text is None:
        return RowDecision(RowOutcome.MISSING, detail="there is no quantity")
    try:
        nano = exact_nano(text)
    except QuantityError:
        return RowDecision(RowOutcome.UNREADABLE, detail=f"{text[:60]!r} is not a quantity")
    if abs(nano) >= LARGEST:
        return RowDecision(RowOutcome.UNREADABLE, detail=f"{text[:60]!r} is out of range")
    return RowDecision(RowOutcome.ACCEPTED, nano, text)


def exact_nano(text: str) -> int:
    """Return a quantity in nano-units; raises QuantityError.

    `10Ei` has its exact value here, although apimachinery reduces it to 2^63-1 when it is read.
    """
    nano = Quantity.parse(text).nano
    if nano == MAX_BINARY and text.endswith("i"):
        return int(Fraction(text[:-2]) * UNITS[text[-2:]])
    return nano

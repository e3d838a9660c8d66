"""Descriptions of the differences between the expected and the actual result of a row."""

from __future__ import annotations

import re

from dra_conform.sweep.decision import RowDecision, RowOutcome
from dra_conform.sweep.written_quantities import MILLI, NANO

_LIMITS = tuple((f"2^{bits}-1", (2**bits - 1) * NANO) for bits in (31, 32, 53, 63, 64))
_WRAPS = tuple((f"2^{bits}", 2**bits) for bits in (64, 32))
_FACTORS = tuple((f"{base}^{power}", base**power) for base in (1000, 1024) for power in range(1, 9))


def kind_of(expected: RowDecision, actual: RowDecision) -> str:
    """Return the kind of a difference in words. Equal kinds suggest one cause."""
    if actual.outcome in (RowOutcome.FAULT, RowOutcome.UNREADABLE, RowOutcome.MISSING):
        return f"{actual.outcome.value}: {re.sub(r'[0-9]+', 'N', actual.detail)[:80]}"
    if actual.outcome is not expected.outcome:
        return f"{actual.outcome.value} instead of {expected.outcome.value}"
    if expected.nano is None or actual.nano is None:
        return "a quantity where none is expected" if expected.nano is None else "no quantity"
    return f"the quantity {_relation(expected.nano, actual.nano)}"


def _relation(expected: int, actual: int) -> str:
    """Describe how a quantity differs from the expected one, both in nano-units."""
    if actual < 0:
        return "is negative"
    if actual == 0:
        return "is zero"
    for name, limit in _LIMITS:
        if actual == limit < expected:
            return f"ends at {name}"
    for name, factor in _FACTORS:
        if actual * factor == expected or expected * factor == actual:
            return f"has another unit, by a factor of {name}"
    difference = actual - expected
    for name, size in _WRAPS:
        if difference % (size * NANO) == 0 and abs(actual) <= size * NANO:
            return f"differs by a multiple of {name}"
    for name, unit in (("nano-unit", 1), ("milli-unit", MILLI), ("unit", NANO)):
        if abs(difference) == unit:
            return f"is one {name} too {'large' if difference > 0 else 'small'}"
    for name, unit in (("units", NANO), ("milli-units", MILLI)):
        if expected % unit and actual % unit == 0 and abs(difference) < unit:
            return f"is rounded to whole {name}"
    if abs(difference) * 2**52 <= expected:
        return "has lost its last digits"
    return f"is too {'large' if difference > 0 else 'small'}"

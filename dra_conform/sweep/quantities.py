"""Quantities of a sweep: as requests write them, with a value, a notation and a value class, and as answers
have them, which are untrusted input."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import msgspec

from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.sweep.decision import RowDecision, RowOutcome

NANO = 10**9
MILLI = 10**6

_DECIMAL = {"n": 1, "u": 10**3, "m": MILLI, "": NANO, "k": 10**12, "M": 10**15, "G": 10**18, "T": 10**21}
_DECIMAL |= {"P": 10**24, "E": 10**27}
_BINARY = {f"{prefix}i": 2 ** (10 * power) * NANO for power, prefix in enumerate("KMGTPE", start=1)}
UNITS = {**_DECIMAL, **_BINARY}
"""The number of nano-units of each suffix."""

MAX_BINARY = 2**63 - 1
"""The maximum number of whole units with a binary suffix. Parsers reduce larger quantities to it."""


class WrittenQuantity(msgspec.Struct, frozen=True, gc=False):
    """A quantity in nano-units, and a string for it."""

    nano: int
    text: str


@dataclass(frozen=True, slots=True)
class ValueClass:
    """A value class: its name in reports, a number in nano-units, and the suffix with which the number is
    written."""

    name: str
    nano: int
    suffix: str = ""


def written(nano: int, suffix: str = "") -> WrittenQuantity:
    """Write a number with the suffix of the class, or with the largest of `""`, m, u and n that is exact.

    The suffix is used if the number is a multiple of its unit, and not too large for a binary suffix.
    """
    if suffix in _BINARY and nano > MAX_BINARY * NANO:
        suffix = ""
    for choice in (suffix, "", "m", "u", "n"):
        if nano % UNITS[choice] == 0:
            return WrittenQuantity(nano, f"{nano // UNITS[choice]}{choice}")
    raise AssertionError("every number is a multiple of a nano-unit")


_POWERS = (
    *(
        ValueClass(f"2^{bits}{sign}{off or ''}", (2**bits + step) * NANO)
        for bits in (31, 53, 63)
        for sign, off, step in (("-", 1, -1), ("", 0, 0), ("+", 1, 1))
    ),
    *(ValueClass(f"2^{bits}", 2**bits * NANO) for bits in (32, 64)),
    ValueClass("10^18", 10**18 * NANO),
    ValueClass("1000E", 10**21 * NANO, "E"),
)
"""Numbers at the limits of 32-bit and 64-bit integers, of doubles, and of suffixes."""

SCALES: tuple[ValueClass, ...] = (
    *(ValueClass(f"1{suffix}", nano, suffix) for suffix, nano in UNITS.items()),
    *_POWERS,
)
"""The value classes of scales: the units in which the quantities of a policy are counted."""

REQUESTED: tuple[ValueClass, ...] = (
    ValueClass("0", 0),
    ValueClass("1n", 1, "n"),
    ValueClass("1m", MILLI, "m"),
    ValueClass("1", NANO),
    ValueClass("1500m", 1500 * MILLI, "m"),
    *_POWERS,
)
"""The value classes of requests that do not depend on the policy."""


def notation(nano: int, place: int) -> WrittenQuantity:
    """Return a number in the notation with this index, or in the next one that can represent the number.

    Notations are each suffix and exponents, with digits after the point, with redundant zeros, and with a
    sign.
    """
    for offset in range(NOTATIONS):
        text = _text(nano, (place + offset) % NOTATIONS)
        if text:
            return WrittenQuantity(nano, text)
    raise AssertionError("every number of nano-units has a notation")


def notation_name(nano: int, place: int) -> str:
    """Return the name of the notation with this index, empty if it cannot represent the number."""
    form, index = divmod(place, len(_NOTATIONS))
    name = _NOTATIONS[index][0] or "no suffix"
    return f"{name}{_FORMS[form]}" if _text(nano, place) else ""


def _text(nano: int, place: int) -> str:
    form, index = divmod(place, len(_NOTATIONS))
    suffix, unit = _NOTATIONS[index]
    if suffix in _BINARY and nano > MAX_BINARY * NANO:
        return ""
    number = _decimal(nano, unit)
    return _form(number, form) + suffix if number else ""


_FORMS = ("", ", zeros", ", sign")
_EXPONENTS = tuple((f"{letter}{power}", 10 ** (9 + power)) for letter in "eE" for power in (-9, -3, 0, 3, 18))
_NOTATIONS = (*UNITS.items(), *_EXPONENTS)
NOTATIONS = len(_FORMS) * len(_NOTATIONS)
"""The number of notations."""

_LONGEST = 40


def _form(number: str, form: int) -> str:
    """Return a decimal number as it is, with a zero at the end, or with a sign and a zero in front."""
    if form == 0:
        return number
    if form == 1:
        return f"{number}0" if "." in number else f"{number}.0"
    return f"+0{number}"


def _decimal(nano: int, unit: int) -> str:
    """Return the number of units as a decimal number, empty if it has too many digits."""
    whole, rest = divmod(nano, unit)
    text = str(whole)
    if rest:
        fraction, rest = divmod(rest * 10**_LONGEST, unit)
        text = f"{whole}.{fraction:0{_LONGEST}}".rstrip("0")
    return "" if rest or len(text) > _LONGEST else text


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
    if nano == MAX_BINARY * NANO and text.endswith("i"):
        return int(Fraction(text[:-2]) * UNITS[text[-2:]])
    return nano

"""Exact Kubernetes quantities: a whole number of nano units, and the notation in which it was written.

The grammar and the canonical form are those of Go's apimachinery (`pkg/api/resource`).
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache, total_ordering

from dra_conform.kube.listing import quoted

NANO = 10**9
MAX_BINARY = (2**63 - 1) * NANO
MAX_EXPONENT = 512
"""The largest decimal exponent; larger ones would only cost memory."""

_BEYOND_SUFFIXES = 10**21 * NANO

MAX_LENGTH = 1024
"""The largest number of characters; longer strings are rejected without parsing."""

_TEXT = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_BINARY_SUFFIX = ("", *_BINARY)
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]+)")


class Format(StrEnum):
    """The notation of a quantity, which only determines its canonical form."""

    BINARY_SI = "BinarySI"
    DECIMAL_SI = "DecimalSI"
    DECIMAL_EXPONENT = "DecimalExponent"


class QuantityError(ValueError):
    """The string is not a quantity."""


@total_ordering
class Quantity:
    """An exact quantity. `nano` is its value in units of 1e-9; equality, order and hash use only `nano`."""

    # This is no dataclass, because msgspec would decode one from a JSON object.
    __slots__ = ("format", "nano")
    nano: int
    format: Format

    def __init__(self, nano: int, format: Format = Format.DECIMAL_SI) -> None:  # noqa: A002 - the API's word
        object.__setattr__(self, "nano", nano)
        object.__setattr__(self, "format", format)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot set {name}: a Quantity is immutable")

    def __reduce__(self) -> tuple[type[Quantity], tuple[int, Format]]:
        return Quantity, (self.nano, self.format)

    def __repr__(self) -> str:
        return f"Quantity({self})"

    @staticmethod
    @lru_cache(maxsize=65536)
    def parse(text: str) -> Quantity:
        """Parse a string such as `500m`, rounded away from zero to nano units; raises QuantityError."""
        return _parse(text)

    @staticmethod
    def whole(units: int, format: Format = Format.DECIMAL_SI) -> Quantity:  # noqa: A002 - the API's word
        """Return the quantity of a number of whole units."""
        return Quantity(units * NANO, format)

    def value(self) -> int:
        """Return the whole units, rounded away from zero (`Value` in Go)."""
        return _away_from_zero(self.nano, NANO)

    def milli_value(self) -> int:
        """Return the thousandths, rounded away from zero (`MilliValue` in Go)."""
        return _away_from_zero(self.nano, NANO // 1000)

    def __eq__(self, other: object) -> bool:
        return self.nano == other.nano if isinstance(other, Quantity) else NotImplemented

    def __lt__(self, other: Quantity) -> bool:
        return self.nano < other.nano

    def __hash__(self) -> int:
        return hash(self.nano)

    def __bool__(self) -> bool:
        return self.nano != 0

    def __add__(self, other: Quantity) -> Quantity:
        return Quantity(self.nano + other.nano, self.format if self.nano else other.format)

    def __sub__(self, other: Quantity) -> Quantity:
        return Quantity(self.nano - other.nano, self.format if self.nano else other.format)

    def __neg__(self) -> Quantity:
        return Quantity(-self.nano, self.format)

    def __str__(self) -> str:
        return _canonical(self.nano, self.format)

    def as_written_by_go(self) -> Quantity:
        """Return the quantity that apimachinery writes: `1` for `1000E`, since no suffix is larger than E."""
        whole, rest = divmod(self.nano, _BEYOND_SUFFIXES)
        if rest or not whole or self.format is not Format.DECIMAL_SI:
            return self
        while whole % 1000 == 0:
            whole //= 1000
        return Quantity.whole(whole)


def _away_from_zero(nano: int, unit: int) -> int:
    whole = -(-abs(nano) // unit)
    return whole if nano >= 0 else -whole


def _parse(text: str) -> Quantity:
    match = _TEXT.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if not text or match is None:
        raise QuantityError(f"{quoted(text)} is not a quantity")
    sign, whole, fraction, suffix = match.groups(default="")
    if not whole + fraction and _needs_digits(suffix):
        raise QuantityError(f"{quoted(text)} is not a quantity: it has no digits")
    digits = int((whole + fraction) or "0")
    exact_nano, divisor, form = _scaled(text, digits, len(fraction), suffix)
    nano = -(-exact_nano // divisor)
    if form is Format.BINARY_SI:
        nano = min(nano, MAX_BINARY)
        if 0 < nano < NANO:
            form = Format.DECIMAL_SI
    return Quantity(-nano if sign == "-" else nano, form)


def _needs_digits(suffix: str) -> bool:
    """Whether Go rejects the suffix without digits: it reads a lone suffix as zero, except on its slow path.

    The slow path is that of large binary suffixes and of small exponents.
    """
    written = _EXPONENT.fullmatch(suffix)
    return suffix in {"Pi", "Ei"} if written is None else int(written[1]) < _DECIMAL["n"]


def _scaled(text: str, digits: int, places: int, suffix: str) -> tuple[int, int, Format]:
    """Return the quantity in nano units as a numerator and a denominator, with its notation."""
    if suffix in _BINARY:
        return (digits << _BINARY[suffix]) * NANO, 10**places, Format.BINARY_SI
    if suffix in _DECIMAL:
        exponent, form = _DECIMAL[suffix], Format.DECIMAL_SI
    elif (written := _EXPONENT.fullmatch(suffix)) is not None:
        exponent, form = int(written[1]), Format.DECIMAL_EXPONENT
        if not -(2**63) <= exponent < 2**63:
            raise QuantityError(f"{quoted(text)} is not a quantity: the exponent is not a 64-bit number")
    else:
        raise QuantityError(f"{quoted(text)} is not a quantity: unknown suffix {suffix[:12]!r}")
    if not digits:
        return 0, 1, form
    if exponent > MAX_EXPONENT:
        raise QuantityError(f"{quoted(text)} is not a quantity: the exponent is larger than {MAX_EXPONENT}")
    shift = max(exponent, -2 * MAX_LENGTH) - places + 9
    return (digits * 10**shift, 1, form) if shift >= 0 else (digits, 10**-shift, form)


@lru_cache(maxsize=65536)
def _canonical(nano: int, form: Format) -> str:
    if nano == 0:
        return "0"
    if form is Format.BINARY_SI and abs(nano) >= 1024 * NANO and nano % NANO == 0:
        number, power = nano // NANO, 0
        while number % 1024 == 0 and power < len(_BINARY):
            number, power = number // 1024, power + 1
        return f"{number}{_BINARY_SUFFIX[power]}"
    number, exponent = nano, -9
    while number % 1000 == 0 and (form is Format.DECIMAL_EXPONENT or exponent < 18):
        number, exponent = number // 1000, exponent + 3
    if form is Format.DECIMAL_EXPONENT:
        return f"{number}e{exponent}" if exponent else str(number)
    return f"{number}{_DECIMAL_SUFFIX[exponent]}"


_BYTES = ("memory", "ephemeral-storage", "hugepages-")
"""The parts of names of resources whose quantities are written with binary suffixes."""


def quantity_of(nano: int, name: str, limit: Quantity | None) -> Quantity:
    """Return a quantity of nano-units in the notation of its limit, or else as usual for the resource."""
    binary = any(part in name for part in _BYTES)
    form = limit.format if limit else Format.BINARY_SI if binary else Format.DECIMAL_SI
    return Quantity(nano, form)

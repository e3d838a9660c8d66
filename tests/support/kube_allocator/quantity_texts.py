"""Generate strings that are valid quantities, almost valid, or invalid."""

from __future__ import annotations

import re
from random import Random

_SUFFIXES = ("", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_WRONG = ("K", "ki", "mi", "i", "Zi", "Y", "MM", "Kii", "e", "E-", "e+", "1", " ", "m ", "%", "ₖ", "0x1", "_")
_EXPONENTS = ("e-9", "e-10", "E3", "e+2", "e99", "e-99", "e99999999999999999999")
_EDGES = (
    "0", "1", "9", "10", "999", "1000", "1023", "1024", "1025", "2147483648", "9223372036854775807",
    "9223372036854775808", "18446744073709551616", "999999999999999999", "1000000000000000000",
    "123456789012345678901234567890",
)  # fmt: skip
_ALPHABET = "0123456789.+-eEinumkKMGTP "


_LARGE = re.compile(r"[eE][+-]?[0-9]{3,15}$")
"""Exponents with which Go computes for minutes or does not end. The built-in rejects those beyond 512."""


def texts(seed: int, count: int) -> list[str]:
    """Return random strings for a seed. Adjacent strings are often nearly equal quantities."""
    random = Random(seed)
    strings: list[str] = []
    while len(strings) < count:
        text = _text(random)
        both = (text, _like(random, text)) if random.random() < 0.2 else (text,)
        strings.extend(string for string in both if not _LARGE.search(string))
    return strings[:count]


def _text(random: Random) -> str:
    kind = random.random()
    if kind < 0.04:
        return "".join(random.choices(_ALPHABET, k=random.randint(0, 12)))
    number = random.choice(("", "", "", "", "+", "-", "-")) + _number(random)
    if kind < 0.08:
        return number + random.choice(_WRONG)
    if kind < 0.1:
        return random.choice(("", "-", ".", "0", "-0", "0.0")) + random.choice((*_SUFFIXES, *_EXPONENTS))
    if kind < 0.25:
        return number + random.choice("eE") + random.choice(("", "+", "-")) + str(_exponent(random))
    return number + random.choice(_SUFFIXES)


def _exponent(random: Random) -> int:
    return random.randint(0, 40) if random.random() < 0.1 else random.randint(0, 18)


def _number(random: Random) -> str:
    whole = (
        random.choice(_EDGES)
        if random.random() < 0.3
        else str(random.randint(0, 10 ** random.randint(0, 24)))
    )
    if random.random() < 0.1:
        whole = "0" * random.randint(1, 4) + whole
    if random.random() < 0.1:
        whole += "0" * random.randint(1, 9)
    kind = random.random()
    if kind < 0.5:
        return whole
    if kind < 0.55:
        return whole + "."
    places = str(random.randint(0, 10 ** random.randint(0, 14))).rjust(random.randint(0, 12), "0")
    places += "0" * random.choice((0, 0, 0, 3, 9))
    return random.choice((whole, whole, whole, "", "0")) + "." + places


def _like(random: Random, text: str) -> str:
    """Return another notation of the quantity, or a nearly equal one."""
    for old, new in (("Ki", "k"), ("000", "k"), ("k", "000"), ("m", "e-3"), ("1024", "1Ki"), ("Mi", "M")):
        if old in text and random.random() < 0.5:
            return text.replace(old, new, 1)
    return text.replace(random.choice("0123456789"), random.choice("0123456789"), 1)

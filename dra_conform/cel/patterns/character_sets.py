"""Sets of characters: those RE2 has names for, complements, and how Python's patterns spell them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

Ranges = list[tuple[int, int]]
"""Code points, first and last of each range."""

LAST = 0x10FFFF
"""The last code point."""
_DIGIT: Ranges = [(48, 57)]
_UPPER: Ranges = [(65, 90)]
_LOWER: Ranges = [(97, 122)]
_ALPHA = _UPPER + _LOWER
_WORD = [*_DIGIT, *_UPPER, (95, 95), *_LOWER]
PERL = {"d": _DIGIT, "w": _WORD, "s": [(9, 10), (12, 13), (32, 32)]}
"""The sets of `\\d`, `\\w` and `\\s`."""

POSIX = {
    "alnum": _DIGIT + _ALPHA,
    "alpha": _ALPHA,
    "ascii": [(0, 127)],
    "blank": [(9, 9), (32, 32)],
    "cntrl": [(0, 31), (127, 127)],
    "digit": _DIGIT,
    "graph": [(33, 126)],
    "lower": _LOWER,
    "print": [(32, 126)],
    "punct": [(33, 47), (58, 64), (91, 96), (123, 126)],
    "space": [(9, 13), (32, 32)],
    "upper": _UPPER,
    "word": _WORD,
    "xdigit": [*_DIGIT, (65, 70), (97, 102)],
}
"""The sets of `[:alpha:]` and the like."""


def spelled(ranges: Ranges) -> str:
    """The set as it stands between brackets."""
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


def literal(code: int) -> str:
    """One character that stands for itself."""
    char = chr(code)
    return char if char.isascii() and char.isalnum() else f"\\U{code:08x}"


def complement(ranges: Ranges) -> Ranges:
    """Every other character."""
    gaps: Ranges = []
    start = 0
    for low, high in sorted(ranges):
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        gaps.append((start, LAST))
    return gaps


@lru_cache(maxsize=64)
def category(name: str) -> Ranges:
    """The characters of a general category or group of categories, none if there is no such category."""
    if name == "Any":
        return [(0, LAST)]
    if not re.fullmatch(r"[A-Z][a-z]?", name):
        return []
    ranges: Ranges = []
    for code in range(LAST + 1):
        if unicodedata.category(chr(code)).startswith(name):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1] = (ranges[-1][0], code)
            else:
                ranges.append((code, code))
    return ranges

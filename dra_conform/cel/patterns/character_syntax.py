"""How RE2 writes characters and sets of them: escapes and bracketed classes.

Each function reads at a position of a pattern and gives what it found with the position behind it. They raise
EvaluationError as Go's regexp words it.
"""

from __future__ import annotations

import re

from dra_conform.cel.patterns.character_sets import LAST, PERL, POSIX, Ranges, category, complement, spelled
from dra_conform.cel.values.cel_errors import EvaluationError

_CONTROL = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_OCTAL = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}")
_CODE = re.compile(r"x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})")
_CATEGORY = re.compile(r"[pP](?:\{(\^?)([^}]*)\}|([A-Z]))")
_NAMED_CLASS = re.compile(r"\[:(\^?)([A-Za-z]*):\]")


def syntax_error(what: str, text: str) -> EvaluationError:
    """The error for a part of a pattern."""
    return EvaluationError(f"error parsing regexp: {what}: `{text}`")


def escaped_set(pattern: str, at: int) -> tuple[Ranges, int] | None:
    """The set behind a backslash; None if a single character is meant."""
    letter = pattern[at : at + 1]
    if letter and letter in "dswDSW":
        ranges = PERL[letter.lower()]
        return (complement(ranges) if letter.isupper() else ranges), at + 1
    if not letter or letter not in "pP":
        return None
    found = _CATEGORY.match(pattern, at)
    ranges = category(found[2] or found[3] or "") if found else []
    if not found or not ranges:
        raise syntax_error("invalid character class range", "\\" + (found[0] if found else letter))
    negated = (letter == "P") is not bool(found[1])
    return (complement(ranges) if negated else ranges), found.end()


def escaped_character(pattern: str, at: int) -> tuple[int, int]:
    """The code point behind a backslash."""
    letter = pattern[at]
    octal = _OCTAL.match(pattern, at)
    code = _CODE.match(pattern, at)
    if octal:
        return int(octal[0], 8), octal.end()
    if code and int(code[1] or code[2], 16) <= LAST:
        return int(code[1] or code[2], 16), code.end()
    if letter in _CONTROL or (letter.isascii() and not letter.isalnum()):
        return _CONTROL.get(letter, ord(letter)), at + 1
    raise syntax_error("invalid escape sequence", "\\" + letter)


def bracketed(pattern: str, start: int) -> tuple[str, int]:
    """A class in brackets, in Python's syntax; `start` is the position of the opening one."""
    negated = pattern.startswith("^", start + 1)
    first = at = start + 1 + negated
    ranges: Ranges = []
    while at == first or not pattern.startswith("]", at):
        if at >= len(pattern):
            raise syntax_error("missing closing ]", pattern[start:])
        found, at = _named_class(pattern, at) or _range(pattern, at, start)
        ranges += found
    return f"[{'^' if negated else ''}{spelled(ranges)}]", at + 1


def _named_class(pattern: str, at: int) -> tuple[Ranges, int] | None:
    found = _NAMED_CLASS.match(pattern, at)
    if not found:
        return None
    if found[2] not in POSIX:
        raise syntax_error("invalid character class range", found[0])
    return (complement(POSIX[found[2]]) if found[1] else POSIX[found[2]]), found.end()


def _range(pattern: str, begin: int, start: int) -> tuple[Ranges, int]:
    """A set, a character, or two with a dash between them, within the class that begins at `start`."""
    if pattern.startswith("\\", begin) and (escaped := escaped_set(pattern, begin + 1)):
        return escaped
    low, at = _character(pattern, begin, start)
    high = low
    if pattern.startswith("-", at) and not pattern.startswith("-]", at):
        high, at = _character(pattern, at + 1, start)
    if high < low:
        raise syntax_error("invalid character class range", pattern[begin:at])
    return [(low, high)], at


def _character(pattern: str, at: int, start: int) -> tuple[int, int]:
    char = pattern[at : at + 1]
    if not char or (char == "\\" and at + 1 == len(pattern)):
        raise syntax_error("missing closing ]", pattern[start:])
    return escaped_character(pattern, at + 1) if char == "\\" else (ord(char), at + 1)

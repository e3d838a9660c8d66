"""The strings extension of CEL, version 2, as in Kubernetes. Positions count characters.

Also Kubernetes' regex library: `find` and `findAll`.
"""

from __future__ import annotations

from itertools import islice

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.charge import check_characters
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.functions.text_format import format_text
from dra_conform.cel.patterns import Pattern, compile_regex
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import DYN, INT, STRING, list_of


def _pattern(text: str) -> Pattern:
    try:
        return compile_regex(text)
    except EvaluationError as e:
        raise EvaluationError(f"Illegal regex: {e}") from None


def _find(text: str, pattern: str) -> str:
    """Return the leftmost match, an empty string if there is none."""
    return _pattern(pattern).search(text) or ""


def _find_all(text: str, pattern: str, most: int = -1) -> tuple[str, ...]:
    """Return all matches that do not overlap, at most `most` unless that is negative."""
    return tuple(islice(_pattern(pattern).all(text), most if most >= 0 else None))


REGEX_OVERLOADS = (
    Overload("find", True, (STRING, STRING), STRING, _find, charge.regex),
    Overload("findAll", True, (STRING, STRING), list_of(STRING), _find_all, charge.regex),
    Overload("findAll", True, (STRING, STRING, INT), list_of(STRING), _find_all, charge.regex),
)


_ASCII_LOWER = {c: c + 32 for c in range(ord("A"), ord("Z") + 1)}
_ASCII_UPPER = {c: c - 32 for c in range(ord("a"), ord("z") + 1)}
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_QUOTED = str.maketrans(
    {
        "\a": "\\a",
        "\b": "\\b",
        "\f": "\\f",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\v": "\\v",
        "\\": "\\\\",
        '"': '\\"',
    }
)


def _char_at(text: str, position: int) -> str:
    if not 0 <= position <= len(text):
        raise EvaluationError(f"index out of range: {position}")
    return text[position : position + 1]


def _index_of(text: str, wanted: str, offset: int = 0) -> int:
    if not wanted:
        return offset
    if offset < 0:
        raise EvaluationError(f"index out of range: {offset}")
    return text.find(wanted, offset)


def _last_index_of(text: str, wanted: str) -> int:
    return text.rfind(wanted)


def _last_index_of_before(text: str, wanted: str, offset: int) -> int:
    """Return the position of the last occurrence that begins at the offset or before it, -1 if none."""
    if not wanted:
        return offset
    if offset < 0:
        raise EvaluationError(f"index out of range: {offset}")
    return -1 if offset >= len(text) else text.rfind(wanted, 0, offset + len(wanted))


def _replace(text: str, old: str, new: str, most: int = -1) -> str:
    count = text.count(old)
    check_characters(len(text) + (count if most < 0 else min(count, most)) * (len(new) - len(old)))
    return text.replace(old, new, max(most, -1))


def _split(text: str, separator: str) -> tuple[str, ...]:
    return tuple(text.split(separator)) if separator else tuple(text)


def _split_some(text: str, separator: str, most: int) -> tuple[str, ...]:
    """Split into at most `most` parts, or into all parts if `most` is negative."""
    if most < 0:
        return _split(text, separator)
    if most == 0:
        return ()
    if separator:
        return tuple(text.split(separator, most - 1))
    return (*text[: most - 1], text[most - 1 :]) if len(text) >= most else tuple(text)


def _substring(text: str, start: int) -> str:
    _within(text, start)
    return text[start:]


def _substring_range(text: str, start: int, end: int) -> str:
    if start > end:
        raise EvaluationError(f"invalid substring range. start: {start}, end: {end}")
    _within(text, start)
    _within(text, end)
    return text[start:end]


def _within(text: str, position: int) -> None:
    if not 0 <= position <= len(text):
        raise EvaluationError(f"index out of range: {position}")


def join(parts: tuple[str, ...], separator: str = "") -> str:
    """Join strings with a separator. Raise EvaluationError if a part is not a string."""
    if not all(isinstance(part, str) for part in parts):
        raise EvaluationError("no such overload")
    check_characters(sum(map(len, parts)) + len(separator) * len(parts))
    return separator.join(parts)


def _quote(text: str) -> str:
    """Return the string as a CEL literal in double quotes."""
    return f'"{text.translate(_QUOTED)}"'


OVERLOADS = (
    Overload("charAt", True, (STRING, INT), STRING, _char_at),
    Overload("indexOf", True, (STRING, STRING), INT, _index_of, charge.elements),
    Overload("indexOf", True, (STRING, STRING, INT), INT, _index_of, charge.elements),
    Overload("lastIndexOf", True, (STRING, STRING), INT, _last_index_of, charge.elements),
    Overload("lastIndexOf", True, (STRING, STRING, INT), INT, _last_index_of_before, charge.elements),
    Overload("lowerAscii", True, (STRING,), STRING, lambda s: s.translate(_ASCII_LOWER), charge.text),
    Overload("upperAscii", True, (STRING,), STRING, lambda s: s.translate(_ASCII_UPPER), charge.text),
    Overload("replace", True, (STRING, STRING, STRING), STRING, _replace, charge.text_twice),
    Overload("replace", True, (STRING, STRING, STRING, INT), STRING, _replace, charge.text_twice),
    Overload("split", True, (STRING, STRING), list_of(STRING), _split, charge.text_twice),
    Overload("split", True, (STRING, STRING, INT), list_of(STRING), _split_some, charge.text_twice),
    Overload("substring", True, (STRING, INT), STRING, _substring, charge.text),
    Overload("substring", True, (STRING, INT, INT), STRING, _substring_range, charge.text),
    Overload("trim", True, (STRING,), STRING, lambda s: s.strip(_SPACE), charge.text),
    Overload("join", True, (list_of(STRING),), STRING, join, charge.result_twice),
    Overload("join", True, (list_of(STRING), STRING), STRING, join, charge.result_twice),
    Overload("format", True, (STRING, list_of(DYN)), STRING, format_text, charge.text),
    Overload("strings.quote", False, (STRING,), STRING, _quote, charge.text),
)

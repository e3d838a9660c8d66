"""The function `format` of the strings extension, with the clauses `%s %d %f %e %b %x %X %o`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from dra_conform.cel.functions.charge import check_characters
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import Type
from dra_conform.cel.values.value import Duration, Timestamp, UInt, Value, type_of

_CLAUSE = re.compile(r"%(%|(?:\.([0-9]+))?(.?))", re.DOTALL)
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_MOST_DIGITS = 1000


def format_text(pattern: str, arguments: tuple[Value, ...]) -> str:
    """Replace the clauses of the pattern. Raise EvaluationError for a bad clause or a missing argument."""
    left = iter(range(len(arguments)))
    length = len(pattern)

    def fill(match: re.Match[str]) -> str:
        nonlocal length
        if match[1] == "%":
            return "%"
        text = _clause(match[3], match[2], arguments, left)
        length += len(text)
        check_characters(length)
        return text

    return _CLAUSE.sub(fill, pattern)


def _clause(verb: str, precision: str | None, arguments: tuple[Value, ...], left: Iterator[int]) -> str:
    if not verb:
        raise EvaluationError("could not parse formatting clause: unexpected end of string")
    if verb not in "sdfebxXo":
        raise EvaluationError(f'could not parse formatting clause: unrecognized formatting clause "{verb}"')
    index = next(left, None)
    if index is None:
        raise EvaluationError(f"index {len(arguments)} out of range")
    value = arguments[index]
    if verb == "s":
        return _text(value)
    if verb in "fe":
        return _real(value, verb, _digits(precision) if precision else 6)
    return _whole(value, verb)


def _digits(precision: str) -> int:
    significant = precision.lstrip("0") or "0"
    if len(significant) > 4 or int(significant) > _MOST_DIGITS:
        raise EvaluationError(f"could not parse formatting clause: precision {precision} is too large")
    return int(significant)


def _real(value: Value, verb: str, digits: int) -> str:
    if isinstance(value, str):
        special = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(value)
        if special is None:
            _fail("fixed-point" if verb == "f" else "scientific", "double", value)
        value = special
    if type(value) is not float:
        _fail("fixed-point" if verb == "f" else "scientific", "double", value)
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    if verb == "f":
        return f"{number:.{digits}f}"
    mantissa, _, exponent = f"{number:.{digits}e}".partition("e")
    power = f"{int(exponent):03d}" if exponent[0] == "-" else f"{int(exponent):02d}"
    return f"{mantissa}\u202f×\u202f10{power.translate(_SUPERSCRIPT)}"  # noqa: RUF001 -- as cel-go prints it


def _whole(value: Value, verb: str) -> str:
    whole = type(value) in (int, UInt)
    if verb == "d":
        if not whole:
            _fail("decimal", "integer", value)
        return str(int(value))
    if verb == "b":
        if type(value) is bool:
            return "1" if value else "0"
        if not whole:
            _fail("binary", "integers or bools", value)
        return f"{int(value):b}"
    if verb == "o":
        if not whole:
            _fail("octal", "integers", value)
        return f"{int(value):o}"
    if whole:
        return f"{int(value):{verb}}"
    if isinstance(value, str):
        value = value.encode()
    if not isinstance(value, bytes):
        _fail("hex", "integers, byte buffers, and strings", value)
    digits: str = value.hex()
    return digits.upper() if verb == "X" else digits


def _text(value: Value) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, tuple):
        return f"[{_listed(map(_member, value))}]"
    if isinstance(value, dict):
        entries = sorted((_member(k), _member(v)) for k, v in value.items())
        return f"{{{_listed(f'{k}:{v}' for k, v in entries)}}}"
    return _plain(value)


def _listed(parts: Iterable[str]) -> str:
    written: list[str] = []
    length = 0
    for part in parts:
        length += len(part) + len(", ")
        check_characters(length)
        written.append(part)
    return ", ".join(written)


def _member(value: Value) -> str:
    """Format a member of a list or map as a literal."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bytes):
        return f'b"{value.decode("utf-8", "replace")}"'
    if isinstance(value, float):
        return f"{value:.6f}"
    if isinstance(value, Duration):
        return f'duration("{_plain(value)}")'
    if isinstance(value, Timestamp):
        return f'timestamp("{_plain(value)}")'
    return _text(value)


def _plain(value: Value) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
    if isinstance(value, Duration):
        seconds, nanos = divmod(abs(value.nanos), 10**9)
        fraction = f".{nanos:09d}".rstrip("0") if nanos else ""
        return f"{'-' if value.nanos < 0 else ''}{seconds}{fraction}s"
    if isinstance(value, Timestamp):
        return _timestamp(value)
    if isinstance(value, Type):
        return value.name
    raise EvaluationError(
        "could not format argument: string clause can only be used on strings, bools, bytes, ints, doubles, "
        f"maps, lists, types, durations, and timestamps, was given {type_of(value).name}"
    )


def _timestamp(value: Timestamp) -> str:
    seconds, nanos = divmod(value.nanos, 10**9)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    fraction = f".{nanos:09d}".rstrip("0") if nanos else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z".rjust(20, "0")


def _fail(clause: str, accepted: str, value: Value) -> None:
    raise EvaluationError(
        f"error during formatting: {clause} clause can only be used on {accepted}, "
        f"was given {type_of(value).name}"
    )

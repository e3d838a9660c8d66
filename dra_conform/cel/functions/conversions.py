"""Conversions between types, with the strings and errors of Go's strconv."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from dra_conform.cel.functions import clock
from dra_conform.cel.functions.arithmetic import timestamp
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    param,
    type_of_type,
)
from dra_conform.cel.values.value import (
    INT_MAX,
    UINT_MAX,
    Duration,
    UInt,
    Value,
    int64,
    traversal,
    type_of,
    uint64,
)


def _same(value: Value) -> Value:
    return value


_INTEGER = re.compile(r"[+-]?[0-9]+")
_DOUBLE = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)", re.I
)


def _syntax(function: str, text: str) -> EvaluationError:
    return EvaluationError(f'strconv.{function}: parsing "{text}": invalid syntax')


def _range(function: str, text: str) -> EvaluationError:
    return EvaluationError(f'strconv.{function}: parsing "{text}": value out of range')


def _int_of_string(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise _syntax("ParseInt", text)
    if len(text) > 4000 or not -INT_MAX - 1 <= (number := int(text)) <= INT_MAX:
        raise _range("ParseInt", text)
    return number


def _uint_of_string(text: str) -> UInt:
    if not _INTEGER.fullmatch(text) or text[0] in "+-":
        raise _syntax("ParseUint", text)
    if len(text) > 4000 or (number := int(text)) > UINT_MAX:
        raise _range("ParseUint", text)
    return UInt(number)


def _int_of_double(value: float) -> int:
    # The limits are excluded, because the doubles next to them round to numbers beyond int64.
    if not math.isfinite(value) or not -(2.0**63) < value < 2.0**63:
        raise EvaluationError("integer overflow")
    return int(value)


def _uint_of_double(value: float) -> UInt:
    if not math.isfinite(value) or not 0 <= value < 2.0**64:
        raise EvaluationError("unsigned integer overflow")
    return UInt(int(value))


def _double_of_string(text: str) -> float:
    if not _DOUBLE.fullmatch(text):
        raise _syntax("ParseFloat", text)
    number = float(text)
    if math.isinf(number) and "inf" not in text.lower():
        raise _range("ParseFloat", text)
    return number


_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})


def _bool_of_string(text: str) -> bool:
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise _syntax("ParseBool", text)


def _double_text(value: float) -> str:
    """Format a double as Go's shortest `%g`: with an exponent below 1e-4 and from 1e6 on."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    _, digits, exponent = Decimal(repr(abs(value))).normalize().as_tuple()
    figures = "".join(map(str, digits))
    scale = len(digits) - 1 + int(exponent)
    sign = "-" if value < 0 else ""
    if scale < -4 or scale >= 6:
        rest = f".{figures[1:]}" if len(figures) > 1 else ""
        return f"{sign}{figures[0]}{rest}e{'-' if scale < 0 else '+'}{abs(scale):02d}"
    if scale < 0:
        return f"{sign}0.{'0' * (-scale - 1)}{figures}"
    if len(figures) <= scale + 1:
        return f"{sign}{figures}{'0' * (scale + 1 - len(figures))}"
    return f"{sign}{figures[: scale + 1]}.{figures[scale + 1 :]}"


def _duration_of_int(_: int) -> Duration:
    # The checker accepts this conversion, but it fails for every integer.
    raise EvaluationError("type conversion error from 'int' to 'google.protobuf.Duration'")


def _string_of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise EvaluationError("invalid UTF-8 in bytes, cannot convert to string") from None


def _convert(name: str, source: Type, result: Type, call: object) -> Overload:
    assert callable(call)
    return Overload(name, False, (source,), result, call)


def _first(args: tuple[Value, ...], _: Value) -> int:
    return traversal(args[0])


_A = param("A")

OVERLOADS: tuple[Overload, ...] = (
    Overload("dyn", False, (_A,), DYN, _same),
    Overload("type", False, (_A,), type_of_type(_A), type_of),
    _convert("int", INT, INT, _same),
    _convert("int", UINT, INT, lambda v: int64(int(v))),
    _convert("int", DOUBLE, INT, _int_of_double),
    _convert("int", STRING, INT, _int_of_string),
    _convert("int", DURATION, INT, lambda v: v.nanos),
    _convert("int", TIMESTAMP, INT, lambda v: v.nanos // clock.SECOND),
    _convert("uint", UINT, UINT, _same),
    _convert("uint", INT, UINT, uint64),
    _convert("uint", DOUBLE, UINT, _uint_of_double),
    _convert("uint", STRING, UINT, _uint_of_string),
    _convert("double", DOUBLE, DOUBLE, _same),
    _convert("double", INT, DOUBLE, float),
    _convert("double", UINT, DOUBLE, float),
    _convert("double", STRING, DOUBLE, _double_of_string),
    _convert("bool", BOOL, BOOL, _same),
    _convert("bool", STRING, BOOL, _bool_of_string),
    _convert("string", STRING, STRING, _same),
    _convert("string", BOOL, STRING, lambda v: "true" if v else "false"),
    _convert("string", INT, STRING, str),
    _convert("string", UINT, STRING, lambda v: str(int(v))),
    _convert("string", DOUBLE, STRING, _double_text),
    Overload("string", False, (BYTES,), STRING, _string_of_bytes, _first),
    _convert("string", DURATION, STRING, clock.duration_text),
    _convert("string", TIMESTAMP, STRING, clock.timestamp_text),
    _convert("bytes", BYTES, BYTES, _same),
    Overload("bytes", False, (STRING,), BYTES, str.encode, _first),
    _convert("duration", DURATION, DURATION, _same),
    _convert("duration", INT, DURATION, _duration_of_int),
    _convert("duration", STRING, DURATION, clock.parse_duration),
    _convert("timestamp", TIMESTAMP, TIMESTAMP, _same),
    _convert("timestamp", INT, TIMESTAMP, lambda v: timestamp(v * clock.SECOND)),
    _convert("timestamp", STRING, TIMESTAMP, clock.parse_timestamp),
)

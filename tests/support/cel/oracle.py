"""Comparable outcomes of an expression in this engine and in Google's C++ engine (cel-expr-python)."""

from __future__ import annotations

import datetime as dt
import math
import re
from typing import Any

from cel_expr_python import cel as google
from cel_expr_python.ext import ext_bindings, ext_optional, ext_strings

from dra_conform import cel
from dra_conform.cel.evaluation.program import compile_any
from dra_conform.cel.values.device import DeviceView
from dra_conform.cel.values.types import Type
from dra_conform.cel.values.value import Duration, Timestamp, UInt, Value

REFUSED = ("refused",)
FAILED = ("failed",)

_ENV = google.NewEnv(
    extensions=[ext_bindings.ExtBindings(), ext_optional.ExtOptional(), ext_strings.ExtStrings()]
)
_NOTHING = DeviceView("", {}, {})


def google_outcome(expression: str) -> tuple[Any, ...]:
    try:
        compiled = _ENV.compile(expression)
    except RuntimeError:
        return REFUSED
    try:
        value = compiled.eval()
        if value.type() == google.Type.ERROR:
            return FAILED
        return ("value", _plain(value.plain_value()))
    except RuntimeError:
        # A map with a repeated key fails only when it is read.
        return FAILED


def own_outcome(expression: str) -> tuple[Any, ...]:
    try:
        program = compile_any(expression)
    except cel.CompileError as e:
        # Kubernetes rejects constants that cannot be converted when it compiles, C++ when it evaluates.
        early = re.search(r"program instantiation failed|invalid \w+ argument", str(e))
        return FAILED if early else REFUSED
    try:
        return ("value", _plain(program.value(_NOTHING)))
    except cel.EvaluationError:
        return FAILED


def _plain(value: Value) -> Any:
    """Return a value in a form that is equal for both engines. Types differ as far as C++ shows them."""
    match value:
        case bool():
            return ("bool", value)
        case UInt() | int():
            return ("int", int(value))
        case float():
            return ("double", "nan" if math.isnan(value) else repr(value))
        case bytes() | bytearray():
            return ("bytes", bytes(value))
        case tuple() | list():
            return ("list", *map(_plain, value))
        case dict():
            return ("map", *sorted((_plain(k), _plain(v)) for k, v in value.items()))
        case Duration():
            return ("duration", value.nanos // 1000)
        case dt.timedelta():
            return ("duration", value // dt.timedelta(microseconds=1))
        case Timestamp():
            return ("timestamp", value.nanos // 1000)
        case dt.datetime():
            since = value - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
            return ("timestamp", since // dt.timedelta(microseconds=1))
        case Type():
            return ("type", value.name)
        case google.Type():
            return ("type", value.name().lower())
        case _:
            return (type(value).__name__, value)

"""The standard functions of CEL: `size`, string tests, conversions, operators and time accessors."""

from __future__ import annotations

import math

from dra_conform.cel.functions import clock, conversions
from dra_conform.cel.functions.operators import OPERATORS
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.patterns import compile_regex
from dra_conform.cel.values.types import BOOL, BYTES, INT, STRING, list_of, map_of, param
from dra_conform.cel.values.value import Value, size, traversal

_A, _B = param("A"), param("B")


def _size(value: Value) -> int:
    return len(value)


def _matches(text: str, pattern: str) -> bool:
    return compile_regex(pattern).search(text) is not None


def _second(args: tuple[Value, ...], _: Value) -> int:
    return traversal(args[1])


def _product(args: tuple[Value, ...], _: Value) -> int:
    return traversal(args[0]) * traversal(args[1])


def _regex(args: tuple[Value, ...], _: Value) -> int:
    return math.ceil((1 + size(args[0])) * 0.1) * math.ceil(size(args[1]) * 0.25)


_SIZED = (STRING, BYTES, list_of(_A), map_of(_A, _B))

STANDARD: tuple[Overload, ...] = (
    *OPERATORS,
    *(Overload("size", member, (t,), INT, _size) for t in _SIZED for member in (False, True)),
    Overload("contains", True, (STRING, STRING), BOOL, lambda a, b: b in a, _product),
    Overload("startsWith", True, (STRING, STRING), BOOL, str.startswith, _second),
    Overload("endsWith", True, (STRING, STRING), BOOL, str.endswith, _second),
    Overload("matches", True, (STRING, STRING), BOOL, _matches, _regex),
    Overload("matches", False, (STRING, STRING), BOOL, _matches, _regex),
    *conversions.OVERLOADS,
    *clock.ACCESSORS,
)
"""All operators and standard functions."""

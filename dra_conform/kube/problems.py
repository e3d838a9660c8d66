"""Decoding problems of a plain value, with their paths.

`codec.convert` is faster and stops at the first problem; this module finds all problems after it failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from typing import Any

from msgspec import inspect

from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.scalars import Number
from dra_conform.kube.yaml import Path

PathAndMessage = tuple[Path, str]

_NAMES = {
    dict: "a map",
    list: "a list",
    tuple: "a list",
    str: "a string",
    bool: "true or false",
    int: "a number",
}
_MAX_INT = 2**63


def problems(value: Any, kind: type) -> Iterator[PathAndMessage]:
    """Yield every problem of a value that should be of a type, in the order of the value's fields."""
    yield from _check(value, _info(kind), ())


@cache
def _info(kind: type) -> inspect.Type:
    return inspect.type_info(kind)


def _described(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Number):
        return f"the number {value}"
    name = _NAMES.get(type(value), type(value).__name__)
    return f"{name} ({str(value)[:40]!r})" if isinstance(value, str | bool | int) else name


def _check(value: Any, info: inspect.Type, path: Path) -> Iterator[PathAndMessage]:
    match info:
        case inspect.AnyType():
            return
        case inspect.UnionType(types=types):
            if value is None and info.includes_none:
                return
            inner = next(member for member in types if not isinstance(member, inspect.NoneType))
            yield from _check(value, inner, path)
        case inspect.StructType(fields=fields):
            yield from _struct(value, fields, path)
        case inspect.DictType(value_type=inner_type):
            if not isinstance(value, dict):
                yield path, f"is {_described(value)}, expected a map"
                return
            for key, item in value.items():
                yield from _check(item, inner_type, (*path, key))
        case inspect.VarTupleType(item_type=item_type):
            if not isinstance(value, list | tuple):
                yield path, f"is {_described(value)}, expected a list"
                return
            for index, item in enumerate(value):
                yield from _check(item, item_type, (*path, index))
        case inspect.CustomType(cls=cls) if cls is Quantity:
            yield from _quantity(value, path)
        case inspect.StrType():
            if isinstance(value, bool):
                yield (
                    path,
                    "is true or false (as YAML reads y, n, yes, no, on, off), expected a quoted string",
                )
            elif not isinstance(value, str):
                yield path, f"is {_described(value)}, expected a string"
        case inspect.BoolType():
            if not isinstance(value, bool):
                yield path, f"is {_described(value)}, expected true or false"
        case inspect.IntType():
            if isinstance(value, bool) or not isinstance(value, int):
                yield path, f"is {_described(value)}, expected a whole number"
            elif not -_MAX_INT <= value < _MAX_INT:
                yield path, "is a number of more than 64 bits, expected a smaller number"


def _struct(value: Any, fields: tuple[inspect.Field, ...], path: Path) -> Iterator[PathAndMessage]:
    if not isinstance(value, dict):
        yield path, f"is {_described(value)}, expected a map"
        return
    known = {field.encode_name: field for field in fields}
    for key, item in value.items():
        if key not in known:
            near = get_close_matches(str(key), known, n=1)
            expected = f"expected {near[0]}" if near else f"expected one of {', '.join(sorted(known))}"
            yield (*path, key), f"is an unknown field, {expected}"
            continue
        if item is not None:
            yield from _check(item, known[key].type, (*path, key))
    for name, field in known.items():
        if field.required and value.get(name) is None:
            yield (*path, name), "is missing, expected a value"


def _quantity(value: Any, path: Path) -> Iterator[PathAndMessage]:
    if isinstance(value, bool) or not isinstance(value, str | int | Number):
        yield path, f"is {_described(value)}, expected a quantity such as 10, 500m or 1Gi"
        return
    try:
        Quantity.parse(str(value).strip())
    except QuantityError as error:
        yield path, f"{error}, expected a quantity such as 10, 500m or 1Gi"

"""Conversion between plain JSON values and API structs, with quantities, and the removal of null fields.

Null means absent, as in Go. Nulls stay in untyped fields, such as opaque parameters, and as entries of
lists
and maps.
"""

from __future__ import annotations

import math
import threading
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.scalars import Number


def without_nulls(value: Any, kind: Any) -> Any:
    """Return the plain value of a type without null fields; the same object if it has none."""
    return _pruned(value, type_info(kind))


@cache
def type_info(kind: Any) -> inspect.Type:
    """Return what msgspec knows of a type."""
    return inspect.type_info(kind)


def without_none(info: inspect.Type) -> inspect.Type:
    """Return the type of an optional field without None; other types are unchanged."""
    if isinstance(info, inspect.UnionType):
        return next(member for member in info.types if not isinstance(member, inspect.NoneType))
    return info


@cache
def _fields(struct: type) -> dict[str, inspect.Type]:
    info = type_info(struct)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: field.type for field in info.fields}


def _pruned(value: Any, info: inspect.Type) -> Any:
    match info:
        case inspect.UnionType() if value is not None:
            return _pruned(value, without_none(info))
        case inspect.StructType(cls=cls) if isinstance(value, dict):
            fields = _fields(cls)
            pruned = {
                name: _pruned(item, fields[name]) if name in fields else item
                for name, item in value.items()
                if item is not None or name not in fields
            }
        case inspect.DictType(value_type=inner) if isinstance(value, dict):
            pruned = {name: _pruned(item, inner) for name, item in value.items()}
        case inspect.VarTupleType(item_type=inner) if isinstance(value, list | tuple):
            items = [_pruned(item, inner) for item in value]
            return value if _same(items, value) else items
        case _:
            return value
    return value if len(pruned) == len(value) and _same(pruned.values(), value.values()) else pruned


def _same(new: Any, old: Any) -> bool:
    return all(item is previous for item, previous in zip(new, old, strict=True))


T = TypeVar("T")


STRUCT_LOCK = threading.RLock()
"""Lock for the first use of a struct type: msgspec crashes if two threads prepare one type at once."""

_prepared: set[type] = set()


class ConversionError(ValueError):
    """A plain value does not fit the struct type; the message names the first mismatch."""


def convert(value: Any, kind: type[T]) -> T:
    """Build a struct from a plain value; raises ConversionError."""
    prepare(kind)
    try:
        return msgspec.convert(value, kind, dec_hook=_read, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ConversionError(str(error)) from None


def prepare(kind: type) -> None:
    """Make a struct type safe for `msgspec.convert` in several threads (see `STRUCT_LOCK`)."""
    if kind not in _prepared:
        json_decoder(kind)


def json_decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    """Return the decoder of a struct from JSON, which raises msgspec.DecodeError or RecursionError."""
    with STRUCT_LOCK:
        decoder = msgspec.json.Decoder(kind, dec_hook=_read)
        _prepared.add(kind)
    return decoder


def to_builtins(value: Any) -> Any:
    """Return the plain JSON value of a struct, without defaults; quantities become canonical strings."""
    return _with_lists(msgspec.to_builtins(value, enc_hook=_write))


def plain(value: Any) -> Any:
    """Return a value read from YAML as plain JSON, with each `Number` as a float."""
    return msgspec.to_builtins(value, enc_hook=_write)


def _with_lists(value: Any) -> Any:
    """Return the value with lists instead of tuples, which JSON schemas and comparisons need."""
    if isinstance(value, dict):  # Most items are strings, which need no call.
        return {name: item if type(item) is str else _with_lists(item) for name, item in value.items()}
    return [_with_lists(item) for item in value] if isinstance(value, list | tuple) else value


_parse = Quantity.parse


def _read(kind: type, value: Any) -> Any:
    if kind is not Quantity:
        raise NotImplementedError(kind)
    if type(value) is not str:  # Most quantities are strings, and millions of them are read.
        if isinstance(value, bool) or not isinstance(value, str | int | Number):
            raise ValueError(f"Expected a quantity, got `{type(value).__name__}`")
        value = str(value)
    try:
        return _parse(value.strip())
    except QuantityError as error:
        raise ValueError(str(error)) from None


def _write(value: Any) -> Any:
    if isinstance(value, Quantity):
        return str(value)
    if isinstance(value, Number):  # Only fields without a type, such as opaque parameters, have one.
        number = float(value.text)
        return number if math.isfinite(number) else value.text
    raise NotImplementedError(type(value))

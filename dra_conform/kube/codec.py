"""Conversion between plain JSON values and API structs, with quantities."""

from __future__ import annotations

import math
import threading
from typing import Any, TypeVar

import msgspec

from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.scalars import Number

T = TypeVar("T")


STRUCT_LOCK = threading.RLock()
"""Lock for the first use of a struct type: msgspec crashes if two threads prepare one type at once."""

_prepared: set[type] = set()


class ConversionError(ValueError):
    """A plain value does not fit the struct type; the message names the first mismatch."""


def convert(value: Any, kind: type[T]) -> T:
    """Build a struct from a plain value; raises ConversionError."""
    if kind not in _prepared:
        with STRUCT_LOCK:
            msgspec.json.Decoder(kind, dec_hook=_read)
            _prepared.add(kind)
    try:
        return msgspec.convert(value, kind, dec_hook=_read, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ConversionError(str(error)) from None


def to_builtins(value: Any) -> Any:
    """Return the plain JSON value of a struct, without defaults; quantities become canonical strings."""
    return _with_lists(msgspec.to_builtins(value, enc_hook=_write))


def plain(value: Any) -> Any:
    """Return a value read from YAML as plain JSON, with each `Number` as a float."""
    return msgspec.to_builtins(value, enc_hook=_write)


def _with_lists(value: Any) -> Any:
    """Return the value with lists instead of tuples, which JSON schemas and comparisons need."""
    if isinstance(value, dict):
        return {name: _with_lists(item) for name, item in value.items()}
    return [_with_lists(item) for item in value] if isinstance(value, list | tuple) else value


def _read(kind: type, value: Any) -> Any:
    if kind is not Quantity:
        raise NotImplementedError(kind)
    if isinstance(value, bool) or not isinstance(value, str | int | Number):
        raise ValueError(f"Expected a quantity, got `{type(value).__name__}`")
    try:
        return Quantity.parse(str(value).strip())
    except QuantityError as error:
        raise ValueError(str(error)) from None


def _write(value: Any) -> Any:
    if isinstance(value, Quantity):
        return str(value)
    if isinstance(value, Number):  # Only fields without a type, such as opaque parameters, have one.
        number = float(value.text)
        return number if math.isfinite(number) else value.text
    raise NotImplementedError(type(value))

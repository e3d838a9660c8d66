"""Conversion between plain JSON values and API structs, with quantities."""

from __future__ import annotations

import math
import threading
from typing import Any, TypeVar

import msgspec

from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.scalars import Number

T = TypeVar("T")


LAYING_OUT = threading.RLock()
"""Held while a struct may be met for the first time: two threads that lay out one crash the process."""

_laid_out: set[type] = set()


class ConversionError(ValueError):
    """A plain value does not have the shape of the struct; the text names the first place."""


def convert(value: Any, kind: type[T]) -> T:
    """Build a struct from a plain value; raises ConversionError."""
    if kind not in _laid_out:
        with LAYING_OUT:
            msgspec.json.Decoder(kind, dec_hook=_read)
            _laid_out.add(kind)
    try:
        return msgspec.convert(value, kind, dec_hook=_read, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ConversionError(str(error)) from None


def to_builtins(value: Any) -> Any:
    """The plain value of a struct, as JSON has it: defaults left out, quantities as canonical text."""
    return _with_lists(msgspec.to_builtins(value, enc_hook=_write))


def plain(value: Any) -> Any:
    """A value read from YAML as JSON has it: without `Number`."""
    return msgspec.to_builtins(value, enc_hook=_write)


def _with_lists(value: Any) -> Any:
    """Tuples are no JSON: schemas and comparisons want lists."""
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
    if isinstance(value, Number):  # only in fields that are somebody else's, such as opaque parameters
        number = float(value.text)
        return number if math.isfinite(number) else value.text
    raise NotImplementedError(type(value))

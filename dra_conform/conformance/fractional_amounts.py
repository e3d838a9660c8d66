"""Whether a case uses fractional quantities in a requestPolicy or in a claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.kube.quantity import NANO, Quantity, QuantityError

Json = Any


def has_fractions(value: Json) -> bool:
    """Whether a request policy or a capacity request in `value` has a fractional quantity."""
    return any(map(_is_fraction, _amounts(value)))


def _amounts(value: Json) -> Iterator[Json]:
    """Yield the quantities of request policies and capacity requests."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            measured = name == "requestPolicy" or (name == "capacity" and _is_requested(item))
            yield from _leaves(item) if measured else _amounts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _amounts(item)


def _is_requested(capacity: Json) -> bool:
    return isinstance(capacity, Mapping) and isinstance(capacity.get("requests"), Mapping)


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _is_fraction(amount: Json) -> bool:
    try:
        return isinstance(amount, str) and Quantity.parse(amount).nano % NANO != 0
    except QuantityError:
        return False

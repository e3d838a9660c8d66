"""Estimates of a call's cost and result size, as in cel-go and Kubernetes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dra_conform.cel.evaluation.cost import LIST_LITERAL
from dra_conform.cel.functions.lists import NEW_LISTS, SORT_BY
from dra_conform.cel.values.types import QUANTITY, Type

UNBOUNDED = 2**64 - 1
"""The size of a value whose size is unknown, and the maximum cost."""

_TRAVERSAL = 0.1
_REGEX = 0.25
_FORMAT = 128 * _REGEX
_TEXTS = ("string", "bytes")
_CHEAP = frozenset({QUANTITY.name, "kubernetes.Semver", "net.IP", "net.CIDR"})
"""Types whose comparison has a fixed cost."""

_ADDRESSES = {"containsIP": 4, "containsCIDR": 7}
"""The cost to compare addresses of 16 bytes, by function."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call, receiver first: sizes, costs and the types of one overload.

    `numbers` has the value of each int literal, None for other arguments. `element` is the largest size of an
    element of the first argument, if that is a list.
    """

    sizes: tuple[int, ...]
    costs: tuple[int, ...]
    types: tuple[Type, ...]
    numbers: tuple[int | None, ...]
    element: int | None = None


def times(count: int, amount: int) -> int:
    """Return a product, at most UNBOUNDED."""
    return min(count * amount, UNBOUNDED)


def estimate(function: str, arguments: Arguments) -> tuple[int, int | None]:
    """Return the cost, including that of the arguments, and the size of the result, None if unknown."""
    sizes, costs = arguments.sizes, arguments.costs
    spent = sum(costs)
    first = arguments.types[0].name if arguments.types else ""
    match function:
        case "_&&_" | "_||_":
            return spent, None
        case "_?_:_":
            return costs[0] + max(costs[1:]), max(sizes[1:])
        case "_==_" | "_!=_" | "_<_" | "_<=_" | "_>_" | "_>=_":
            return spent + _comparison(function, arguments), None
        case "_+_":
            together = min(sizes[0] + sizes[1], UNBOUNDED)
            if first in _TEXTS:
                return spent + _part(together), together
            return spent + 1, together if first == "list" else None
        case "@in" if arguments.types[1].name == "list":
            return spent + sizes[1], None
        case "startsWith" | "endsWith":
            return spent + _part(sizes[1]), None
        case "contains" if len(sizes) == 2 and first == "string":
            return spent + times(_part(sizes[0]), _part(sizes[1])), None
        case "matches":
            return spent + _regex(sizes), None
        case "find" | "findAll":
            return spent + _regex(sizes), sizes[0]
        case "bytes" if first == "string":
            return spent + _part(sizes[0]), min(4 * sizes[0], UNBOUNDED)
        case "string" if first == "bytes":
            return spent + _part(sizes[0]), sizes[0]
        case "lowerAscii" | "upperAscii" | "substring" | "trim" | "url":
            return spent + _part(sizes[0]), sizes[0]
        case "split":
            return spent + _part(sizes[0], 2 * _TRAVERSAL), sizes[0]
        case "replace":
            return spent + _part(sizes[0], 2 * _TRAVERSAL), _replaced(sizes)
        case "join":
            size = _joined(arguments)
            return spent + _part(size), size
        case "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" | "includes":
            return spent + _over_list(function, arguments), None
        case "quantity" | "isQuantity" | "semver" | "isSemver" | "ip" | "cidr" | "isIP" | "isCIDR" | "isURL":
            return spent + (1 if function == "isURL" else _part(sizes[0])), None
        case "containsIP" | "containsCIDR":
            text = _part(sizes[1]) if arguments.types[1].name == "string" else 0
            return spent + _ADDRESSES[function] + text, None
        case "sets.contains" | "sets.intersects" | "sets.equivalent":
            pairs = times(sizes[0], sizes[1])
            return spent + 1 + (2 * pairs if function == "sets.equivalent" else pairs), None
        case _ if function in NEW_LISTS:
            work, size = _new_list(function, arguments)
            return spent + 1 + LIST_LITERAL + work, size
        case "validate":
            return spent + _part(_part(sizes[1]), _FORMAT), None
        case "ip.isCanonical":
            return spent + _part(sizes[0], 2 * _TRAVERSAL), None
        case "format" if first == "string":
            return spent + _part(sizes[0]), None
        case _:
            return spent + 1, None


def _part(size: int, factor: float = _TRAVERSAL) -> int:
    return UNBOUNDED if size == UNBOUNDED else math.ceil(size * factor)


def _comparison(function: str, arguments: Arguments) -> int:
    names = [t.name for t in arguments.types]
    equality = function in ("_==_", "_!=_")
    if not equality and not set(names) & set(_TEXTS):
        return 1
    if function == "_==_" and names[0] == names[1] and names[0] in _CHEAP:
        return 1
    return _part(min(arguments.sizes))


def _regex(sizes: tuple[int, ...]) -> int:
    text = UNBOUNDED if sizes[0] == UNBOUNDED else sizes[0] + 1
    return times(_part(text), _part(sizes[1], _REGEX))


def _replaced(sizes: tuple[int, ...]) -> int:
    text, _, new = sizes[:3]
    return min(times(text + 1, new) + text, UNBOUNDED)


def _new_list(function: str, arguments: Arguments) -> tuple[int, int]:
    """Return the cost of a list function, without dispatch and allocation, and the size of the result."""
    sizes, numbers = arguments.sizes, arguments.numbers
    match function:
        case "lists.range":
            size = UNBOUNDED if numbers[0] is None else numbers[0]
            return size, size
        case "slice":
            start, end = numbers[1] or 0, sizes[0] if numbers[2] is None else numbers[2]
            return end - start, end - start
        case "reverse":
            return sizes[0], sizes[0]
        case "flatten":
            depth = 1 if len(sizes) == 1 else UNBOUNDED if numbers[1] is None else numbers[1]
            return times(sizes[0], depth), sizes[0]
        case "distinct":
            pairs = times(sizes[0], sizes[0])
            return times(pairs, 2), pairs
        case _:
            keys = 1 if function == SORT_BY else 0
            pairs = times(sizes[keys], sizes[keys])
            of_texts = any(t.name in _TEXTS for t in arguments.types[keys].params)
            return _part(pairs, 2 + _TRAVERSAL if of_texts else 2), pairs


def _joined(arguments: Arguments) -> int:
    count = arguments.sizes[0]
    size = times(count, UNBOUNDED if arguments.element is None else arguments.element)
    if len(arguments.sizes) > 1 and count:
        size += times(arguments.sizes[1], count - 1)
    return min(size, UNBOUNDED)


def _over_list(function: str, arguments: Arguments) -> int:
    count = arguments.sizes[0]
    if arguments.element is not None:
        return times(count, 1 + (_part(arguments.element) if arguments.element > 1 else 0))
    return count if function == "includes" else _part(count)

"""Kubernetes' charges for functions whose cost grows with their input, in cost units.

Walking over text costs a tenth of a unit a character, rounded up.
"""

from __future__ import annotations

from dra_conform.cel.values.value import Value, size


def text(values: tuple[Value, ...], _: Value) -> int:
    """One walk over the first argument."""
    return tenth(size(values[0]))


def text_twice(values: tuple[Value, ...], _: Value) -> int:
    """A walk over the first argument and building a result from it."""
    return tenth(2 * size(values[0]))


def result_twice(_: tuple[Value, ...], result: Value) -> int:
    """Building the result and walking over it."""
    return tenth(2 * size(result))


def elements(values: tuple[Value, ...], _: Value) -> int:
    """One walk over a list with the text in it, or over a text."""
    walked = values[0]
    if isinstance(walked, tuple):
        return sum(tenth(len(v)) if isinstance(v, (str, bytes)) else 1 for v in walked)
    return tenth(size(walked))


def regex(values: tuple[Value, ...], _: Value) -> int:
    """A walk over the text for each four characters of the pattern."""
    return tenth(size(values[0]) + 1) * quarter(size(values[1]))


def product(values: tuple[Value, ...], _: Value) -> int:
    """Each element of one list against each of the other."""
    return 1 + size(values[0]) * size(values[1])


def product_twice(values: tuple[Value, ...], _: Value) -> int:
    """Each element of one list against each of the other, in both directions."""
    return 1 + 2 * size(values[0]) * size(values[1])


def tenth(units: int) -> int:
    """A tenth, rounded up."""
    return -(-units // 10)


def quarter(units: int) -> int:
    """A quarter, rounded up."""
    return -(-units // 4)

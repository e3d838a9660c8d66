"""The costs of functions whose cost depends on the size of their arguments, in cost units of Kubernetes.

The traversal of a string costs a tenth of a unit per character, rounded up.
"""

from __future__ import annotations

from dra_conform.cel.values.value import Value, size


def text(values: tuple[Value, ...], _: Value) -> int:
    """Return the cost of one traversal of the first argument."""
    return tenth(size(values[0]))


def text_twice(values: tuple[Value, ...], _: Value) -> int:
    """Return the cost of a traversal of the first argument and of a result of the same size."""
    return tenth(2 * size(values[0]))


def result_twice(_: tuple[Value, ...], result: Value) -> int:
    """Return the cost of building the result and traversing it."""
    return tenth(2 * size(result))


def elements(values: tuple[Value, ...], _: Value) -> int:
    """Return the cost of one traversal of a list with its strings, or of a string."""
    walked = values[0]
    if isinstance(walked, tuple):
        return sum(tenth(len(v)) if isinstance(v, (str, bytes)) else 1 for v in walked)
    return tenth(size(walked))


def regex(values: tuple[Value, ...], _: Value) -> int:
    """Return the cost of a match: one traversal of the string for each four characters of the pattern."""
    return tenth(size(values[0]) + 1) * quarter(size(values[1]))


def product(values: tuple[Value, ...], _: Value) -> int:
    """Return the cost of comparing each element of one list with each of the other."""
    return 1 + size(values[0]) * size(values[1])


def product_twice(values: tuple[Value, ...], _: Value) -> int:
    """Return the cost of comparing each element of one list with each of the other, in both directions."""
    return 1 + 2 * size(values[0]) * size(values[1])


def tenth(units: int) -> int:
    """Return a tenth, rounded up."""
    return -(-units // 10)


def quarter(units: int) -> int:
    """Return a quarter, rounded up."""
    return -(-units // 4)

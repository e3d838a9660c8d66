"""The costs of functions whose cost depends on the size of their arguments, and limits of these sizes.

Costs are in cost units of Kubernetes. The traversal of a string costs a tenth of its length.
"""

from __future__ import annotations

from dra_conform.cel.values.cel_errors import Aborted, CostLimitExceeded
from dra_conform.cel.values.value import Value, size

MOST_ELEMENTS = 300_000
MOST_CHARACTERS = 1_000_000
MOST_JOINED = 10_000_000
"""The maximum length of a concatenated string. A longer one exceeds the cost limit of one unit per ten
characters."""
MOST_PAIRS = 1_000_000
"""The maximum number of pairs of elements that a call can compare within the cost limit."""


def check_elements(count: int) -> None:
    """Raise Aborted if a list would be too long."""
    if count > MOST_ELEMENTS:
        raise Aborted(f"list too long: more than {MOST_ELEMENTS:,} elements")


def check_characters(count: int) -> None:
    """Raise Aborted if a string would be too long."""
    if count > MOST_CHARACTERS:
        raise Aborted(f"string too long: more than {MOST_CHARACTERS:,} characters")


def check_joined(count: int) -> None:
    """Raise CostLimitExceeded if a concatenated string would be too long, before it is built.

    The cost cannot be checked afterwards: for operands of type dyn Kubernetes charges only one unit.
    """
    if count > MOST_JOINED:
        raise CostLimitExceeded("operation cancelled: actual cost limit exceeded")


def check_pairs(count: int) -> None:
    """Raise CostLimitExceeded if a call would compare too many pairs, before it compares them."""
    if count > MOST_PAIRS:
        raise CostLimitExceeded("operation cancelled: actual cost limit exceeded")


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

"""Limits for the size of lists and strings, and for comparisons in one call.

The cost limit does not bound memory: concatenating two lists costs one unit for any length. Real selectors
stay far below these limits.
"""

from __future__ import annotations

from dra_conform.cel.values.cel_errors import Aborted, CostLimitExceeded

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

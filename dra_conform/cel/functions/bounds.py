"""Limits for the size of lists and strings, and for comparisons in one call.

The cost limit does not bound memory: concatenating two lists costs one unit for any length. Real selectors
stay far below these limits.
"""

from __future__ import annotations

from dra_conform.cel.values.cel_errors import Aborted, CostLimitExceeded

MOST_ELEMENTS = 300_000
MOST_CHARACTERS = 1_000_000
MOST_JOINED = 10_000_000
"""Concatenating strings costs a unit per ten characters, so a longer result exceeds the cost limit."""
MOST_PAIRS = 1_000_000
"""A call that compares more pairs of elements exceeds the cost limit."""


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

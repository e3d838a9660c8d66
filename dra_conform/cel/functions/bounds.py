"""Size limits of lists and strings, and of one comparison.

Kubernetes limits what an expression costs, but a few functions cost little and make much: joining two lists
is one unit, however long they are. Real selectors stay far below these bounds.
"""

from __future__ import annotations

from dra_conform.cel.values.cel_errors import Aborted, CostLimitExceeded

MOST_ELEMENTS = 300_000
MOST_CHARACTERS = 1_000_000
MOST_JOINED = 10_000_000
"""Joining two texts costs a unit for ten characters: a longer one costs more than any evaluation may."""
MOST_PAIRS = 1_000_000
"""A call that compares more pairs costs more than any evaluation may."""


def check_elements(count: int) -> None:
    """Raises Aborted for a list that would be too long."""
    if count > MOST_ELEMENTS:
        raise Aborted(f"a list of more than {MOST_ELEMENTS:,} elements")


def check_characters(count: int) -> None:
    """Raises Aborted for a text that would be too long."""
    if count > MOST_CHARACTERS:
        raise Aborted(f"a text of more than {MOST_CHARACTERS:,} characters")


def check_joined(count: int) -> None:
    """Raises CostLimitExceeded before a text is that long, and not after that.

    Of operands of unknown type Kubernetes charges one unit, whatever their length.
    """
    if count > MOST_JOINED:
        raise CostLimitExceeded("operation cancelled: actual cost limit exceeded")


def check_pairs(count: int) -> None:
    """Raises CostLimitExceeded before so many pairs are compared, and not after that."""
    if count > MOST_PAIRS:
        raise CostLimitExceeded("operation cancelled: actual cost limit exceeded")

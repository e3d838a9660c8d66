"""The cost of an evaluation, in cel-go's units.

A variable or a chain of selections on one costs one unit, every selection in it one more; a call costs what
its overload says, one unit by default; a list literal 10 and a map literal 30, unless constant; logic and
literals nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.cel.values.cel_errors import CostLimitExceeded
from dra_conform.cel.values.value import Value

LIMIT = 1_000_000
"""The runtime cost limit of a device selector."""

LIST_LITERAL = 10
MAP_LITERAL = 30
"""What making a list or a map costs."""

Frame = list[Any]
"""The state of one evaluation: the device, the cost so far, then one slot for each local variable."""

DEVICE, COST, LOCALS = 0, 1, 2
"""The slots of a frame; from the last on, those of local variables."""

Closure = Callable[[Frame], Value]
"""A part of an expression, ready to be evaluated. Raises EvaluationError."""


def spend(frame: Frame, units: int) -> None:
    """Add to the cost so far. Raises CostLimitExceeded above the limit."""
    frame[COST] += units
    if frame[COST] > LIMIT:
        raise CostLimitExceeded("operation cancelled: actual cost limit exceeded")


def charged(closure: Closure, units: int) -> Closure:
    """The closure with a fixed price, to be paid after it has a value."""

    def counting(frame: Frame) -> Value:
        value = closure(frame)
        spend(frame, units)
        return value

    return counting

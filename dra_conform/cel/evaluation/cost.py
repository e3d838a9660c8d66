"""The cost of an evaluation, in cel-go's units.

A variable, or a chain of selections on it, costs one unit, and each selection in the chain one more. A
call
costs what its overload says, by default one unit. A list literal costs 10 and a map literal 30, unless
the
literal is constant. Logical operators and literals cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.cel.syntax.ast import Call, Comprehension, SyntaxNode, walk
from dra_conform.cel.values.cel_errors import CostLimitExceeded
from dra_conform.cel.values.value import Value

LIMIT = 1_000_000
"""The runtime cost limit of a device selector."""

LIST_LITERAL = 10
MAP_LITERAL = 30
"""The cost to create a list or a map."""

Frame = list[Any]
"""The state of one evaluation: the device, the cost so far, then one slot for each local variable."""

DEVICE, COST, LOCALS = 0, 1, 2
"""The slots of a frame. LOCALS is the first slot of local variables."""

Closure = Callable[[Frame], Value]
"""A compiled part of an expression. It raises EvaluationError."""


def spend(frame: Frame, units: int) -> None:
    """Add to the cost so far. Raises CostLimitExceeded above the limit."""
    frame[COST] += units
    if frame[COST] > LIMIT:
        raise CostLimitExceeded("operation cancelled: actual cost limit exceeded")


def charged(closure: Closure, units: int) -> Closure:
    """Return a closure that also adds a fixed cost after each evaluation."""

    def counting(frame: Frame) -> Value:
        value = closure(frame)
        spend(frame, units)
        return value

    return counting


_STEADY = frozenset(
    {"_&&_", "_||_", "_?_:_", "!_", "-_", "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in"}
    | {"_[_]", "_?._", "_[?_]", "_-_", "_*_", "_/_", "_%_", "size", "contains", "startsWith", "endsWith"}
    | {
        "matches",
        "int",
        "uint",
        "double",
        "bool",
        "dyn",
        "type",
        "quantity",
        "isQuantity",
        "semver",
        "isSemver",
    }
    | {"compareTo", "isGreaterThan", "isLessThan", "includes", "sign", "isInteger", "asInteger", "major"}
    | {"asApproximateFloat", "minor", "patch", "hasValue", "value", "or", "orValue"}
    | {"optional.of", "optional.none", "optional.ofNonZeroValue"}
)
"""Functions whose result is not larger than their arguments."""

_SHORT = 2000
"""The longest expression, in characters, in which `matches` on API strings stays far below the limit."""


def countless(root: SyntaxNode, length: int) -> bool:
    """Whether the expression stays below the cost limit on every device."""
    return length <= _SHORT and all(_steady(node) for node in walk(root))


def _steady(node: SyntaxNode) -> bool:
    if isinstance(node, Comprehension):
        return node.macro == "cel.bind"
    return not isinstance(node, Call) or node.function in _STEADY

"""What an evaluation costs, in the units of cel-go, and which programs need no counting.

A variable or a chain of selections on one costs one unit, every selection in it one more; a call costs what
its overload says, one unit by default; a list literal 10 and a map literal 30, unless constant; logic and
literals nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.cel.syntax.ast import Call, Comprehension, ListLiteral, Literal, MapLiteral, Node
from dra_conform.cel.syntax.tree import walk
from dra_conform.cel.values.cel_errors import CostLimitExceeded
from dra_conform.cel.values.value import Value

LIMIT = 1_000_000
"""The runtime cost limit of a device selector."""

LIST_LITERAL = 10
MAP_LITERAL = 30

Frame = list[Any]
"""The state of one evaluation: the device, the cost so far, then one slot for each local variable."""

DEVICE, COST, LOCALS = 0, 1, 2

Closure = Callable[[Frame], Value]


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
"""Functions whose result is not longer than what went in."""

_SHORT = 2000
"""Characters of an expression in which `matches` on API strings stays far below the limit."""


def countless(root: Node, length: int) -> bool:
    """Whether no device can bring a program near the limit, so that counting would be wasted."""
    return length <= _SHORT and all(_steady(node) for node in walk(root))


def _steady(node: Node) -> bool:
    if isinstance(node, Comprehension):
        return node.macro == "cel.bind"
    return not isinstance(node, Call) or node.function in _STEADY


CONVERSIONS = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)
"""Functions that cel-go evaluates while it plans when their argument is a constant."""


def constant(node: Node) -> bool:
    """Whether cel-go makes one constant of a literal or of a conversion of one, which then costs nothing."""
    match node:
        case Literal():
            return True
        case Call(function, None, (argument,)):
            return function in CONVERSIONS and constant(argument)
        case ListLiteral():
            return all(constant(e) for e in node.elements)
        case MapLiteral():
            return all(constant(e.key) and constant(e.value) for e in node.entries)
        case _:
            return False

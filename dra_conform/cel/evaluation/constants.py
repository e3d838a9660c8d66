"""Constant folding, as in the planner of cel-go."""

from __future__ import annotations

from dra_conform.cel.evaluation.cost import Closure
from dra_conform.cel.syntax.ast import Call, ListLiteral, Literal, MapLiteral, SyntaxNode
from dra_conform.cel.values.cel_errors import CompileError, EvaluationError
from dra_conform.cel.values.value import Value

_CONVERSIONS = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)
"""Functions that cel-go's planner evaluates if their argument is constant."""


def is_constant(node: SyntaxNode) -> bool:
    """Whether cel-go folds the node into a constant, which costs nothing."""
    match node:
        case Literal():
            return True
        case Call(function, None, (argument,)):
            return function in _CONVERSIONS and is_constant(argument)
        case ListLiteral():
            return all(is_constant(e) for e in node.elements)
        case MapLiteral():
            return all(is_constant(e.key) and is_constant(e.value) for e in node.entries)
        case _:
            return False


def constant(value: Value) -> Closure:
    """Return a closure that returns the same value on every device."""
    return lambda _: value


def folded(closure: Closure) -> Closure:
    """Evaluate a constant expression now. If it fails, the returned closure raises the error."""
    try:
        return constant(closure([None, 0]))
    except EvaluationError:
        return closure


def converted(closure: Closure) -> Closure:
    """Evaluate the conversion of a constant now. Raise CompileError if it fails."""
    try:
        return constant(closure([None, 0]))
    except EvaluationError as e:
        raise CompileError(f"program instantiation failed: {e}") from None

"""Constant folding, as cel-go does it while planning."""

from __future__ import annotations

from dra_conform.cel.evaluation.cost import Closure
from dra_conform.cel.syntax.ast import Call, ListLiteral, Literal, MapLiteral, SyntaxNode
from dra_conform.cel.values.cel_errors import CompileError, EvaluationError
from dra_conform.cel.values.value import Value

_CONVERSIONS = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)
"""Functions that cel-go evaluates while it plans when their argument is a constant."""


def is_constant(node: SyntaxNode) -> bool:
    """Whether cel-go makes one constant of a literal or of a conversion of one, which then costs nothing."""
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
    """The closure that gives one value on every device."""
    return lambda _: value


def folded(closure: Closure) -> Closure:
    """The closure of a constant expression, evaluated now; one that fails fails each time."""
    try:
        return constant(closure([None, 0]))
    except EvaluationError:
        return closure


def converted(closure: Closure) -> Closure:
    """The closure of a conversion of a constant, which must not fail."""
    try:
        return constant(closure([None, 0]))
    except EvaluationError as e:
        raise CompileError(f"program instantiation failed: {e}") from None

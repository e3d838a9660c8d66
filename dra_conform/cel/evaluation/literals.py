"""List and map literals, compiled to closures, and constant folding as in the planner of cel-go."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.cel.evaluation.cost import Closure, Frame
from dra_conform.cel.functions.indexing import displayed
from dra_conform.cel.syntax.ast import Call, ListLiteral, Literal, MapLiteral, SyntaxNode
from dra_conform.cel.values.cel_errors import CompileError, EvaluationError
from dra_conform.cel.values.equality import hashed
from dra_conform.cel.values.value import Duration, Optional_, Timestamp, UInt, Value, type_of

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


def _optional(value: Value, where: str) -> Optional_:
    if type(value) is Optional_:
        return value
    raise EvaluationError(f"cannot initialize optional {where} from non-optional value {displayed(value)}")


def list_of_closures(items: Sequence[Closure], optional: frozenset[int]) -> Closure:
    """Return a closure that builds a list. An absent optional element is omitted."""
    if not optional:
        return lambda frame: tuple([item(frame) for item in items])

    def build(frame: Frame) -> Value:
        values: list[Value] = []
        for position, item in enumerate(items):
            value = item(frame)
            if position in optional:
                value = _optional(value, "list element")
                if not value.present:
                    continue
                value = value.value
            values.append(value)
        return tuple(values)

    return build


_KEYS = frozenset({bool, int, UInt, float, str, type(None), Duration, Timestamp})


def map_of_closures(entries: Sequence[tuple[Closure, Closure, bool]]) -> Closure:
    """Return a closure that builds a map. If keys are equal, the last entry is kept.

    The closure raises EvaluationError for an unsupported key type, and for keys of different types that
    Python treats as one key.
    """

    def build(frame: Frame) -> Value:
        values: dict[Value, Value] = {}
        for key_of, value_of, optional in entries:
            key, value = key_of(frame), value_of(frame)
            if type(key) not in _KEYS:
                raise EvaluationError(f"unsupported key type: {type_of(hashed(key)).name}")
            if key in values and not any(type(k) is type(key) and k == key for k in values):
                raise EvaluationError(f"keys of different types: {displayed(key)}")
            if optional:
                value = _optional(value, "entry")
                if not value.present:
                    values.pop(key, None)
                    continue
                value = value.value
            values[key] = value
        return values

    return build

"""Lists and maps, compiled to closures: literals with constant folding as in the planner of cel-go, and
loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.cel.evaluation.cost import Closure, Frame
from dra_conform.cel.functions.indexing import displayed
from dra_conform.cel.syntax.ast import Call, ListLiteral, Literal, MapLiteral, SyntaxNode
from dra_conform.cel.values.cel_errors import Aborted, CompileError, EvaluationError
from dra_conform.cel.values.equality import hashed
from dra_conform.cel.values.types import Type
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


Slots = Mapping[str, int]
"""The frame slot of each local variable."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """An error stored as the value of a variable; it is raised when the variable is read."""

    error: EvaluationError

    @staticmethod
    def of(error: EvaluationError) -> Deferred:
        """Return the error as a value. Raise it at once if it is Aborted, which nothing absorbs."""
        if isinstance(error, Aborted):
            raise error
        return Deferred(error)


def released(place: int) -> Closure:
    """Return a closure that reads a local variable, and raises a stored error."""

    def read(frame: Frame) -> Value:
        value = frame[place]
        if type(value) is Deferred:
            raise value.error
        return value

    return read


_GO_NAMES: dict[type, str] = {
    bool: "Bool",
    int: "Int",
    UInt: "Uint",
    float: "Double",
    str: "String",
    bytes: "Bytes",
    type(None): "Null",
    Duration: "Duration",
    Timestamp: "Timestamp",
    Optional_: "*types.Optional",
    Type: "*types.Type",
}


def _pairs(source: Value, two: bool) -> Iterable[tuple[Value, Value]]:
    if isinstance(source, tuple):
        return enumerate(source) if two else ((item, None) for item in source)
    if isinstance(source, dict):
        return source.items()
    name = _GO_NAMES.get(type(source), type(source).__name__)
    raise EvaluationError(f"got 'types.{name}', expected iterable type")


def fold(
    *,
    source: Closure,
    start: Closure,
    condition: Closure,
    step: Closure,
    result: Closure,
    accumulator: int,
    variable: int,
    second: int | None,
    absorbing: bool,
) -> Closure:
    """Return the closure of a loop.

    With `absorbing` (macros `all` and `exists`), a later step can absorb the error of a step.
    """

    def run(frame: Frame) -> Value:
        pairs = _pairs(source(frame), second is not None)
        frame[accumulator] = start(frame)
        for first, other in pairs:
            frame[variable] = first
            if second is not None:
                frame[second] = other
            if condition(frame) is False:
                break
            try:
                frame[accumulator] = step(frame)
            except EvaluationError as e:
                if not absorbing:
                    raise
                frame[accumulator] = Deferred.of(e)
        return result(frame)

    return run


def bound(start: Closure, place: int, body: Closure) -> Closure:
    """Return the closure of `cel.bind`. An error of the bound value is raised when the body reads it."""

    def bind(frame: Frame) -> Value:
        try:
            frame[place] = start(frame)
        except EvaluationError as e:
            frame[place] = Deferred.of(e)
        return body(frame)

    return bind

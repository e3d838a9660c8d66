"""Loops over lists and maps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dra_conform.cel.evaluation.cost import Closure, Frame
from dra_conform.cel.values.cel_errors import Aborted, EvaluationError
from dra_conform.cel.values.types import Type
from dra_conform.cel.values.value import Duration, Optional_, Timestamp, UInt, Value

Slots = Mapping[str, int]
"""Local variables by the place of their value in the frame."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """A failure as the value of a variable: it counts only once somebody reads the variable."""

    error: EvaluationError

    @staticmethod
    def of(error: EvaluationError) -> Deferred:
        """Raises the error itself if it is the one that nothing can hide."""
        if isinstance(error, Aborted):
            raise error
        return Deferred(error)


def released(place: int) -> Closure:
    """The value of a local variable. Raises the failure it holds."""

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
    """A loop; when `absorbing`, a step that fails leaves its failure to be hidden by a later one."""

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
    """`cel.bind`: the body with a value in its place; a failure waits there until somebody reads it."""

    def bind(frame: Frame) -> Value:
        try:
            frame[place] = start(frame)
        except EvaluationError as e:
            frame[place] = Deferred.of(e)
        return body(frame)

    return bind

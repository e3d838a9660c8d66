"""Loops over lists and maps, compiled to closures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dra_conform.cel.evaluation.cost import Closure, Frame
from dra_conform.cel.values.cel_errors import Aborted, EvaluationError
from dra_conform.cel.values.types import Type
from dra_conform.cel.values.value import Duration, Optional_, Timestamp, UInt, Value

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

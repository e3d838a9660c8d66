"""Function calls compiled to closures, with one overload or with one chosen by the values."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.cel.evaluation.cost import Closure, Frame, spend
from dra_conform.cel.evaluation.dispatch import Chooser, call_cost
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.value import Value


def applied(call: Callable[..., Value], args: tuple[Closure, ...]) -> Closure:
    """Return a closure that calls one function."""
    match args:
        case (only,):
            return lambda frame: call(only(frame))
        case (first, second):
            return lambda frame: call(first(frame), second(frame))
        case _:
            return lambda frame: call(*[a(frame) for a in args])


def dispatched(choose: Chooser, args: tuple[Closure, ...]) -> Closure:
    """Return a closure that calls the overload that accepts the values, or raises EvaluationError."""

    def call(frame: Frame) -> Value:
        values = [a(frame) for a in args]
        return choose(values).call(*values)

    return call


def counted(choose: Chooser, candidates: tuple[Overload, ...], args: tuple[Closure, ...]) -> Closure:
    """Return a closure like that of `dispatched` that also adds the cost of the call."""

    def call(frame: Frame) -> Value:
        values = [a(frame) for a in args]
        chosen = choose(values)
        result = chosen.call(*values)
        spend(frame, call_cost(candidates, chosen, tuple(values), result))
        return result

    return call

"""Function calls as closures: of one overload, or of the one that takes the values; counted or not."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.cel.evaluation.cost import Closure, Frame, spend
from dra_conform.cel.evaluation.dispatch import call_cost
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.value import Value


def applied(call: Callable[..., Value], args: tuple[Closure, ...]) -> Closure:
    match args:
        case (only,):
            return lambda frame: call(only(frame))
        case (first, second):
            return lambda frame: call(first(frame), second(frame))
        case _:
            return lambda frame: call(*[a(frame) for a in args])


def dispatched(select: Callable[[list[Value]], Overload], args: tuple[Closure, ...]) -> Closure:
    def call(frame: Frame) -> Value:
        values = [a(frame) for a in args]
        return select(values).call(*values)

    return call


def counted(
    select: Callable[[list[Value]], Overload], candidates: tuple[Overload, ...], args: tuple[Closure, ...]
) -> Closure:
    def call(frame: Frame) -> Value:
        values = [a(frame) for a in args]
        chosen = select(values)
        result = chosen.call(*values)
        spend(frame, call_cost(candidates, chosen, tuple(values), result))
        return result

    return call

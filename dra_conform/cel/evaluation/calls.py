"""Function calls compiled to closures, and the choice of an overload by the values of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dra_conform.cel.evaluation.cost import Closure, Frame, spend
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.functions.standard import STANDARD
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import DYN, NULL, Type, is_dynamic, list_of
from dra_conform.cel.values.value import Value, type_of

_BY_OVERLOAD = frozenset(o.name for o in STANDARD)
"""Functions that cel-go charges by the overload of the checker, or one unit if several may apply."""

_UNGUARDED = frozenset({"flatten"})
"""Functions that accept list elements of any type."""

_LIST = list_of(DYN)

_Chooser = Callable[[Sequence[Value]], Overload]
"""A function that returns the overload for values, or raises EvaluationError."""


def _open(t: Type) -> bool:
    return t.variable or is_dynamic(t)


def _mismatches(overload: Overload, static_types: Sequence[Type]) -> tuple[tuple[int, Type], ...]:
    """Return the arguments whose type must be checked at runtime, as (position, expected type)."""
    return tuple(
        (position, _LIST if overload.name in _UNGUARDED and wanted.name == "list" else wanted)
        for position, (wanted, static) in enumerate(zip(overload.params, static_types, strict=True))
        if not _open(wanted)
        and (
            _open(static) or (static == NULL and wanted != NULL) or (wanted.name == "list" and _inner(wanted))
        )
    )


def _inner(wanted: Type) -> Type | None:
    """Return the type that the first element of a list must have, None if any type is accepted."""
    element = wanted.params[0] if wanted.name == "list" else None
    return None if element is None or _open(element) else element


def _takes(wanted: Type, value: Value) -> bool:
    """Whether a value has the type; of a list, only the first element is checked."""
    if type_of(value).name != wanted.name:
        return False
    element = _inner(wanted)
    return element is None or not value or _takes(element, value[0])


def _no_overload(name: str, args: Sequence[Value]) -> EvaluationError:
    """Return the error for values that no overload accepts."""
    if name in _BY_OVERLOAD:
        return EvaluationError("no such overload")
    return EvaluationError(f"no such overload: {name}({', '.join(type_of(a).name for a in args)})")


def chooser(name: str, candidates: Sequence[Overload], static_types: Sequence[Type]) -> Overload | _Chooser:
    """Return the only overload for these static types, or a function that chooses it by values."""
    tests = tuple((overload, _mismatches(overload, static_types)) for overload in candidates)
    if len(tests) == 1 and not tests[0][1]:
        return candidates[0]

    def choose(args: Sequence[Value]) -> Overload:
        for overload, unsure in tests:
            for position, wanted in unsure:
                if not _takes(wanted, args[position]):
                    break
            else:
                return overload
        raise _no_overload(name, args)

    return choose


def _call_cost(
    candidates: Sequence[Overload], chosen: Overload, args: tuple[Value, ...], result: Value
) -> int:
    """Return the cost of one call, in cel-go's units."""
    if chosen.cost is None or (len(candidates) > 1 and chosen.name in _BY_OVERLOAD):
        return 1
    return chosen.cost(args, result)


def applied(call: Callable[..., Value], args: tuple[Closure, ...]) -> Closure:
    """Return a closure that calls one function."""
    match args:
        case (only,):
            return lambda frame: call(only(frame))
        case (first, second):
            return lambda frame: call(first(frame), second(frame))
        case _:
            return lambda frame: call(*[a(frame) for a in args])


def dispatched(choose: _Chooser, args: tuple[Closure, ...]) -> Closure:
    """Return a closure that calls the overload that accepts the values, or raises EvaluationError."""

    def call(frame: Frame) -> Value:
        values = [a(frame) for a in args]
        return choose(values).call(*values)

    return call


def counted(choose: _Chooser, candidates: tuple[Overload, ...], args: tuple[Closure, ...]) -> Closure:
    """Return a closure like that of `dispatched` that also adds the cost of the call."""

    def call(frame: Frame) -> Value:
        values = [a(frame) for a in args]
        chosen = choose(values)
        result = chosen.call(*values)
        spend(frame, _call_cost(candidates, chosen, tuple(values), result))
        return result

    return call

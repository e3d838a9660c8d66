"""Dispatch of a call with candidate overloads to one Python function."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.functions.standard import STANDARD
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import DYN, NULL, Type, is_dynamic, list_of
from dra_conform.cel.values.value import Value, type_of

_BY_OVERLOAD = frozenset(o.name for o in STANDARD)
"""cel-go charges these by the overload the checker has picked, one unit if the checker could not pick."""

_UNGUARDED = frozenset({"flatten"})
"""Functions that cope with elements of any type."""

_LIST = list_of(DYN)

Chooser = Callable[[Sequence[Value]], Overload]
"""Finds the overload that takes some values. Raises EvaluationError if none does."""


def _open(t: Type) -> bool:
    return t.variable or is_dynamic(t)


def _mismatches(overload: Overload, given: Sequence[Type]) -> tuple[tuple[int, Type], ...]:
    """The arguments whose type only the value can tell."""
    return tuple(
        (position, _LIST if overload.name in _UNGUARDED and wanted.name == "list" else wanted)
        for position, (wanted, found) in enumerate(zip(overload.params, given, strict=True))
        if not _open(wanted)
        and (_open(found) or (found == NULL and wanted != NULL) or (wanted.name == "list" and _inner(wanted)))
    )


def _inner(wanted: Type) -> Type | None:
    """The type that the first element of a list must have."""
    element = wanted.params[0] if wanted.name == "list" else None
    return None if element is None or _open(element) else element


def _takes(wanted: Type, value: Value) -> bool:
    """Whether a value will do, by the first element if it is a list."""
    if type_of(value).name != wanted.name:
        return False
    element = _inner(wanted)
    return element is None or not value or _takes(element, value[0])


def _no_overload(name: str, args: Sequence[Value]) -> EvaluationError:
    """The error for values that no overload takes."""
    if name in _BY_OVERLOAD:
        return EvaluationError("no such overload")
    return EvaluationError(f"no such overload: {name}({', '.join(type_of(a).name for a in args)})")


def chooser(name: str, candidates: Sequence[Overload], given: Sequence[Type]) -> Overload | Chooser:
    """The one overload for arguments of these static types, or a function that finds it for values."""
    tests = tuple((overload, _mismatches(overload, given)) for overload in candidates)
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


def call_cost(
    candidates: Sequence[Overload], chosen: Overload, args: tuple[Value, ...], result: Value
) -> int:
    """The cost of one call, in the units of cel-go."""
    if chosen.cost is None or (len(candidates) > 1 and chosen.name in _BY_OVERLOAD):
        return 1
    return chosen.cost(args, result)

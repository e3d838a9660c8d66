"""Overload resolution: the overloads that may apply to a call, by argument types."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.cel.checking.substitution import Fresh, Substitution
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.syntax.ast import Call
from dra_conform.cel.values.types import DYN, NULL, Type, is_dynamic


def resolve(
    call: Call,
    declared: Sequence[Overload],
    argument_types: tuple[Type, ...],
    known: Substitution,
    fresh: Fresh,
) -> tuple[tuple[Overload, ...], Type] | None:
    """Return the overloads that accept arguments of these types, receiver first, and the result type.

    None if no overload does. Type variables of the arguments are bound in `known`.
    """
    matching: list[Overload] = []
    result: Type | None = None
    shallow = [known.resolve(t) for t in argument_types]
    for overload in declared:
        if overload.member != (call.target is not None) or len(overload.params) != len(argument_types):
            continue
        if any(map(_never_match, overload.params, shallow)):
            continue
        *params, returned = fresh.instance(*overload.params, overload.result)
        if not known.accepts_all(tuple(params), argument_types):
            continue
        matching.append(overload)
        returned = known.resolve(returned)
        # Candidates with different results: only the value at runtime decides.
        result = returned if result is None or result == returned else DYN
    return None if result is None else (tuple(matching), result)


def _never_match(wanted: Type, actual: Type) -> bool:
    """Whether two types can never match: a cheap test before `accepts_all`."""
    if wanted.name == actual.name or wanted.variable or actual.variable:
        return False
    return not (is_dynamic(wanted) or is_dynamic(actual) or actual == NULL)

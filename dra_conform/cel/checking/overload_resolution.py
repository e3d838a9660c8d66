"""Overload resolution: the overloads that a call may mean, by argument types."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.cel.checking.substitution import Fresh, Substitution
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.syntax.ast import Call
from dra_conform.cel.values.types import DYN, NULL, Type, is_dynamic


def resolve(
    call: Call, declared: Sequence[Overload], given: tuple[Type, ...], known: Substitution, fresh: Fresh
) -> tuple[tuple[Overload, ...], Type] | None:
    """The overloads that take arguments of these types, receiver first, and the type of the result.

    None if there is none. Type variables of the arguments are bound in `known` on the way.
    """
    matching: list[Overload] = []
    result: Type | None = None
    shallow = [known.resolve(t) for t in given]
    for overload in declared:
        if overload.member != (call.target is not None) or len(overload.params) != len(given):
            continue
        if any(map(_strangers, overload.params, shallow)):
            continue
        *params, returned = fresh.instance(*overload.params, overload.result)
        if not known.accepts_all(tuple(params), given):
            continue
        matching.append(overload)
        returned = known.resolve(returned)
        # Several candidates with different results: only the value can tell.
        result = returned if result is None or result == returned else DYN
    return None if result is None else (tuple(matching), result)


def _strangers(wanted: Type, given: Type) -> bool:
    """Whether two types can never go together: the cheap test before the real one."""
    if wanted.name == given.name or wanted.variable or given.variable:
        return False
    return not (is_dynamic(wanted) or is_dynamic(given) or given == NULL)

"""Overload resolution by argument types: assignability of types, and the substitution of type parameters."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.syntax.ast import Call
from dra_conform.cel.values.types import ANY, DURATION, DYN, NULL, TIMESTAMP, Type, is_dynamic

_PRIMITIVE = frozenset(
    {"bool", "int", "uint", "double", "string", "bytes", "list", "map", "type", "optional_type"}
)


class Substitution:
    """The types that type variables are bound to so far."""

    __slots__ = ("_bound",)

    def __init__(self, bound: dict[Type, Type] | None = None) -> None:
        self._bound: dict[Type, Type] = bound if bound is not None else {}

    def copy(self) -> Substitution:
        """Return an independent copy."""
        return Substitution(dict(self._bound))

    def _adopt(self, other: Substitution) -> None:
        self._bound = other._bound

    def resolve(self, t: Type, free_to_dyn: bool = False) -> Type:
        """Return the type with bound variables replaced. Unbound variables stay, or become dyn."""
        if t.variable:
            known = self._bound.get(t)
            if known is not None:
                return self.resolve(known, free_to_dyn)
            return DYN if free_to_dyn else t
        if not t.params:
            return t
        return Type(t.name, tuple(self.resolve(p, free_to_dyn) for p in t.params))

    def accepts(self, wanted: Type, actual: Type) -> bool:
        """Whether `actual` can be used as `wanted`. Variables are bound even if the result is False."""
        if wanted == actual:
            return True
        if wanted.variable:
            return self._widen(wanted, actual)
        if actual.variable:
            return self._widen(actual, wanted)
        if is_dynamic(wanted) or is_dynamic(actual):
            return True
        if actual == NULL:
            return wanted in {DURATION, TIMESTAMP} or wanted.name not in _PRIMITIVE
        if wanted.name == actual.name == "type":
            return True
        if wanted.name != actual.name or len(wanted.params) != len(actual.params):
            return False
        return all(self.accepts(w, g) for w, g in zip(wanted.params, actual.params, strict=True))

    def accepts_all(self, wanted: tuple[Type, ...], actual: tuple[Type, ...]) -> bool:
        """Whether `accepts` is true for each pair. Variables are bound only in this case."""
        trial = self.copy()
        if all(trial.accepts(w, g) for w, g in zip(wanted, actual, strict=True)):
            self._adopt(trial)
            return True
        return False

    def join(self, a: Type, b: Type) -> Type | None:
        """Return the more general of two types; None if neither accepts the other."""
        if not self.accepts_all((a,), (b,)):
            return None
        return a if _at_least_as_general(self.resolve(a), self.resolve(b)) else b

    def _widen(self, variable: Type, t: Type) -> bool:
        """Bind a variable to the type; replace its binding if `t` is more general."""
        before = self._bound.get(variable)
        if before is None:
            return self._bind(variable, t)
        if not self.accepts(before, t):
            return False
        if before.variable:
            return True
        resolved = self.resolve(t)
        if _at_least_as_general(resolved, self.resolve(before)) and not self._leads_to(t, variable):
            self._bound[variable] = t
        return True

    def _leads_to(self, t: Type, variable: Type) -> bool:
        """Whether a type contains the variable, directly or through its bound variables."""
        if t.variable:
            known = self._bound.get(t)
            return t == variable or (known is not None and self._leads_to(known, variable))
        return any(self._leads_to(p, variable) for p in t.params)

    def _bind(self, variable: Type, t: Type) -> bool:
        resolved = self.resolve(t)
        if resolved == variable:
            return True
        if _mentions(resolved, variable):
            return False
        self._bound[variable] = t
        return True


def _mentions(t: Type, variable: Type) -> bool:
    return t == variable or any(_mentions(p, variable) for p in t.params)


def _at_least_as_general(a: Type, b: Type) -> bool:
    if a in {DYN, ANY} or a == b:
        return True
    if a.name != b.name or len(a.params) != len(b.params):
        return b not in {DYN, ANY}
    return all(_at_least_as_general(x, y) for x, y in zip(a.params, b.params, strict=True))


class Fresh:
    """A generator of new type variables."""

    __slots__ = ("_count",)

    def __init__(self) -> None:
        self._count = 0

    def variable(self) -> Type:
        """Return a new type variable."""
        self._count += 1
        return Type(f"@{self._count}", (), True)

    def instance(self, *types: Type) -> tuple[Type, ...]:
        """Return the types of one declaration with new variables; equal parameters get equal variables."""
        names: dict[Type, Type] = {}
        return tuple(self._renamed(t, names) for t in types)

    def _renamed(self, t: Type, names: dict[Type, Type]) -> Type:
        if t.variable:
            if t not in names:
                names[t] = self.variable()
            return names[t]
        return Type(t.name, tuple(self._renamed(p, names) for p in t.params)) if t.params else t


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

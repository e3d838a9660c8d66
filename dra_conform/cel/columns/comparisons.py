"""Equality, order and membership over a device table; null where CEL has a runtime error."""

from __future__ import annotations

import math

import polars as pl

from dra_conform.cel.columns.terms import (
    NEVER,
    Cells,
    Constant,
    Term,
    Untranslatable,
    any_of,
    first_of,
    kind_of,
    lookup,
    nano,
)
from dra_conform.cel.values import equality
from dra_conform.cel.values.value import INT_MAX, INT_MIN, UInt, Value
from dra_conform.kube.quantity import Quantity

_STRICT = frozenset({"version", "quantity"})
"""Kinds on the left of `==` for which CEL reports a runtime error if the right side has another kind."""


def equal(a: Term, b: Term) -> pl.Expr:
    """Return CEL equality; values of different kinds are unequal, or an error for kinds in `_STRICT`."""
    if isinstance(a, Constant):
        if isinstance(b, Constant):
            raise Untranslatable
        same = [e for e in (_equal_constant(o, a.value) for o in b.options) if e is not None]
        strict = kind_of(a.value) in _STRICT or hasattr(type(a.value), "cel_type")
        others = [] if strict else [o.expr.is_not_null() for o in b.options]
        return pl.coalesce([*same, pl.when(any_of(others)).then(False)])
    others = [o.expr.is_not_null() for o in a.options if o.kind not in _STRICT]
    if isinstance(b, Constant):
        same = [e for e in (_equal_constant(o, b.value) for o in a.options) if e is not None]
        return pl.coalesce([*same, pl.when(any_of(others)).then(False)])
    pairs = [_equal_cells(x, y) for x in a.options for y in b.options if x.kind == y.kind]
    both_present = any_of(others) & _is_present(b)
    return pl.coalesce([*pairs, pl.when(both_present).then(False)])


def not_equal(a: Term, b: Term) -> pl.Expr:
    """Return `!=`, which is true for values that `==` cannot compare."""
    same = equal(a, b)
    return pl.when(_is_present(a) & _is_present(b)).then(~same.fill_null(False))


def _is_present(term: Term) -> pl.Expr:
    if isinstance(term, Constant):
        return pl.lit(True)
    return any_of([o.expr.is_not_null() for o in term.options])


def _equal_constant(cells: Cells, wanted: Value) -> pl.Expr | None:
    """Return whether the cells equal the constant; None if cells of this kind never equal it."""
    if cells.values is not None:
        if kind_of(wanted) != cells.kind:
            return None
        return lookup(cells, lambda value: equality.equal(value, wanted)).expr
    kind = type(wanted)
    if cells.kind == "bool" and kind is bool:
        return cells.expr if wanted else ~cells.expr
    if cells.kind == "quantity" and kind is Quantity:
        return cells.expr == nano(wanted)
    if cells.kind == "int" and kind in (int, UInt, float):
        if kind is float and not wanted.is_integer():
            return None
        whole = int(wanted)
        return cells.expr == whole if INT_MIN <= whole <= INT_MAX else None
    return None


def _equal_cells(a: Cells, b: Cells) -> pl.Expr:
    if a.values is None or b.values is None:
        return a.expr == b.expr
    known = {value: code for code, value in enumerate(a.values)}
    nowhere = len(a.values)
    codes = pl.Series([known.get(value, nowhere) for value in b.values], dtype=pl.UInt32)
    return a.expr.cast(pl.UInt32) == pl.lit(codes).gather(b.expr)


_MIRRORED = {"_<_": "_>_", "_<=_": "_>=_", "_>_": "_<_", "_>=_": "_<=_"}
_ACCEPTED = {"_<_": (-1,), "_<=_": (-1, 0), "_>_": (1,), "_>=_": (1, 0)}


def ordered(operator: str, a: Term, b: Term) -> pl.Expr:
    """Return `<`, `<=`, `>` or `>=`; null for values that cannot be ordered."""
    if isinstance(a, Constant):
        a, b, operator = b, a, _MIRRORED[operator]
    if isinstance(a, Constant):
        raise Untranslatable
    if isinstance(b, Constant):
        return first_of([_ordered_constant(operator, o, b.value) for o in a.options])
    exprs = []
    for x in a.options:
        for y in b.options:
            if x.kind == y.kind == "int":
                exprs.append(_apply(operator, x.expr, y.expr))
            elif x.kind == y.kind and x.kind in {"string", "bool"}:
                raise Untranslatable
    return first_of(exprs)


def _ordered_constant(operator: str, cells: Cells, limit: Value) -> pl.Expr:
    kind = type(limit)
    if cells.kind == "string" and kind is str:
        accepted = _ACCEPTED[operator]
        return lookup(cells, lambda value: equality.compare(value, limit) in accepted).expr
    if cells.kind == "int" and kind in (int, UInt, float):
        if kind is float and not math.isfinite(limit):
            raise Untranslatable
        whole = math.ceil(limit) if operator in {"_<_", "_>=_"} else math.floor(limit)
        if not INT_MIN <= whole <= INT_MAX:
            below = (whole > 0) is (operator in {"_<_", "_<=_"})
            return pl.when(cells.expr.is_not_null()).then(below)
        return _apply(operator, cells.expr, pl.lit(whole, dtype=pl.Int64))
    if cells.kind == "bool" and kind is bool:
        raise Untranslatable
    return NEVER


def _apply(operator: str, a: pl.Expr, b: pl.Expr) -> pl.Expr:
    if operator == "_<_":
        return a < b
    if operator == "_<=_":
        return a <= b
    return a > b if operator == "_>_" else a >= b


def member(term: Term, members: tuple[Value, ...]) -> pl.Expr:
    """Whether the value is one of the constants."""
    if isinstance(term, Constant):
        raise Untranslatable
    exprs = []
    for cells in term.options:
        if cells.values is not None:
            exprs.append(lookup(cells, lambda value: equality.contains(members, value)).expr)
            continue
        equals = [e for e in (_equal_constant(cells, m) for m in members) if e is not None]
        exprs.append(any_of(equals) if equals else pl.when(cells.expr.is_not_null()).then(False))
    return first_of(exprs)

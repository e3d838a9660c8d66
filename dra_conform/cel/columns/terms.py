"""What a part of a selector is over a device table: a constant, or cells that are null where CEL fails.

Every operation here is monotone: a null that later turns out to be a value changes no result that is not
null already.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import polars as pl

from dra_conform.cel.columns.device_columns import Column
from dra_conform.cel.values import value as cel
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.semantic_version import Semver
from dra_conform.cel.values.value import UInt, Value
from dra_conform.kube.quantity import Quantity

NARROW = 2**125
"""Below this, the sum of two quantities in units of 1e-9 fits into Int128 for sure."""

NEVER = pl.lit(None, dtype=pl.Boolean)


class Untranslatable(Exception):  # noqa: N818 -- not an error: the interpreter takes over
    """There is no expression over columns for this part of a selector."""


class Interpreted(Exception):  # noqa: N818 -- not an error: the interpreter takes over
    """No part of this selector may be translated."""


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells of one kind: bool, int, quantity (units of 1e-9), or string and version as codes of `values`."""

    kind: str
    expr: pl.Expr
    values: tuple[Value, ...] | None = None
    bound: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Dynamic:
    """A value of one kind or another: at most one of the options is not null on a device."""

    options: tuple[Cells, ...]


Term = Constant | Dynamic


def cells_of(columns: Sequence[Column]) -> Dynamic:
    """The value behind columns of one name. Raises Untranslatable if some values fit no kind."""
    if any(c.kind == "other" for c in columns):
        raise Untranslatable
    return Dynamic(tuple(Cells(c.kind, c.codes(), c.values, c.bound) for c in columns))


def present(columns: Sequence[Column]) -> Dynamic:
    """Whether a device has the name at all; never null."""
    return boolean(_any([pl.col(c.key).is_not_null() for c in columns]))


def boolean(expr: pl.Expr) -> Dynamic:
    return Dynamic((Cells("bool", expr),))


def truth(term: Term) -> pl.Expr:
    """The term as a condition: null where it is no bool."""
    if isinstance(term, Constant):
        return pl.lit(term.value) if isinstance(term.value, bool) else NEVER
    return next((o.expr for o in term.options if o.kind == "bool"), NEVER)


def choose(condition: pl.Expr, yes: pl.Expr, no: pl.Expr) -> pl.Expr:
    return pl.when(condition).then(yes).when(~condition).then(no)


def lookup(cells: Cells, call: Callable[[Value], Value]) -> Cells:
    """The function applied to every value that occurs; null where it raises EvaluationError."""
    results: list[Value] = []
    for value in cells.values or ():
        try:
            results.append(call(value))
        except EvaluationError:
            results.append(None)
    kinds = {type(r) for r in results if r is not None}
    if not kinds:
        return Cells("bool", NEVER)
    if kinds == {bool}:
        return Cells("bool", _gathered(results, pl.Boolean(), cells.expr))
    if kinds == {int}:
        return Cells("int", _gathered(results, pl.Int64(), cells.expr))
    if kinds == {str}:
        distinct = tuple(dict.fromkeys(r for r in results if r is not None))
        codes = {value: i for i, value in enumerate(distinct)}
        return Cells("string", _gathered([codes.get(r) for r in results], pl.UInt32(), cells.expr), distinct)
    raise Untranslatable


def _gathered(results: list[Value], dtype: pl.DataType, codes: pl.Expr) -> pl.Expr:
    if isinstance(dtype, pl.Boolean) and results.count(True) == 1 and None not in results:
        return codes == results.index(True)
    return pl.lit(pl.Series(results, dtype=dtype)).gather(codes)


_STRICT = frozenset({"version", "quantity"})
"""Kinds that CEL cannot compare with another: on the left of `==` that is an error."""


def equal(a: Term, b: Term) -> pl.Expr:
    """CEL equality; values of different kinds are unequal, if the left one can be compared with others."""
    if isinstance(a, Constant):
        if isinstance(b, Constant):
            raise Untranslatable
        same = [e for e in (_equal_constant(o, a.value) for o in b.options) if e is not None]
        strict = _KINDS.get(type(a.value)) in _STRICT or hasattr(type(a.value), "cel_type")
        others = [] if strict else [o.expr.is_not_null() for o in b.options]
        return pl.coalesce([*same, pl.when(_any(others)).then(False)])
    others = [o.expr.is_not_null() for o in a.options if o.kind not in _STRICT]
    if isinstance(b, Constant):
        same = [e for e in (_equal_constant(o, b.value) for o in a.options) if e is not None]
        return pl.coalesce([*same, pl.when(_any(others)).then(False)])
    pairs = [_equal_cells(x, y) for x in a.options for y in b.options if x.kind == y.kind]
    there = _any(others) & _there(b)
    return pl.coalesce([*pairs, pl.when(there).then(False)])


def unlike(a: Term, b: Term) -> pl.Expr:
    """`!=`, which also holds for values that `==` cannot compare."""
    same = equal(a, b)
    return pl.when(_there(a) & _there(b)).then(~same.fill_null(False))


def _there(term: Term) -> pl.Expr:
    return pl.lit(True) if isinstance(term, Constant) else _any([o.expr.is_not_null() for o in term.options])


def _equal_constant(cells: Cells, wanted: Value) -> pl.Expr | None:
    """None if cells of this kind are never equal to the constant."""
    if cells.values is not None:
        if _KINDS.get(type(wanted)) != cells.kind:
            return None
        return lookup(cells, lambda value: cel.equal(value, wanted)).expr
    kind = type(wanted)
    if cells.kind == "bool" and kind is bool:
        return cells.expr if wanted else ~cells.expr
    if cells.kind == "quantity" and kind is Quantity:
        return cells.expr == nano(wanted)
    if cells.kind == "int" and kind in (int, UInt, float):
        if kind is float and not wanted.is_integer():
            return None
        whole = int(wanted)
        return cells.expr == whole if cel.INT_MIN <= whole <= cel.INT_MAX else None
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
    """`<`, `<=`, `>` or `>=`; null for values without an order between them."""
    if isinstance(a, Constant):
        a, b, operator = b, a, _MIRRORED[operator]
    if isinstance(a, Constant):
        raise Untranslatable
    if isinstance(b, Constant):
        return _first([_ordered_constant(operator, o, b.value) for o in a.options])
    exprs = []
    for x in a.options:
        for y in b.options:
            if x.kind == y.kind == "int":
                exprs.append(_apply(operator, x.expr, y.expr))
            elif x.kind == y.kind and x.kind in {"string", "bool"}:
                raise Untranslatable
    return _first(exprs)


def _ordered_constant(operator: str, cells: Cells, limit: Value) -> pl.Expr:
    kind = type(limit)
    if cells.kind == "string" and kind is str:
        accepted = _ACCEPTED[operator]
        return lookup(cells, lambda value: cel.compare(value, limit) in accepted).expr
    if cells.kind == "int" and kind in (int, UInt, float):
        if kind is float and not math.isfinite(limit):
            raise Untranslatable
        whole = math.ceil(limit) if operator in {"_<_", "_>=_"} else math.floor(limit)
        if not cel.INT_MIN <= whole <= cel.INT_MAX:
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
            exprs.append(lookup(cells, lambda value: cel.contains(members, value)).expr)
            continue
        equals = [e for e in (_equal_constant(cells, m) for m in members) if e is not None]
        exprs.append(_any(equals) if equals else pl.when(cells.expr.is_not_null()).then(False))
    return _first(exprs)


def nano(quantity: Quantity) -> pl.Expr:
    """A constant in units of 1e-9. Raises Untranslatable beyond Int128."""
    if abs(quantity.nano) >= NARROW:
        raise Untranslatable
    return pl.lit(quantity.nano, dtype=pl.Int128)


def quantity_cells(term: Term) -> Cells | None:
    """The term as a quantity, None if it never is one."""
    if isinstance(term, Constant):
        if not isinstance(term.value, Quantity):
            return None
        return Cells("quantity", nano(term.value), None, abs(term.value.nano))
    return next((o for o in term.options if o.kind == "quantity"), None)


_KINDS: dict[type, str] = {
    str: "string",
    Semver: "version",
    int: "int",
    bool: "bool",
    Quantity: "quantity",
}


def otherwise(columns: Sequence[Column], default: Value) -> Term:
    """The value behind columns of one name, and the default where a device has none."""
    if not columns:
        return Constant(default)
    options = list(cells_of(columns).options)
    missing = ~_any([o.expr.is_not_null() for o in options])
    kind = _KINDS.get(type(default))
    if kind is None:
        raise Untranslatable
    own = next((o for o in options if o.kind == kind), None)
    kept = [o for o in options if o is not own]
    if kind in {"string", "version"}:
        known = own.values or () if own else ()
        codes = own.expr.cast(pl.UInt32) if own else pl.lit(None, dtype=pl.UInt32)
        if default not in known:
            known = (*known, default)
        filled = pl.when(missing).then(pl.lit(known.index(default), dtype=pl.UInt32)).otherwise(codes)
        return Dynamic((*kept, Cells(kind, filled, known)))
    dtype = {"int": pl.Int64, "bool": pl.Boolean, "quantity": pl.Int128}[kind]
    value = nano(default) if kind == "quantity" else pl.lit(default, dtype=dtype)
    before = own.expr if own else pl.lit(None, dtype=dtype)
    bound = max(own.bound if own else 0, abs(default.nano)) if kind == "quantity" else 0
    return Dynamic((*kept, Cells(kind, pl.when(missing).then(value).otherwise(before), None, bound)))


def merged(results: Sequence[Cells]) -> Dynamic:
    """Results that exclude each other as one term, cells of equal kinds brought together."""
    by_kind: dict[str, list[Cells]] = {}
    for cells in results:
        by_kind.setdefault(cells.kind, []).append(cells)
    options = []
    for kind, group in by_kind.items():
        if len(group) > 1 and any(c.values is not None for c in group):
            raise Untranslatable
        expr = group[0].expr if len(group) == 1 else pl.coalesce([c.expr for c in group])
        options.append(Cells(kind, expr, group[0].values, max(c.bound for c in group)))
    return Dynamic(tuple(options))


def _any(exprs: Sequence[pl.Expr]) -> pl.Expr:
    return reduce(lambda a, b: a | b, exprs) if exprs else pl.lit(False)


def _first(exprs: Sequence[pl.Expr]) -> pl.Expr:
    if not exprs:
        return NEVER
    return pl.coalesce(exprs) if len(exprs) > 1 else exprs[0]

"""Values of parts of a selector over a device table: a constant, or cells, null for a runtime error.

Every operation is monotone: if a null operand becomes a value, only results that were null can change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import polars as pl

from dra_conform.cel.columns.device_columns import Column
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.semantic_version import Semver
from dra_conform.cel.values.value import Value
from dra_conform.kube.quantity import Quantity

NARROW = 2**125
"""The sum of two quantities below this limit, in units of 1e-9, fits into Int128."""

NEVER = pl.lit(None, dtype=pl.Boolean)
"""A condition that fails on every device."""


class Untranslatable(Exception):  # noqa: N818 -- not an error: the interpreter takes over
    """This part of a selector cannot be expressed over columns."""


class Interpreted(Exception):  # noqa: N818 -- not an error: the interpreter takes over
    """The whole selector must be evaluated by the interpreter."""


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A value that is the same on every device."""

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
    """A value that may have several kinds: at most one of the options is not null on a device."""

    options: tuple[Cells, ...]


Term = Constant | Dynamic


def cells_of(columns: Sequence[Column]) -> Dynamic:
    """Return the term for the columns of one attribute or capacity, which has one column for each kind.

    Raise Untranslatable for values of kind `other`.
    """
    if any(c.kind == "other" for c in columns):
        raise Untranslatable
    return Dynamic(tuple(Cells(c.kind, c.codes(), c.values, c.bound) for c in columns))


def present(columns: Sequence[Column]) -> Dynamic:
    """Return whether a device has the attribute or capacity; never null."""
    return boolean(any_of([pl.col(c.key).is_not_null() for c in columns]))


def boolean(expr: pl.Expr) -> Dynamic:
    """Return a term of Boolean cells."""
    return Dynamic((Cells("bool", expr),))


def truth(term: Term) -> pl.Expr:
    """Return the term as a condition: null where it is not a bool."""
    if isinstance(term, Constant):
        return pl.lit(term.value) if isinstance(term.value, bool) else NEVER
    return next((o.expr for o in term.options if o.kind == "bool"), NEVER)


def choose(condition: pl.Expr, yes: pl.Expr, no: pl.Expr) -> pl.Expr:
    """Return `condition ? yes : no`; null where the condition is null."""
    return pl.when(condition).then(yes).when(~condition).then(no)


def lookup(cells: Cells, call: Callable[[Value], Value]) -> Cells:
    """Apply a function to every distinct value; null where it raises EvaluationError."""
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


def nano(quantity: Quantity) -> pl.Expr:
    """Return a constant in units of 1e-9. Raise Untranslatable beyond Int128."""
    if abs(quantity.nano) >= NARROW:
        raise Untranslatable
    return pl.lit(quantity.nano, dtype=pl.Int128)


def quantity_cells(term: Term) -> Cells | None:
    """Return the term as a quantity, None if it never is a quantity."""
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


def kind_of(value: Value) -> str | None:
    """Return the kind of cells for a value, None if no kind has such values."""
    return _KINDS.get(type(value))


def otherwise(columns: Sequence[Column], default: Value) -> Term:
    """Return the term for the columns of one attribute or capacity; the default for devices without it."""
    if not columns:
        return Constant(default)
    options = list(cells_of(columns).options)
    missing = ~any_of([o.expr.is_not_null() for o in options])
    kind = kind_of(default)
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
    """Merge cells that are not null on different devices into one term with one option per kind."""
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


def any_of(exprs: Sequence[pl.Expr]) -> pl.Expr:
    """Return whether at least one condition is true; false for no conditions."""
    return reduce(lambda a, b: a | b, exprs) if exprs else pl.lit(False)


def first_of(exprs: Sequence[pl.Expr]) -> pl.Expr:
    """Return the first value that is not null."""
    if not exprs:
        return NEVER
    return pl.coalesce(exprs) if len(exprs) > 1 else exprs[0]

"""Function calls over a device table, with constants and at most one value of the device as arguments.

A function of strings or versions is called once for each distinct value. Quantities are compared and added in
their columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from dra_conform.cel.columns.terms import (
    NARROW,
    Cells,
    Constant,
    Dynamic,
    Term,
    Untranslatable,
    lookup,
    merged,
    quantity_cells,
)
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.semantic_version import SEMVER
from dra_conform.cel.values.types import BOOL, INT, QUANTITY, STRING, Type, is_dynamic
from dra_conform.cel.values.value import Value, type_of

_UNIT = 10**9


def called(function: str, candidates: Sequence[Overload], terms: Sequence[Term]) -> Term:
    """Return the result of a call; null where it fails. Raise Untranslatable."""
    variable = [i for i, t in enumerate(terms) if isinstance(t, Dynamic)]
    values = [t.value if isinstance(t, Constant) else None for t in terms]
    if not variable:
        return _folded(candidates, values)
    if function in _ON_QUANTITIES:
        result = _of_quantities(function, terms)
        if result is not None:
            return result
    if len(variable) > 1:
        raise Untranslatable
    at = variable[0]
    term = terms[at]
    options = term.options if isinstance(term, Dynamic) else ()
    return merged([r for o in options if (r := _applied(candidates, values, at, o)) is not None])


def _folded(candidates: Sequence[Overload], values: list[Value]) -> Term:
    """Evaluate a call whose arguments are all constants."""
    overload = _overload(candidates, [type_of(v) for v in values])
    if overload is None:
        raise Untranslatable
    try:
        return Constant(overload.call(*values))
    except EvaluationError:
        return Dynamic(())


def _applied(candidates: Sequence[Overload], values: list[Value], at: int, cells: Cells) -> Cells | None:
    """Evaluate a call on the values of one kind; None if no overload accepts it, a runtime error in CEL."""
    types = [_TYPES[cells.kind] if i == at else type_of(v) for i, v in enumerate(values)]
    overload = _overload(candidates, types)
    if overload is None:
        return None
    if cells.values is None:
        raise Untranslatable
    call = overload.call
    before, after = values[:at], values[at + 1 :]
    return lookup(cells, lambda value: call(*before, value, *after))


_TYPES = {"string": STRING, "version": SEMVER, "int": INT, "bool": BOOL, "quantity": QUANTITY}


def _overload(candidates: Sequence[Overload], types: list[Type]) -> Overload | None:
    return next((o for o in candidates if all(map(_takes, o.params, types))), None)


def _takes(parameter: Type, actual: Type) -> bool:
    return parameter.variable or is_dynamic(parameter) or parameter.name == actual.name


def _compared(expr: Callable[[pl.Expr, pl.Expr], pl.Expr], kind: str) -> Callable[[Cells, Cells], Cells]:
    return lambda a, b: Cells(kind, expr(a.expr, b.expr))


def _three_way(a: pl.Expr, b: pl.Expr) -> pl.Expr:
    return pl.when(a > b).then(1).when(a < b).then(-1).when(a == b).then(0)


def _sum(a: Cells, b: Cells) -> Cells:
    return Cells("quantity", a.expr + b.expr, None, _bounded(a, b))


def _difference(a: Cells, b: Cells) -> Cells:
    return Cells("quantity", a.expr - b.expr, None, _bounded(a, b))


def _bounded(a: Cells, b: Cells) -> int:
    if a.bound + b.bound >= NARROW:
        raise Untranslatable
    return a.bound + b.bound


_ON_QUANTITIES: Mapping[str, Callable[[Cells, Cells], Cells]] = {
    "compareTo": _compared(_three_way, "int"),
    "isGreaterThan": _compared(lambda a, b: a > b, "bool"),
    "isLessThan": _compared(lambda a, b: a < b, "bool"),
    "add": _sum,
    "sub": _difference,
    "sign": _compared(_three_way, "int"),
    "asInteger": lambda a, _: Cells("int", _whole(a)),
}


_FEW = 10**13 * _UNIT
"""The limit up to which CEL treats every whole quantity as an integer. Above it, this depends on the
format."""


def _whole(a: Cells) -> pl.Expr:
    if a.bound >= _FEW:
        raise Untranslatable
    return pl.when(a.expr % _UNIT == 0).then(a.expr // _UNIT).cast(pl.Int64)


def _of_quantities(function: str, terms: Sequence[Term]) -> Dynamic | None:
    """Evaluate a function of one or two quantities; None if no operand is a quantity."""
    operands = [quantity_cells(t) for t in terms]
    if not any(operands):
        return None
    if len(terms) == 2 and isinstance(terms[1], Constant) and type(terms[1].value) is int:
        whole = terms[1].value * _UNIT
        if function in ("add", "sub"):
            operands[1] = Cells("quantity", pl.lit(whole, dtype=pl.Int128), None, abs(whole))
    if len(terms) == 1:
        operands.append(Cells("quantity", pl.lit(0, dtype=pl.Int128)))
    first, second = operands
    if first is None or second is None or any(len(t.options) > 1 for t in terms if isinstance(t, Dynamic)):
        raise Untranslatable
    return Dynamic((_ON_QUANTITIES[function](first, second),))

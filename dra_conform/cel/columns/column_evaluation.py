"""Evaluation of a selector over columns, and by the interpreter for the rows that columns cannot decide."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from dra_conform.cel.columns.device_columns import ATTRIBUTES, CAPACITY, Column, Columns
from dra_conform.cel.columns.device_table import DeviceTable
from dra_conform.cel.columns.translation import translate
from dra_conform.cel.evaluation.program import Program, interpret
from dra_conform.cel.syntax import ast
from dra_conform.cel.syntax.ast import children


def _referenced(root: ast.SyntaxNode, columns: Columns) -> tuple[Column, ...]:
    """Return the columns that a selector may read: all columns if a key is not a literal."""
    try:
        by_key = {c.key: c for c in _of(root, columns)}
    except RecursionError:
        by_key = {c.key: c for c in columns.all()}
    return tuple(by_key.values())


def _of(node: ast.SyntaxNode, columns: Columns) -> Iterator[Column]:
    path = _path(node)
    if path is not None:
        yield from _at(path, columns)
        return
    if isinstance(node, ast.Call) and node.function == "@in" and isinstance(node.args[0], ast.Literal):
        path = _path(node.args[1])
        key = node.args[0].value
        if path and path[0] in (ATTRIBUTES, CAPACITY) and isinstance(key, str):
            yield from _at((*path, key), columns)
            return
    for child in children(node):
        yield from _of(child, columns)


def _path(node: ast.SyntaxNode) -> tuple[str, ...] | None:
    """Return the names from `device` to this node, None if a name is not a literal."""
    if isinstance(node, ast.Ident):
        return () if node.name == "device" else None
    if isinstance(node, ast.Select):
        step: object = node.field
        operand = node.operand
    elif isinstance(node, ast.Call) and node.function in ("_[_]", "_?._", "_[?_]"):
        operand, index = node.args
        step = index.value if isinstance(index, ast.Literal) else None
    else:
        return None
    before = _path(operand)
    return (*before, step) if before is not None and isinstance(step, str) else None


def _at(path: tuple[str, ...], columns: Columns) -> Iterator[Column]:
    if not path:
        yield from columns.all()
        return
    if path[0] not in columns.maps:
        yield columns.driver if path[0] == "driver" else columns.shared
        return
    domains = columns.maps[path[0]]
    for domain in [path[1]] if len(path) > 1 else domains:
        names = domains.get(domain, {})
        for name in [path[2]] if len(path) > 2 else names:
            yield from names.get(name, ())


_ROW = "#row"
_RESULT = "#result"


def evaluate(program: Program, table: DeviceTable) -> pl.Series:
    """Return true, false, or null for a runtime error, for each row."""
    columns = table.columns
    translation = translate(program.ast, columns)
    frame = columns.frame
    result = frame.with_columns(translation.expr.alias(_RESULT)).get_column(_RESULT)
    if not translation.complete and result.null_count():
        result = _decided(program, columns, result)
    if table.errors:
        return result.scatter(list(table.errors), None)
    return result


def _decided(program: Program, columns: Columns, result: pl.Series) -> pl.Series:
    """Decide the null rows by the interpreter, once for each combination of referenced values."""
    keys = [c.key for c in _referenced(program.ast.root, columns)]
    open_rows = result.is_null().arg_true().alias(_ROW)
    if not keys:
        return _same_for_all(program, columns, result, open_rows)
    groups = (
        columns.frame.select(keys)[open_rows]
        .with_columns(open_rows)
        .group_by(keys)
        .agg(pl.col(_ROW))
        .select(pl.col(_ROW))
    )
    first = groups.get_column(_ROW).list.first().to_list()
    verdicts = pl.Series(_RESULT, list(interpret(program, columns.devices(first))), dtype=pl.Boolean)
    spread = groups.with_columns(verdicts).explode(_ROW)
    return result.scatter(spread.get_column(_ROW), spread.get_column(_RESULT))


def _same_for_all(program: Program, columns: Columns, result: pl.Series, rows: pl.Series) -> pl.Series:
    """Decide all rows at once for a selector that reads no field of the device."""
    verdict = next(interpret(program, columns.devices((0,))))
    return result.scatter(rows, verdict)

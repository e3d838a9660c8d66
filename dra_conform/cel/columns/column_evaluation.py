"""Evaluation of a selector over columns, and by the interpreter for the rows that columns cannot decide."""

from __future__ import annotations

import polars as pl

from dra_conform.cel.columns.device_columns import Columns
from dra_conform.cel.columns.device_table import DeviceTable
from dra_conform.cel.columns.references import referenced
from dra_conform.cel.columns.translation import translate
from dra_conform.cel.evaluation.program import Program, interpret

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
    keys = [c.key for c in referenced(program.ast.root, columns)]
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

"""Matching of one selector against many devices, by the interpreter or by columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dra_conform.cel.columns.device_table import DeviceTable
from dra_conform.cel.evaluation.program import Program, interpret

if TYPE_CHECKING:
    import polars as pl


def match(program: Program, table: DeviceTable) -> list[bool | None]:
    """Return whether each device matches, by row; None for a runtime error on that device."""
    if not table.small:
        return _listed(match_column(program, table))
    results = list(interpret(program, (table.device(i) for i in range(len(table)) if i not in table.errors)))
    for row in table.errors:
        results.insert(row, None)
    return results


def match_column(program: Program, table: DeviceTable) -> pl.Series:
    """Return the result of `match` as a Boolean column, always computed by columns."""
    from dra_conform.cel.columns.column_evaluation import evaluate  # noqa: PLC0415 -- as for DeviceTable

    return evaluate(program, table)


def _listed(column: pl.Series) -> list[bool | None]:
    """Return the column as a list. It is faster than `to_list`: only the rarer results are set one by one."""
    true = column.fill_null(False).arg_true()
    null = column.is_null().arg_true()
    mostly = 2 * len(true) > len(column)
    results: list[bool | None] = [mostly] * len(column)
    for row in ((~column.fill_null(True)).arg_true() if mostly else true).to_list():
        results[row] = not mostly
    for row in null.to_list():
        results[row] = None
    return results

"""One selector against many devices: the one place that chooses between interpreter and columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dra_conform.cel.columns import DeviceTable
from dra_conform.cel.device import Device
from dra_conform.cel.errors import EvaluationError
from dra_conform.cel.program import Program

if TYPE_CHECKING:
    import polars as pl


def match(program: Program, table: DeviceTable) -> list[bool | None]:
    """Whether each device of the table matches, by row; None is a runtime error on that device."""
    if not table.small:
        return _listed(match_column(program, table))
    results = list(interpret(program, (table.device(i) for i in range(len(table)) if i not in table.errors)))
    for row in table.errors:
        results.insert(row, None)
    return results


def interpret(program: Program, devices: Iterable[Device]) -> Iterator[bool | None]:
    """The results device by device, without columns."""
    evaluate = program.evaluate
    for device in devices:
        try:
            yield evaluate(device)
        except EvaluationError:
            yield None


def match_column(program: Program, table: DeviceTable) -> pl.Series:
    """As `match`, as a Boolean column, and always by way of the columns."""
    from dra_conform.cel.evaluate_columns import evaluate  # noqa: PLC0415 -- as for DeviceTable

    return evaluate(program, table)


def _listed(column: pl.Series) -> list[bool | None]:
    """Quicker than `to_list`: only what is not the most frequent result is put in one by one."""
    true = column.fill_null(False).arg_true()
    null = column.is_null().arg_true()
    mostly = 2 * len(true) > len(column)
    results: list[bool | None] = [mostly] * len(column)
    for row in ((~column.fill_null(True)).arg_true() if mostly else true).to_list():
        results[row] = not mostly
    for row in null.to_list():
        results[row] = None
    return results

"""A table of many devices, and the matching of one selector against it, by the interpreter or by columns.

A small table keeps the devices, a large table only their columns. Polars is imported for the first column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from dra_conform.cel.evaluation.program import Program, interpret
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.device import DeviceView, device_of
from dra_conform.kube import resource
from dra_conform.kube.column_use import ColumnUse

if TYPE_CHECKING:
    import polars as pl

    from dra_conform.cel.columns.column_builder import ColumnBuilder
    from dra_conform.cel.columns.device_columns import Columns


SMALL = 512
"""The most rows for which the interpreter is faster than columns."""


class DeviceTable:
    """Devices by row number, in the order of the input.

    A device with an invalid attribute has a row too. Every selector fails on it with its error in `errors`.
    """

    def __init__(
        self, devices: Iterable[tuple[str, resource.Device]], columns: ColumnUse = ColumnUse.BY_SIZE
    ) -> None:
        self._kept: list[DeviceView] | None = []
        self._columns: Columns | None = None
        self._errors: dict[int, EvaluationError] = {}
        self._rows = 0
        self._use = columns
        builder = self._fill(devices)
        if builder is not None:
            self._kept = None
            self._columns = builder.finish()

    def _fill(self, devices: Iterable[tuple[str, resource.Device]]) -> ColumnBuilder | None:
        builder: ColumnBuilder | None = None
        kept: list[DeviceView] = []
        for driver, source in devices:
            try:
                device = device_of(driver, source)
            except EvaluationError as e:
                self._errors[self._rows] = e
                device = DeviceView(driver, {}, {}, False)
            self._rows += 1
            if builder is not None:
                builder.add(device)
                continue
            kept.append(device)
            if self._use.applies(len(kept), SMALL + 1):
                builder = _builder(kept)
        self._kept = kept
        return builder

    def __len__(self) -> int:
        return self._rows

    @property
    def small(self) -> bool:
        """Whether the table keeps the devices, so that the interpreter is faster than columns."""
        return self._kept is not None

    @property
    def errors(self) -> Mapping[int, EvaluationError]:
        """The errors of devices with an invalid attribute, by row."""
        return MappingProxyType(self._errors)

    @property
    def columns(self) -> Columns:
        """The typed columns; a small table builds them when first needed."""
        if self._columns is None:
            self._columns = _builder(self._kept or []).finish()
        return self._columns

    def device(self, row: int) -> DeviceView:
        """Return the device of a row. Raise EvaluationError if it has an invalid attribute."""
        if row in self._errors:
            raise self._errors[row]
        return self._kept[row] if self._kept is not None else next(self.columns.devices((row,)))


def _builder(devices: Iterable[DeviceView]) -> ColumnBuilder:
    from dra_conform.cel.columns.column_builder import ColumnBuilder  # noqa: PLC0415 -- small tables do not need polars

    builder = ColumnBuilder()
    for device in devices:
        builder.add(device)
    return builder


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

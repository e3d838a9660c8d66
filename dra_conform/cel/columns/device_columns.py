"""The columns of a device table: one for each domain, name and kind of value; null if a device has none.

| kind | column |
|---|---|
| string, version | Enum of the distinct values |
| int, bool | Int64, Boolean |
| quantity | Int128 in units of 1e-9 |
| other (lists, quantities beyond Int128) | index into the distinct values |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dra_conform.cel.values.device import DeviceView, Domains
from dra_conform.cel.values.value import Value
from dra_conform.kube.quantity import Quantity

DRIVER = "driver"
SHARED = "allowMultipleAllocations"
ATTRIBUTES = "attributes"
CAPACITY = "capacity"
"""The fields of a device that have columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """The description of a column of the frame. `values` has the distinct values, for kinds with codes.

    `bound` is the largest absolute value of a quantity.
    """

    key: str
    kind: str
    values: tuple[Value, ...] | None = None
    bound: int = 0

    def codes(self) -> pl.Expr:
        """Return the cells in comparable form: numbers, or codes of `values`."""
        column = pl.col(self.key)
        return column.to_physical() if self.kind in {"string", "version"} else column


@dataclass(frozen=True, slots=True)
class Columns:
    """The finished columns. `maps` has the columns of attributes and capacity by domain and name."""

    frame: pl.DataFrame
    driver: Column
    shared: Column
    maps: Mapping[str, Mapping[str, Mapping[str, tuple[Column, ...]]]]

    def all(self) -> Iterator[Column]:
        """Yield every column, that of the driver first."""
        yield self.driver
        yield self.shared
        for domains in self.maps.values():
            for names in domains.values():
                for columns in names.values():
                    yield from columns

    def devices(self, rows: Sequence[int]) -> Iterator[DeviceView]:
        """Yield the devices of some rows, rebuilt from their columns."""
        part = self.frame[list(rows)]
        cells = [
            (top, domain, name, _reader(column, part))
            for top, domains in self.maps.items()
            for domain, names in domains.items()
            for name, columns in names.items()
            for column in columns
        ]
        drivers = _reader(self.driver, part)
        shared = _reader(self.shared, part)
        for i in range(len(part)):
            maps = {ATTRIBUTES: Domains(), CAPACITY: Domains()}
            for top, domain, name, read in cells:
                value = read(i)
                if value is not None:
                    maps[top].setdefault(domain, {})[name] = value
            yield DeviceView(drivers(i), maps[ATTRIBUTES], maps[CAPACITY], shared(i))


def _reader(column: Column, part: pl.DataFrame) -> Callable[[int], Value]:
    cells = part.select(column.codes()).to_series().to_list()
    if column.values is not None:
        values = column.values
        return lambda i: None if cells[i] is None else values[cells[i]]
    if column.kind == "quantity":
        return lambda i: None if cells[i] is None else Quantity(cells[i])
    return lambda i: cells[i]

"""The columns of a device table: one for each domain, name and kind of value, null where a device has none.

| kind | column |
|---|---|
| string, version | Enum of the values that occur |
| int, bool | Int64, Boolean |
| quantity | Int128 in units of 1e-9 |
| other (lists, quantities beyond Int128) | number of the value among those that occur |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dra_conform.cel.values.device import Device, Domains
from dra_conform.cel.values.semantic_version import Semver
from dra_conform.cel.values.value import Value
from dra_conform.kube.quantity import Quantity

DRIVER = "driver"
SHARED = "allowMultipleAllocations"
ATTRIBUTES = "attributes"
CAPACITY = "capacity"

WIDEST = 2**120
"""Quantities from here on, in units of 1e-9, are not kept as Int128."""

_CHUNK = 32_768


@dataclass(frozen=True, slots=True)
class Column:
    """What a column of the frame holds. `values` are those that occur, by code, where the kind has codes."""

    key: str
    kind: str
    values: tuple[Value, ...] | None = None
    bound: int = 0

    def codes(self) -> pl.Expr:
        column = pl.col(self.key)
        return column.to_physical() if self.kind in {"string", "version"} else column


@dataclass(frozen=True, slots=True)
class Columns:
    """The finished columns. `maps` leads from attributes or capacity by domain and name to its kinds."""

    frame: pl.DataFrame
    driver: Column
    shared: Column
    maps: Mapping[str, Mapping[str, Mapping[str, tuple[Column, ...]]]]

    def all(self) -> Iterator[Column]:
        yield self.driver
        yield self.shared
        for domains in self.maps.values():
            for names in domains.values():
                for columns in names.values():
                    yield from columns

    def devices(self, rows: Sequence[int]) -> Iterator[Device]:
        """The devices of some rows, put together again from their columns."""
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
            yield Device(drivers(i), maps[ATTRIBUTES], maps[CAPACITY], shared(i))


def _reader(column: Column, part: pl.DataFrame) -> Callable[[int], Value]:
    cells = part.select(column.codes()).to_series().to_list()
    if column.values is not None:
        values = column.values
        return lambda i: None if cells[i] is None else values[cells[i]]
    if column.kind == "quantity":
        return lambda i: None if cells[i] is None else Quantity.of(cells[i])
    return lambda i: cells[i]


_PLAIN: dict[str, type[pl.DataType]] = {"int": pl.Int64, "bool": pl.Boolean, "quantity": pl.Int128}


class _Growing:
    """One column while devices stream in: cells of the open chunk as Python values, the rest as polars."""

    __slots__ = ("bound", "cells", "codes", "kind", "parts", "start", "values")

    def __init__(self, kind: str, row: int) -> None:
        self.kind = kind
        self.codes: dict[Value, int] | None = None if kind in _PLAIN else {}
        self.values: list[Value] = []
        self.bound = 0
        self.cells: list[Value] = []
        self.parts: list[pl.Series] = []
        self.start = row - row % _CHUNK
        if self.start:
            self.parts.append(pl.Series([None], dtype=self.dtype()).extend_constant(None, self.start - 1))

    def dtype(self) -> type[pl.DataType]:
        return _PLAIN.get(self.kind, pl.UInt32)

    def put(self, place: int, value: Value, key: Value) -> None:
        """The value of the device at a place of the open chunk; `key` tells values of coded kinds apart."""
        cells = self.cells
        if len(cells) < place:
            cells.extend([None] * (place - len(cells)))
        if self.codes is None:
            cells.append(value)
            return
        code = self.codes.get(key)
        if code is None:
            code = self.codes[key] = len(self.values)
            self.values.append(value)
        cells.append(code)

    def close(self, length: int) -> None:
        self.cells.extend([None] * (length - len(self.cells)))
        part = pl.Series(self.cells, dtype=self.dtype())
        if self.kind == "quantity":
            self.bound = max(self.bound, *(abs(c) for c in self.cells if c is not None), 0)
        self.parts.append(part)
        self.cells = []

    def finish(self, key: str) -> tuple[Column, pl.Series]:
        whole = pl.concat(self.parts) if self.parts else pl.Series([], dtype=self.dtype())
        self.parts = []
        if self.codes is None:
            return Column(key, self.kind, None, self.bound), whole.alias(key)
        whole = whole.cast(_smallest(len(self.values)))
        if self.kind in {"string", "version"}:
            whole = whole.cat.to(pl.Enum(list(map(str, self.values))))
        return Column(key, self.kind, tuple(self.values)), whole.alias(key)


def _smallest(count: int) -> type[pl.DataType]:
    return pl.UInt8 if count < 2**8 else pl.UInt16 if count < 2**16 else pl.UInt32


class Builder:
    """Takes devices one by one."""

    def __init__(self) -> None:
        self._row = 0
        self._place = 0
        self._columns: dict[tuple[str, str, str, str], _Growing] = {}
        self._driver = _Growing("string", 0)
        self._shared = _Growing("bool", 0)

    def add(self, device: Device) -> None:
        place = self._place
        self._driver.put(place, device.driver, device.driver)
        self._shared.put(place, device.allow_multiple_allocations, None)
        for domain, attributes in device.attributes.items():
            for name, value in attributes.items():
                kind = _KINDS.get(type(value), "other")
                self._column(ATTRIBUTES, domain, name, kind).put(place, value, _key(value))
        for domain, capacities in device.capacity.items():
            for name, quantity in capacities.items():
                if -WIDEST < quantity.nano < WIDEST:
                    self._column(CAPACITY, domain, name, "quantity").put(place, quantity.nano, None)
                else:
                    self._column(CAPACITY, domain, name, "other").put(place, quantity, quantity)
        self._row += 1
        self._place += 1
        if self._place == _CHUNK:
            self._close()

    def _column(self, top: str, domain: str, name: str, kind: str) -> _Growing:
        column = self._columns.get((top, domain, name, kind))
        if column is None:
            column = self._columns[top, domain, name, kind] = _Growing(kind, self._row)
        return column

    def _close(self) -> None:
        for column in (self._driver, self._shared, *self._columns.values()):
            column.close(self._place)
        self._place = 0

    def finish(self) -> Columns:
        if self._place:
            self._close()
        driver, drivers = self._driver.finish(DRIVER)
        shared, flags = self._shared.finish(SHARED)
        maps: dict[str, dict[str, dict[str, tuple[Column, ...]]]] = {ATTRIBUTES: {}, CAPACITY: {}}
        frame = [drivers, flags]
        for (top, domain, name, kind), growing in self._columns.items():
            column, cells = growing.finish(f"{top[0]}.{domain}/{name}:{kind}")
            frame.append(cells)
            names = maps[top].setdefault(domain, {})
            names[name] = (*names.get(name, ()), column)
        self._columns = {}
        return Columns(pl.DataFrame(frame), driver, shared, maps)


_KINDS: dict[type, str] = {str: "string", int: "int", bool: "bool", Semver: "version"}


def _key(value: Value) -> Value:
    """Python takes `(1,)` and `(True,)` for the same key."""
    return (tuple(map(type, value)), value) if isinstance(value, tuple) else value

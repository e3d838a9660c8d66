"""Builder of the columns of a device table. Devices are added one by one and packed in chunks."""

from __future__ import annotations

import polars as pl

from dra_conform.cel.columns.device_columns import ATTRIBUTES, CAPACITY, DRIVER, SHARED, Column, Columns
from dra_conform.cel.values.device import DeviceView
from dra_conform.cel.values.semantic_version import Semver
from dra_conform.cel.values.value import Value

_WIDEST = 2**120
"""The quantity, in units of 1e-9, from which values do not fit into an Int128 column."""

_CHUNK = 32_768

_PLAIN: dict[str, type[pl.DataType]] = {"int": pl.Int64, "bool": pl.Boolean, "quantity": pl.Int128}


class _Growing:
    """A column under construction: Python values for the current chunk, polars series for earlier chunks."""

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
        """Return the polars type of the cells until the column is finished."""
        return _PLAIN.get(self.kind, pl.UInt32)

    def put(self, place: int, value: Value, key: Value) -> None:
        """Set the value of a row of the current chunk. `key` identifies the value in kinds with codes."""
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
        """Pack the current chunk, of `length` devices, into a polars series."""
        self.cells.extend([None] * (length - len(self.cells)))
        part = pl.Series(self.cells, dtype=self.dtype())
        if self.kind == "quantity":
            self.bound = max(self.bound, *(abs(c) for c in self.cells if c is not None), 0)
        self.parts.append(part)
        self.cells = []

    def finish(self, key: str) -> tuple[Column, pl.Series]:
        """Return the finished column and its cells."""
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


class ColumnBuilder:
    """Builds the columns of devices that are added one by one."""

    def __init__(self) -> None:
        self._row = 0
        self._place = 0
        self._columns: dict[tuple[str, str, str, str], _Growing] = {}
        self._driver = _Growing("string", 0)
        self._shared = _Growing("bool", 0)

    def add(self, device: DeviceView) -> None:
        """Add a device as the next row."""
        place = self._place
        self._driver.put(place, device.driver, device.driver)
        self._shared.put(place, device.allow_multiple_allocations, None)
        for domain, attributes in device.attributes.items():
            for name, value in attributes.items():
                kind = _KINDS.get(type(value), "other")
                self._column(ATTRIBUTES, domain, name, kind).put(place, value, _key(value))
        for domain, capacities in device.capacity.items():
            for name, quantity in capacities.items():
                if -_WIDEST < quantity.nano < _WIDEST:
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
        """Return the columns of all devices, and clear the builder."""
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
    """Return a dict key that is different for `(1,)` and `(True,)`, which are equal in Python."""
    return (tuple(map(type, value)), value) if isinstance(value, tuple) else value

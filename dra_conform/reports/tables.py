"""Tables of exact quantities as CSV, JSON and Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import polars as pl

from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity

Cell = str | bool | Quantity | None

UNITS = pl.Decimal(38, 9)
"""The type of quantities in Parquet, in whole units."""
_LARGEST = 10**38
_FORMULA = r"^[=+\-@\t\r]"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with named columns; a column whose name is in `quantities` has quantities or None."""

    columns: tuple[str, ...]
    quantities: frozenset[str]
    rows: Sequence[tuple[Cell, ...]]

    def csv(self) -> str:
        """Return the table as CSV; quantities are in the notation of Kubernetes.

        A string that a spreadsheet would take for a formula begins with `'`. No name in Kubernetes is such a
        string.
        """
        names = pl.col(pl.String).exclude(*self.quantities).str.replace(_FORMULA, "'${0}")
        return self._texts().with_columns(names).write_csv()

    def objects(self) -> Iterator[dict[str, Json]]:
        """Yield each row as a JSON object; quantities are strings in the notation of Kubernetes."""
        for row in self.rows:
            yield dict(zip(self.columns, map(_plain, row), strict=True))

    def parquet(self) -> bytes:
        """Return the table as Parquet.

        A quantity is a string, and in a second column `NAME_units` a decimal, which is null for more than
        38 digits.
        """
        texts, stream = self._texts(), io.BytesIO()
        units = [
            pl.Series(f"{name}_units", [_units(row[place]) for row in self.rows], dtype=UNITS)
            for place, name in enumerate(self.columns)
            if name in self.quantities
        ]
        texts.with_columns(units).write_parquet(stream)
        return stream.getvalue()

    def _texts(self) -> pl.DataFrame:
        columns = {
            name: pl.Series(name, [_plain(row[place]) for row in self.rows], dtype=self._type(place))
            for place, name in enumerate(self.columns)
        }
        return pl.DataFrame(columns)

    def _type(self, place: int) -> pl.DataType:
        is_bool = any(isinstance(row[place], bool) for row in self.rows[:1])
        return pl.Boolean() if is_bool else pl.String()


def _plain(cell: Cell) -> str | bool | None:
    return str(cell) if isinstance(cell, Quantity) else cell


def _units(cell: Cell) -> Decimal | None:
    if not isinstance(cell, Quantity) or abs(cell.nano) >= _LARGEST:
        return None
    digits = tuple(map(int, str(abs(cell.nano))))
    return Decimal((int(cell.nano < 0), digits, -9))

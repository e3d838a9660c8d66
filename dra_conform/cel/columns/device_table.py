"""Many devices as one table.

A small table keeps the devices themselves; a larger one only their columns, which it fills as the devices
stream in. Polars is imported when the first column is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.device import DeviceView, device_of
from dra_conform.kube import resource
from dra_conform.kube.column_use import ColumnUse

if TYPE_CHECKING:
    from dra_conform.cel.columns.column_builder import ColumnBuilder
    from dra_conform.cel.columns.device_columns import Columns

SMALL = 512
"""The most rows for which walking over the devices is quicker than columns."""


class DeviceTable:
    """Devices by row number, in the order they came in.

    A device with an attribute that has no CEL value is a row too: every selector fails on it with the error
    kept in `errors`.
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
        """Whether the devices themselves are kept, so that walking over them is quicker."""
        return self._kept is not None

    @property
    def errors(self) -> Mapping[int, EvaluationError]:
        """Why the devices of some rows cannot be shown to CEL, by row."""
        return MappingProxyType(self._errors)

    @property
    def columns(self) -> Columns:
        """The table as typed columns; a small table makes them when first asked."""
        if self._columns is None:
            self._columns = _builder(self._kept or []).finish()
        return self._columns

    def device(self, row: int) -> DeviceView:
        """The device of a row, as CEL sees it. Raises EvaluationError if CEL cannot see it."""
        if row in self._errors:
            raise self._errors[row]
        return self._kept[row] if self._kept is not None else next(self.columns.devices((row,)))


def _builder(devices: Iterable[DeviceView]) -> ColumnBuilder:
    from dra_conform.cel.columns.column_builder import ColumnBuilder  # noqa: PLC0415 -- small worlds never pay for importing polars

    builder = ColumnBuilder()
    for device in devices:
        builder.add(device)
    return builder

"""Tables of capacities, evaluated by the scalar rule or, if they are large, over columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dra_conform.capacity.policy import Consumed, consume
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceCapacity
from dra_conform.kube.switches.values import Arithmetic

if TYPE_CHECKING:
    from dra_conform.capacity.policy_columns import PolicyColumns

MIN_COLUMN_ROWS = 512
"""The number of rows from which columns are faster."""


class CapacityTable:
    """Distinct capacities; the consumed capacity of a request is computed for all of them together."""

    def __init__(
        self,
        capacities: Sequence[DeviceCapacity],
        arithmetic: Arithmetic,
        columns: ColumnUse = ColumnUse.BY_SIZE,
    ) -> None:
        self.capacities = tuple(capacities)
        self._use = columns
        self.arithmetic = arithmetic
        self._columns: PolicyColumns | None = None

    def consumed(self, requested: Quantity | None) -> list[int | None]:
        """Return how much of each capacity is consumed, in nano-units, None if its policy rejects the
        request."""
        if self._use.applies(len(self.capacities), MIN_COLUMN_ROWS):
            return self._by_columns(requested)
        return [self._scalar(capacity, requested) for capacity in self.capacities]

    def _scalar(self, capacity: DeviceCapacity, requested: Quantity | None) -> int | None:
        result = consume(capacity, requested, self.arithmetic)
        return result.amount.nano if isinstance(result, Consumed) else None

    def _by_columns(self, requested: Quantity | None) -> list[int | None]:
        from dra_conform.capacity.policy_columns import (  # noqa: PLC0415 -- small worlds never import polars
            ACCEPTED,
            SCALAR,
            PolicyColumns,
        )

        if self._columns is None:
            self._columns = PolicyColumns.of(self.capacities, self.arithmetic)
        nano = None if requested is None else requested.nano
        columns = self._columns
        if not columns.holds(nano):
            columns = PolicyColumns.of(self.capacities, self.arithmetic, wide=True)
        return [
            self._scalar(capacity, requested) if code == SCALAR else amount if code == ACCEPTED else None
            for capacity, (amount, code) in zip(self.capacities, columns.consume_all(nano), strict=True)
        ]

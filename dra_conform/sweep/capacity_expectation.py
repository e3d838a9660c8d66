"""The expected results of rows about capacity, computed for all rows together over polars columns."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from dra_conform.capacity import ERRORS_OF_1_37, Consumed, consume
from dra_conform.capacity.policy import NOT_REPRESENTABLE
from dra_conform.capacity.policy_columns import ACCEPTED, RULES, SCALAR, PolicyColumns
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import Arithmetic
from dra_conform.sweep.capacity_row import Capacity, CapacityRow
from dra_conform.sweep.decision import RowOutcome

OUTCOMES = pl.Enum([outcome.value for outcome in RowOutcome])
WIDTH = pl.Int128


def capacity_columns(rows: Sequence[CapacityRow]) -> tuple[list[Capacity], pl.DataFrame]:
    """Return the distinct capacities of the rows, and the columns of the rows.

    The columns are `which` (the place of the capacity), and in nano-units `value`, `default`, `requested`
    and `held`; `default` and `requested` may be null. `shared` is a boolean.
    """
    places: dict[int, int] = {}
    distinct: list[Capacity] = []
    which = []
    for row in rows:
        place = places.get(id(row.capacity))
        if place is None:
            place = places[id(row.capacity)] = len(distinct)
            distinct.append(row.capacity)
        which.append(place)
    of_capacities = pl.DataFrame(
        {
            "value": pl.Series([capacity.value.nano for capacity in distinct], dtype=WIDTH),
            "default": pl.Series(
                [None if capacity.default is None else capacity.default.nano for capacity in distinct],
                dtype=WIDTH,
            ),
        }
    )
    requested = [None if row.requested is None else row.requested.nano for row in rows]
    held = [sum(share.nano for share in row.held) for row in rows]
    chosen = pl.Series("which", which, dtype=pl.UInt32)
    return distinct, of_capacities[chosen].with_columns(
        chosen,
        pl.Series("requested", requested, dtype=WIDTH),
        pl.Series("held", held, dtype=WIDTH),
        pl.Series("shared", [row.shared for row in rows], dtype=pl.Boolean),
    )


class CapacityExpectation:
    """Expected outcomes and quantities for capacities, in the arithmetic of a profile."""

    def __init__(self, capacities: Sequence[Capacity], profile: Profile) -> None:
        switches = AllocationSwitches.of(profile).capacity
        self._arithmetic: Arithmetic = switches.arithmetic
        self._negative_is_error: bool = switches.negative_is_error
        self._typed = [capacity.typed() for capacity in capacities]
        self._columns = PolicyColumns.of(self._typed, self._arithmetic, wide=True)

    def of(self, columns: pl.DataFrame) -> pl.DataFrame:
        """Return the expected outcomes and consumed nano-units of rows, whose inputs are `capacity_columns`.

        Only accepted rows of shared devices have a quantity. Columns cannot compute some rows that no API
        server admits; the scalar rule decides these.
        """
        ruled = self._columns.consume(columns["which"], columns["requested"]).rename({"amount": "needed"})
        ruled = self._with_scalar_rows(columns, ruled)
        needed = pl.col("needed")
        absent = pl.col("requested").is_null() & (pl.col("rule") == ACCEPTED)
        table = columns.hstack(ruled).with_columns(
            pl.when(absent).then(pl.coalesce("default", "value")).otherwise(needed).alias("needed")
        )
        fits = (pl.col("rule") == ACCEPTED) & (needed + pl.col("held") <= pl.col("value"))
        enough = pl.col("requested").is_null() | (pl.col("requested") <= pl.col("value"))
        is_error = pl.col("rule").is_in(_ERRORS)
        if self._negative_is_error:
            is_error |= (pl.col("requested") < 0).fill_null(value=False)
        accepted = ~is_error & pl.when("shared").then(fits).otherwise(enough)
        outcome = (
            pl.when(is_error)
            .then(_lit(RowOutcome.ERRORED))
            .when(accepted)
            .then(_lit(RowOutcome.ACCEPTED))
            .otherwise(_lit(RowOutcome.REJECTED))
        )
        return table.select(
            outcome.alias("expected"),
            pl.when(accepted & pl.col("shared")).then(needed).alias("expected_nano"),
        )

    def _with_scalar_rows(self, columns: pl.DataFrame, ruled: pl.DataFrame) -> pl.DataFrame:
        indices = (ruled["rule"] == SCALAR).arg_true()
        if not len(indices):
            return ruled
        needed, rules = [], []
        for place, nano in columns.select("which", "requested")[indices].iter_rows():
            requested = None if nano is None else Quantity(nano)
            result = consume(self._typed[place], requested, self._arithmetic)
            needed.append(result.amount.nano if isinstance(result, Consumed) else 0)
            if isinstance(result, Consumed):
                rules.append(ACCEPTED)
            else:
                is_error = self._arithmetic.has_errors and result.rule in ERRORS_OF_1_37
                rules.append(_ERROR if is_error and requested is not None else _VIOLATION)
        return ruled.with_columns(
            ruled["needed"].scatter(indices, pl.Series(needed, dtype=WIDTH)),
            ruled["rule"].scatter(indices, pl.Series(rules, dtype=pl.UInt8)),
        )


_VIOLATION, _ERROR = 253, 254
"""Codes of the column `rule` for violations and errors, in addition to those of `PolicyColumns`."""

_ERRORS = (_ERROR, RULES.index(NOT_REPRESENTABLE))


def _lit(outcome: RowOutcome) -> pl.Expr:
    return pl.lit(outcome.value, dtype=OUTCOMES)

"""The request policy over polars columns, with the same results as `policy.consume`.

There are two widths. Int64 has whole units, and is used if every capacity and request is a whole number of
units. Int128 has nano-units. The scalar rule handles other quantities, and in the narrow width steps of
releases whose arithmetic has errors. Otherwise all variants of `Arithmetic` have equal results for whole
units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from dra_conform.capacity.policy import (
    ABOVE_MAX,
    INVALID_STEP,
    NOT_IN_VALID_VALUES,
    NOT_REPRESENTABLE,
    OFF_STEP,
    Consumed,
    PolicyViolation,
    consume,
)
from dra_conform.kube.quantity import NANO
from dra_conform.kube.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity
from dra_conform.kube.switches.values import Arithmetic

RULES = ("", ABOVE_MAX, NOT_IN_VALID_VALUES, OFF_STEP, INVALID_STEP, NOT_REPRESENTABLE)
"""The rule of each code in the column `rule`."""

ACCEPTED = 0
"""The code of a row that the policy accepts."""

SCALAR = 255
"""The code of a row that only the scalar rule can decide."""

LIMITS = {pl.Int64: 2**62, pl.Int128: 2**120}
"""The exclusive upper bounds of quantities by width, below which rounding cannot overflow."""


@dataclass(frozen=True, slots=True)
class PolicyColumns:
    """The policies of distinct capacities, one row each, in one width.

    `numbers` has the columns absent, min and max in the width, absent_rule, kind, and start, size and unit:
    min and step as whole numbers of `unit`, in which the release rounds. `values` has one column for each
    index of validValues; shorter lists are padded with nulls.
    """

    width: type[pl.Int64] | type[pl.Int128]
    arithmetic: Arithmetic
    numbers: pl.DataFrame
    values: pl.DataFrame

    @staticmethod
    def of(
        capacities: Sequence[DeviceCapacity],
        arithmetic: Arithmetic,
        wide: bool = False,
    ) -> PolicyColumns:
        """Return the columns in Int128 if `wide`, otherwise in the narrowest width that fits all
        quantities."""
        narrow = not wide and all(
            number % NANO == 0 and number // NANO < LIMITS[pl.Int64] for number in _all(capacities)
        )
        width: type[pl.Int64] | type[pl.Int128] = pl.Int64 if narrow else pl.Int128
        unit = _UNITS[width]
        rows = [_row(capacity, arithmetic, unit, LIMITS[width]) for capacity in capacities]
        names = ("absent", "min", "max", "start", "size", "unit")
        numbers = pl.DataFrame(
            [row[:-1] for row in rows],
            schema={**dict.fromkeys(names, width), "absent_rule": pl.UInt8, "kind": pl.UInt8},
            orient="row",
        )
        longest = max((len(row[-1]) for row in rows), default=0)
        values = pl.DataFrame(
            {
                f"v{index}": pl.Series(
                    [row[-1][index] if index < len(row[-1]) else None for row in rows], dtype=width
                )
                for index in range(longest)
            }
        )
        return PolicyColumns(width, arithmetic, numbers, values)

    def holds(self, requested: int | None) -> bool:
        """Whether the width can represent a request in nano-units, as the wide width always can."""
        if requested is None or self.width is pl.Int128:
            return True
        return requested % NANO == 0 and abs(requested) < LIMITS[pl.Int64] * NANO

    def consume_all(self, requested: int | None) -> list[tuple[int, int]]:
        """Return the columns `amount` (nano-units, 0 for a rejected request) and `rule` for one request."""
        count, unit = len(self.numbers), _UNITS[self.width]
        asked = requested
        if requested is not None:
            # A negative number marks a request that is too large for the width, which the scalar rule
            # handles.
            asked = requested // unit if 0 <= requested < LIMITS[self.width] * unit else -1
        result = self.consume(
            pl.Series(range(count), dtype=pl.UInt32), pl.Series([asked] * count, dtype=self.width)
        )
        return [(amount * unit if code == ACCEPTED else 0, code) for amount, code in result.iter_rows()]

    def consume(self, which: pl.Series, requested: pl.Series) -> pl.DataFrame:
        """Return the columns `amount` (in the unit of this width) and `rule` for one request.

        `which` is the row of the capacity. `requested` is null if the capacity is not requested. `amount` is
        undefined if `rule` is not ACCEPTED.
        """
        gathered = self.numbers[which].with_columns(requested.alias("r"), which.alias("which"))
        kinds = set(self.numbers["kind"].unique())
        asked, low = pl.col("r"), pl.col("min")
        steps = ("start", "size", "unit") if _STEPPED in kinds else ()
        result = gathered.select(
            pl.when(asked.is_null())
            .then("absent")
            .when(asked < low)
            .then(low)
            .otherwise(asked)
            .alias("amount"),
            self._rule(kinds).alias("rule"),
            "r",
            "min",
            "max",
            "which",
            "kind",
            *steps,
        )
        if steps:
            result = self._stepped(result)
        if _VALUES in kinds:
            result = self._listed(result)
        over = (pl.col("amount") > pl.col("max")) & pl.col("r").is_not_null() & (pl.col("rule") == ACCEPTED)
        code = pl.lit(RULES.index(ABOVE_MAX), dtype=pl.UInt8)
        return result.select("amount", pl.when(over).then(code).otherwise("rule").alias("rule"))

    def _stepped(self, result: pl.DataFrame) -> pl.DataFrame:
        """Round the requests that are not below min; a lower request consumes min exactly."""
        indices = ((result["kind"] == _STEPPED) & (result["r"] >= result["min"])).arg_true()
        rows = result.select("r", "start", "size", "unit", "rule")[indices]
        asked, start, size, unit = pl.col("r"), pl.col("start"), pl.col("size"), pl.col("unit")
        in_units = self.width is pl.Int128 and self.arithmetic is not Arithmetic.EXACT
        if in_units:
            rows = rows.with_columns(((asked + (unit - 1)) // unit).alias("asked"))
            asked = pl.col("asked")
        rows = rows.with_columns((start + (asked - start + (size - 1)) // size * size).alias("rounded"))
        rounded = pl.col("rounded")
        amounts = rows.select(rounded * unit if in_units else rounded)["rounded"]
        columns = [result["amount"].scatter(indices, amounts)]
        if self.arithmetic.has_errors:
            rules = rows.select(_or_not_representable(asked, rounded, unit))["rule"]
            columns.append(result["rule"].scatter(indices, rules))
        return result.with_columns(columns)

    def _rule(self, kinds: set[int]) -> pl.Expr:
        rule = (
            pl.when(pl.col("r").is_null())
            .then(pl.col("absent_rule"))
            .otherwise(pl.lit(ACCEPTED, dtype=pl.UInt8))
        )
        bad = (pl.col("r") < 0) | (pl.col("r") >= pl.lit(LIMITS[self.width], dtype=self.width))
        if _SCALAR_ONLY in kinds:
            bad |= pl.col("kind") == _SCALAR_ONLY
        return pl.when(bad).then(pl.lit(SCALAR, dtype=pl.UInt8)).otherwise(rule)

    def _listed(self, result: pl.DataFrame) -> pl.DataFrame:
        indices = (
            (result["kind"] == _VALUES) & result["r"].is_not_null() & (result["rule"] == ACCEPTED)
        ).arg_true()
        asked, which = result["r"][indices], result["which"][indices]
        chosen_expr: pl.Expr = pl.lit(None, dtype=self.width)
        for name in reversed(self.values.columns):
            chosen_expr = pl.when(pl.col(name) >= asked).then(pl.col(name)).otherwise(chosen_expr)
        chosen = self.values[which].select(chosen_expr.alias("chosen"))["chosen"]
        rejected = chosen.is_null().cast(pl.UInt8) * RULES.index(NOT_IN_VALID_VALUES)
        return result.with_columns(
            result["amount"].scatter(indices, chosen.fill_null(0)), result["rule"].scatter(indices, rejected)
        )


_MILLI = 10**6
_MAX = 2**63 - 1

_UNITS = {pl.Int64: NANO, pl.Int128: 1}
"""The unit of each width in nano-units."""

_PLAIN, _RANGE, _STEPPED, _VALUES, _SCALAR_ONLY = range(5)

_Row = tuple[int | None, int, int, int, int, int, int, int, tuple[int, ...]]


def _all(capacities: Sequence[DeviceCapacity]) -> set[int]:
    return {number for capacity in capacities for number in _numbers(capacity)}


def _numbers(capacity: DeviceCapacity) -> list[int]:
    quantities, policy = [capacity.value], capacity.request_policy
    if policy is not None:
        quantities += policy.valid_values
        quantities += [policy.default] if policy.default is not None else []
        valid = policy.valid_range
        if valid is not None:
            quantities += [bound for bound in (valid.min, valid.max, valid.step) if bound is not None]
    return [quantity.nano for quantity in quantities]


def _row(capacity: DeviceCapacity, arithmetic: Arithmetic, unit: int, limit: int) -> _Row:
    absent = consume(capacity, None, arithmetic)
    if _needs_scalar_rule(capacity, arithmetic, unit) or not all(
        0 <= number < limit * unit and number % unit == 0 for number in _numbers(capacity)
    ):
        return (None, 0, limit, 0, 1, 1, SCALAR, _SCALAR_ONLY, ())
    kind, policy = _PLAIN, capacity.request_policy
    low, step, high, step_unit = 0, unit, limit * unit, unit
    values: tuple[int, ...] = ()
    if policy is not None and policy.valid_range is not None:
        valid = policy.valid_range
        kind = _STEPPED if valid.step is not None else _RANGE
        low = valid.min.nano if valid.min is not None else low
        step = valid.step.nano if valid.step is not None else step
        if valid.step is not None:
            step_unit = _step_unit(valid, arithmetic, unit)
        high = valid.max.nano if valid.max is not None else high
    elif policy is not None and policy.valid_values:
        kind, values = _VALUES, tuple(value.nano // unit for value in policy.valid_values)
    rule = ACCEPTED if isinstance(absent, Consumed) else RULES.index(absent.rule)
    amount = absent.amount.nano // unit if isinstance(absent, Consumed) else 0
    start, size = (-(-number // step_unit) for number in (low, step))
    return (amount, low // unit, high // unit, start, size, step_unit // unit, rule, kind, values)


def _step_unit(valid: CapacityRequestPolicyRange, arithmetic: Arithmetic, unit: int) -> int:
    """Return the unit in nano-units in which a range is rounded: that of the column, or that of the release
    if it is larger."""
    if arithmetic is Arithmetic.EXACT or unit == NANO:
        return unit
    bounds = [bound.nano for bound in (valid.min, valid.step, valid.max) if bound is not None]
    fits_milli = all(bound % _MILLI == 0 and bound <= _MAX * _MILLI for bound in bounds)
    return _MILLI if arithmetic is Arithmetic.MILLI and fits_milli else NANO


def _or_not_representable(asked: pl.Expr, rounded: pl.Expr, unit: pl.Expr) -> pl.Expr:
    """Return the column `rule`, with the code of requests that Kubernetes 1.37 cannot round in 64 bits.

    `asked` and `rounded` are whole numbers of `unit`.
    """
    most = _lit(_MAX)
    fraction = (unit == _lit(_MILLI)) & (asked * unit != pl.col("r"))
    error = fraction | (asked > most) | (rounded > most)
    code = pl.lit(RULES.index(NOT_REPRESENTABLE), dtype=pl.UInt8)
    return pl.when(error & (pl.col("rule") == ACCEPTED)).then(code).otherwise("rule").alias("rule")


def _needs_scalar_rule(capacity: DeviceCapacity, arithmetic: Arithmetic, unit: int) -> bool:
    """Whether a policy is invalid in the API, or depends on notation or, in whole units, on 64-bit limits."""
    policy = capacity.request_policy
    if policy is None:
        return False
    valid = policy.valid_range
    if valid is not None and (
        policy.valid_values or (valid.step is not None and (valid.step.nano <= 0 or valid.min is None))
    ):
        return True
    if unit == NANO and arithmetic.has_errors and valid is not None and valid.step is not None:
        return True  # The 64-bit limits of 1.37 are those of milli-units.
    return arithmetic is not Arithmetic.EXACT and _default_breaks_policy(policy, arithmetic)


def _lit(number: int) -> pl.Expr:
    return pl.lit(number, dtype=pl.Int128)


def _default_breaks_policy(policy: CapacityRequestPolicy, arithmetic: Arithmetic) -> bool:
    if policy.default is None:
        return False
    bare = DeviceCapacity(
        value=policy.default,
        request_policy=CapacityRequestPolicy(
            valid_values=policy.valid_values, valid_range=policy.valid_range
        ),
    )
    return isinstance(consume(bare, None, arithmetic), PolicyViolation)

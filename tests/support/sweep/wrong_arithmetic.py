"""Faulty arithmetic of request policies, as replacements of the rule for one capacity."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.capacity import Consumed, PolicyViolation, consume
from dra_conform.capacity.policy import ABOVE_MAX, NOT_IN_VALID_VALUES
from dra_conform.kube.quantity import NANO, Format, Quantity
from dra_conform.kube.resource import CapacityRequestPolicyRange, DeviceCapacity
from dra_conform.kube.switches.values import Arithmetic

Result = Consumed | PolicyViolation
Rule = Callable[[DeviceCapacity, Quantity | None, Arithmetic], Result]
MILLI = 10**6


Cell = tuple[str, str, str]
"""A factor, one of its classes, and a policy class."""


@dataclass(frozen=True)
class WrongArithmetic:
    """A faulty rule in an area; `wrong` is a cell in which rows differ, and `right` one in which none does."""

    rule: Rule
    wrong: Cell
    right: Cell
    area: str


def _wrong(rule: Rule, wrong: Cell, right: Cell, area: str = "rounding") -> WrongArithmetic:
    return WrongArithmetic(rule, wrong, right, area)


def of_amount(change: Callable[[int], int]) -> Rule:
    """Return the rule that changes each consumed quantity, in nano-units."""

    def rule(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> Result:
        result = consume(capacity, requested, arithmetic)
        return Consumed(Quantity(change(result.amount.nano))) if isinstance(result, Consumed) else result

    return rule


def of_request(change: Callable[[int], int]) -> Rule:
    """Return the rule that reads each request wrongly, in nano-units."""

    def rule(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> Result:
        read = None if requested is None else Quantity(change(requested.nano), requested.format)
        return consume(capacity, read, arithmetic)

    return rule


def of_range(change: Callable[[CapacityRequestPolicyRange, int], int | None]) -> Rule:
    """Return the rule that consumes what `change` returns for a range with a step; None rejects."""

    def rule(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> Result:
        policy = capacity.request_policy
        valid = None if policy is None else policy.valid_range
        if requested is None or valid is None or valid.step is None:
            return consume(capacity, requested, arithmetic)
        nano = change(valid, requested.nano)
        return PolicyViolation(ABOVE_MAX, "wrong") if nano is None else Consumed(Quantity(nano))

    return rule


def of_values(change: Callable[[list[int], int], int | None]) -> Rule:
    """Return the rule that chooses a valid value wrongly; None rejects."""

    def rule(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> Result:
        policy = capacity.request_policy
        if requested is None or policy is None or not policy.valid_values:
            return consume(capacity, requested, arithmetic)
        nano = change([value.nano for value in policy.valid_values], requested.nano)
        return PolicyViolation(NOT_IN_VALID_VALUES, "wrong") if nano is None else Consumed(Quantity(nano))

    return rule


def bounds(valid: CapacityRequestPolicyRange) -> tuple[int, int, int]:
    """Return min, step and max of a range with a step, in nano-units."""
    assert valid.min is not None
    assert valid.step is not None
    return valid.min.nano, valid.step.nano, 2**200 if valid.max is None else valid.max.nano


def stepped(valid: CapacityRequestPolicyRange, asked: int, *, up: Callable[[int, int], int]) -> int | None:
    """Round a request with another division `up`, and reject it above max."""
    low, step, high = bounds(valid)
    rounded = low if asked < low else low + up(asked - low, step) * step
    return None if rounded > high else rounded


def wrapped(bits: int, *, signed: bool) -> Callable[[int], int]:
    """Return the function that wraps whole units around."""

    def change(nano: int) -> int:
        whole, rest = divmod(nano, NANO)
        whole %= 1 << bits
        return (whole - (1 << bits) if signed and whole >= 1 << bits - 1 else whole) * NANO + rest

    return change


def saturated(limit: int) -> Callable[[int], int]:
    """Return the function that ends at a number of whole units."""
    return lambda nano: min(nano, limit * NANO)


def as_double(nano: int) -> int:
    """Return a quantity after the conversion to a double and back."""
    return round(nano / NANO) * NANO if nano >= 2**53 * NANO else nano


def as_single(nano: int) -> int:
    """Return a quantity after the conversion of its units to a single and back."""
    units: tuple[float] = struct.unpack("f", struct.pack("f", nano / NANO))
    return int(units[0] * NANO)


def without_zeros(nano: int) -> int:
    """Return a quantity as if `1000E` were `1`."""
    return Quantity(nano, Format.DECIMAL_SI).as_written_by_go().nano


def default_is_min(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> Result:
    """Consume min instead of the default."""
    policy = capacity.request_policy
    valid = None if policy is None else policy.valid_range
    if requested is None and valid is not None and valid.min is not None:
        return Consumed(valid.min)
    return consume(capacity, requested, arithmetic)


def default_ignored(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> Result:
    """Consume the whole capacity instead of the default."""
    return Consumed(capacity.value) if requested is None else consume(capacity, requested, arithmetic)


def zero_is_unset(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> Result:
    """Read an explicit zero as no request."""
    return consume(capacity, requested or None, arithmetic)


def below_min_rejected(
    capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic
) -> Result:
    """Reject a request below min."""
    policy = capacity.request_policy
    valid = None if policy is None else policy.valid_range
    if requested is not None and valid is not None and valid.min is not None and requested < valid.min:
        return PolicyViolation(ABOVE_MAX, "wrong")
    return consume(capacity, requested, arithmetic)


def at_max(offset: int) -> Rule:
    """Return the rule that compares with max plus an offset in nano-units."""

    def rule(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> Result:
        policy = capacity.request_policy
        valid = None if policy is None else policy.valid_range
        if requested is None or valid is None or valid.max is None or valid.step is not None:
            return consume(capacity, requested, arithmetic)
        assert valid.min is not None
        amount = max(requested, valid.min)
        return (
            PolicyViolation(ABOVE_MAX, "wrong") if amount.nano > valid.max.nano + offset else Consumed(amount)
        )

    return rule


def _from_zero(valid: CapacityRequestPolicyRange, asked: int) -> int | None:
    low, step, high = bounds(valid)
    rounded = max(low, -(-asked // step) * step)
    return None if rounded > high else rounded


def _cut_to_capacity(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> Result:
    result = consume(capacity, requested, arithmetic)
    return Consumed(min(result.amount, capacity.value)) if isinstance(result, Consumed) else result


def _next_step(valid: CapacityRequestPolicyRange, asked: int) -> int | None:
    return stepped(valid, asked, up=lambda part, step: part // step + 1)


def _half_up(valid: CapacityRequestPolicyRange, asked: int) -> int | None:
    return stepped(valid, asked, up=lambda part, step: (2 * part + step) // (2 * step))


def _down(valid: CapacityRequestPolicyRange, asked: int) -> int | None:
    return stepped(valid, asked, up=lambda part, step: part // step)


def _without_step(valid: CapacityRequestPolicyRange, asked: int) -> int | None:
    low, _, high = bounds(valid)
    return None if asked > high else max(asked, low)


def _larger(values: list[int], asked: int) -> int | None:
    return min((value for value in values if value > asked), default=None)


def _not_larger(values: list[int], asked: int) -> int | None:
    return max((value for value in values if value <= asked), default=None)


def _or_largest(values: list[int], asked: int) -> int | None:
    return min((value for value in values if value >= asked), default=max(values))


def _milli_as_units(nano: int) -> int:
    return nano * 1000 if nano % MILLI == 0 and nano % NANO else nano


def _kilo_as_kibi(nano: int) -> int:
    return nano * 1024 // 1000 if nano % (1000 * NANO) == 0 else nano


MIN, STEP, STEP_MAX, RANGE, VALUES = "min", "min, step", "min, step, max", "min, max", "three values"
NONE, DEFAULT, ONE_VALUE, STEP_3 = "no policy", "default", "one value", "min, step 3, max"

SCALE, REQUEST = "scale", "request"
WRONG: dict[str, WrongArithmetic] = {
    "32 bits, signed": _wrong(of_amount(wrapped(32, signed=True)), (SCALE, "2^31", DEFAULT), (REQUEST, "1", NONE)),
    "32 bits, unsigned": _wrong(of_amount(wrapped(32, signed=False)), (SCALE, "2^32", MIN), (REQUEST, "1", NONE)),
    "ends at 2^31-1": _wrong(of_amount(saturated(2**31 - 1)), (SCALE, "2^31", STEP), (SCALE, "1k", STEP)),
    "ends at 2^32-1": _wrong(of_amount(saturated(2**32 - 1)), (SCALE, "2^32", STEP), (SCALE, "1k", STEP)),
    "64 bits, signed": _wrong(of_amount(wrapped(64, signed=True)), (SCALE, "2^63", MIN), (REQUEST, "1", NONE)),
    "64 bits, unsigned": _wrong(of_amount(wrapped(64, signed=False)), (SCALE, "2^64", MIN), (REQUEST, "1", NONE)),
    "ends at 2^63-1": _wrong(of_amount(saturated(2**63 - 1)), (SCALE, "2^64", ONE_VALUE), (SCALE, "2^53", VALUES)),
    "ends at 2^64-1": _wrong(of_amount(saturated(2**64 - 1)), (SCALE, "2^64", VALUES), (SCALE, "2^53", VALUES)),
    "double": _wrong(of_amount(as_double), (SCALE, "2^53+1", "min 0, step"), (SCALE, "2^53", "min 0, step")),
    "single": _wrong(of_amount(as_single), (SCALE, "2^31+1", DEFAULT), (SCALE, "1k", VALUES)),
    "fraction cut off": _wrong(of_amount(lambda nano: nano - nano % NANO), (SCALE, "1n", NONE), (REQUEST, "2^31", NONE)),
    "milli-units cut off": _wrong(of_amount(lambda nano: nano - nano % MILLI), (SCALE, "1n", NONE), (REQUEST, "2^31", NONE)),
    "rounded up to units": _wrong(of_amount(lambda nano: -(-nano // NANO) * NANO), (SCALE, "1m", DEFAULT), (REQUEST, "2^31", NONE)),
    "rounded up to milli-units": _wrong(of_amount(lambda nano: -(-nano // MILLI) * MILLI), (SCALE, "1n", NONE), (REQUEST, "2^31", NONE)),
    "1000E is 1": _wrong(of_amount(without_zeros), (SCALE, "1000E", MIN), (REQUEST, "1", NONE)),
    "step rounds half up": _wrong(of_range(_half_up), (REQUEST, "min+1n", STEP), (REQUEST, "min", STEP)),
    "step rounds down": _wrong(of_range(_down), (REQUEST, "one step-1n", STEP), (REQUEST, "one step", STEP)),
    "steps count from zero": _wrong(of_range(_from_zero), (REQUEST, "min+1", STEP_3), (REQUEST, "min", STEP)),
    "one step more on a step": _wrong(of_range(_next_step), (REQUEST, "min", STEP_MAX), (REQUEST, "min-1n", STEP_MAX)),
    "step ignored": _wrong(of_range(_without_step), (REQUEST, "min+1", STEP_3), (REQUEST, "min", STEP_3)),
    "cut to the capacity": _wrong(_cut_to_capacity, (REQUEST, "capacity+1n", NONE), (REQUEST, "capacity", NONE)),
    "below min is rejected": _wrong(below_min_rejected, (REQUEST, "0", STEP_3), (REQUEST, "min", RANGE)),
    "max is exclusive": _wrong(at_max(-1), (REQUEST, "max", RANGE), (REQUEST, "max-1n", RANGE)),
    "max is one nano-unit larger": _wrong(at_max(1), (REQUEST, "max+1n", RANGE), (REQUEST, "max", RANGE)),
    "values are exclusive": _wrong(of_values(_larger), (REQUEST, "value 1", VALUES), (REQUEST, "value 1-1n", VALUES)),
    "values round down": _wrong(of_values(_not_larger), (REQUEST, "value 1+1n", VALUES), (REQUEST, "value 1", VALUES)),
    "above all values is the largest": _wrong(of_values(_or_largest), (REQUEST, "value 3+1n", VALUES), (REQUEST, "value 3", VALUES)),
    "zero is unset": _wrong(zero_is_unset, (REQUEST, "0", NONE), (REQUEST, "1n", NONE)),
    "suffix m is ignored": _wrong(of_request(_milli_as_units), (REQUEST, "1500m", NONE), (REQUEST, "1", NONE)),
    "1k is 1024": _wrong(of_request(_kilo_as_kibi), (REQUEST, "default", DEFAULT), (SCALE, "1m", DEFAULT)),
    "default is min": _wrong(default_is_min, (REQUEST, "unset", MIN), (REQUEST, "unset", DEFAULT), "defaults"),
    "default is the capacity": _wrong(default_ignored, (REQUEST, "unset", ONE_VALUE), (REQUEST, "unset", NONE), "defaults"),
}  # fmt: skip
"""Faulty rules by name."""

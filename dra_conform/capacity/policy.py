"""The request policy of KEP-5075 for one capacity of one device."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import NANO, Format, Quantity
from dra_conform.kube.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity

ABOVE_MAX = "above-max"
NOT_IN_VALID_VALUES = "not-in-valid-values"
OFF_STEP = "off-step"
INVALID_STEP = "invalid-step"
NEGATIVE = "negative"
NOT_REPRESENTABLE = "not-representable"
"""The release cannot compute with the amount."""
ERRORS_OF_1_37 = frozenset({NEGATIVE, NOT_REPRESENTABLE})
"""What 1.37 takes for an error, not for a refusal of the device."""

_MILLI = 10**6
_MAX = 2**63 - 1


class Arithmetic(StrEnum):
    """How a range with a step rounds.

    `exact` is the formula of KEP-5075 on exact quantities. `whole` is what releases up to 1.36 do: every
    operand is first rounded away from zero to whole units (KEP-5075/rounding/fractional-step). `milli` is
    1.37: 64-bit thousandths where the range allows them, else whole units; amounts beyond are an error.
    `units` is 1.37 without DRAFractionalCapacityRange: whole units, and the same error.
    """

    EXACT = "exact"
    WHOLE = "whole"
    UNITS = "units"
    MILLI = "milli"

    @staticmethod
    def of(profile: Profile) -> Arithmetic:
        """The arithmetic of a profile; since 1.37 it hangs on the gate DRAFractionalCapacityRange."""
        if profile.release is None:
            return Arithmetic.EXACT
        if profile.before("1.37"):
            return Arithmetic.WHOLE
        return Arithmetic.MILLI if profile.enabled("DRAFractionalCapacityRange") else Arithmetic.UNITS

    @property
    def has_errors(self) -> bool:
        """Whether an amount that cannot be computed with is an error (`ERRORS_OF_1_37`)."""
        return self in (Arithmetic.MILLI, Arithmetic.UNITS)


@dataclass(frozen=True, slots=True)
class Consumed:
    """The policy accepts; this much is consumed. Whether so much is left is another question."""

    amount: Quantity


@dataclass(frozen=True, slots=True)
class Violation:
    """The policy refuses, so the device cannot serve the request. `rule` is one of the constants above."""

    rule: str
    message: str


def consume(
    capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic
) -> Consumed | Violation:
    """What a request consumes of a capacity; `requested` is None where the request does not name it.

    KEP-5075/rounding/* and KEP-5075/default/*. An explicit zero is a request. Nothing is ever clipped. A
    negative amount is none (KEP-5075/capacity-accounting/sum-within-value); releases before 1.37 give it.
    """
    found = _by_policy(capacity, requested, arithmetic)
    if isinstance(found, Consumed) and found.amount.nano < 0 and arithmetic is not Arithmetic.WHOLE:
        return Violation(NEGATIVE, f"{_story(requested, found.amount)} is negative")
    return found


def _by_policy(
    capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic
) -> Consumed | Violation:
    policy = capacity.request_policy
    if requested is None:
        if policy is not None and policy.default is not None:
            return Consumed(policy.default)
        amount = capacity.value
    else:
        amount = requested
        if policy is not None:
            if policy.valid_range is not None:
                stepped = _into_range(policy.valid_range, requested, arithmetic)
                if isinstance(stepped, Violation):
                    return stepped
                amount = stepped
            elif policy.valid_values:
                amount = _into_values(policy.valid_values, requested)
    return (_refusal(policy, requested, amount, arithmetic) if policy is not None else None) or Consumed(
        amount
    )


def _into_range(
    valid: CapacityRequestPolicyRange, requested: Quantity, arithmetic: Arithmetic
) -> Quantity | Violation:
    minimum, step = valid.min, valid.step
    if minimum is None:
        return requested
    if requested.nano < minimum.nano:
        return minimum
    if step is None:
        return requested
    if arithmetic.has_errors:
        milli = arithmetic is Arithmetic.MILLI and _in_milli(valid)
        return _into_64_bits(minimum, step, requested, milli=milli)
    if arithmetic is Arithmetic.EXACT:
        if step.nano <= 0:
            return Violation(INVALID_STEP, f"step {step} is not above zero")
        count = -((minimum.nano - requested.nano) // step.nano)
        return Quantity(minimum.nano + count * step.nano, requested.format)
    unit = step.value()
    if unit <= 0:
        return Violation(INVALID_STEP, f"step {step} is not above zero")
    start = minimum.value()
    count = -((start - requested.value()) // unit)
    return Quantity.whole(start + count * unit, Format.BINARY_SI)


def _into_64_bits(
    minimum: Quantity, step: Quantity, requested: Quantity, *, milli: bool
) -> Quantity | Violation:
    unit = _MILLI if milli else NANO
    if not _representable(requested) if milli else requested.nano > _MAX * NANO:
        kind = "whole number of thousandths" if milli else "number of units"
        return Violation(NOT_REPRESENTABLE, f"requested {requested} is no {kind} in 64 bits")
    start, size, asked = (-(-one.nano // unit) for one in (minimum, step, requested))
    if size <= 0:
        return Violation(INVALID_STEP, f"step {step} is not above zero")
    rounded = start - ((start - asked) // size) * size
    if rounded > _MAX:
        return Violation(NOT_REPRESENTABLE, f"requested {requested}, rounded up, does not fit into 64 bits")
    return Quantity(rounded * unit, step.format)


def _in_milli(valid: CapacityRequestPolicyRange) -> bool:
    """Whether 1.37 counts a range in thousandths: where all of its amounts are whole numbers of them."""
    bounds = [one for one in (valid.min, valid.max, valid.step) if one is not None]
    return all(_representable(one) for one in bounds) and valid.step is not None and valid.step.nano >= _MILLI


def _representable(amount: Quantity) -> bool:
    return amount.nano % _MILLI == 0 and abs(amount.nano // _MILLI) <= _MAX


def _into_values(values: tuple[Quantity, ...], requested: Quantity) -> Quantity:
    # The API has them ascending; the first that suffices is then the smallest.
    return next((value for value in values if value.nano >= requested.nano), requested)


def _refusal(
    policy: CapacityRequestPolicy, requested: Quantity | None, amount: Quantity, arithmetic: Arithmetic
) -> Violation | None:
    default = policy.default
    if (
        arithmetic is not Arithmetic.EXACT
        and default is not None
        and amount == default
        and amount.format is default.format
    ):
        return None  # releases trust the default, even where it breaks its own range
    valid = policy.valid_range
    if valid is not None:
        if valid.max is not None and amount.nano > valid.max.nano:
            return Violation(ABOVE_MAX, f"{_story(requested, amount)} is above max {valid.max}")
        if valid.step is not None and not _on_step(valid, amount, arithmetic):
            return Violation(
                OFF_STEP, f"{_story(requested, amount)} is not min {valid.min} plus steps of {valid.step}"
            )
    elif policy.valid_values and amount not in policy.valid_values:
        listed = ", ".join(str(value) for value in policy.valid_values)
        return Violation(
            NOT_IN_VALID_VALUES, f"{_story(requested, amount)} is above all valid values {listed}"
        )
    return None


def _on_step(valid: CapacityRequestPolicyRange, amount: Quantity, arithmetic: Arithmetic) -> bool:
    minimum, step = valid.min, valid.step
    if minimum is None or step is None:
        return False
    if arithmetic is Arithmetic.EXACT or (arithmetic is Arithmetic.MILLI and _in_milli(valid)):
        return step.nano > 0 and (amount.nano - minimum.nano) % step.nano == 0
    unit = step.value()
    return unit > 0 and (amount.value() - minimum.value()) % unit == 0


def _story(requested: Quantity | None, amount: Quantity) -> str:
    if requested is None:
        return f"the full value {amount}"
    return f"{requested}" if requested == amount else f"{requested}, rounded up to {amount},"

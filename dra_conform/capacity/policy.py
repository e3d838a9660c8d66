"""The request policy (KEP-5075) for one capacity of one device."""

from __future__ import annotations

import msgspec

from dra_conform.kube.quantity import NANO, Format, Quantity
from dra_conform.kube.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity
from dra_conform.kube.switches.values import Arithmetic

ABOVE_MAX = "above-max"
NOT_IN_VALID_VALUES = "not-in-valid-values"
OFF_STEP = "off-step"
INVALID_STEP = "invalid-step"
NEGATIVE = "negative"
NOT_REPRESENTABLE = "not-representable"
"""The release cannot compute with the requested quantity."""
ERRORS_OF_1_37 = frozenset({NEGATIVE, NOT_REPRESENTABLE})
"""The rules whose violation is an error in 1.37, instead of making only the device ineligible."""

_MILLI = 10**6
_MAX = 2**63 - 1


class Consumed(msgspec.Struct, frozen=True):
    """The consumed quantity of an accepted request; the remaining capacity may still be too small."""

    amount: Quantity


class PolicyViolation(msgspec.Struct, frozen=True):
    """A violation of the policy, so that the device is ineligible; `rule` is one of the constants above."""

    rule: str
    message: str


def consume(
    capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic
) -> Consumed | PolicyViolation:
    """Return the capacity that a request consumes (KEP-5075/rounding/*, KEP-5075/default/*).

    `requested` is None if the request does not name the capacity; an explicit zero is a request. A quantity
    is never reduced. A negative quantity is a violation (KEP-5075/capacity-accounting/sum-within-value),
    except in Kubernetes before 1.37.
    """
    result = _by_policy(capacity, requested, arithmetic)
    if isinstance(result, Consumed) and result.amount.nano < 0 and arithmetic is not Arithmetic.WHOLE:
        return PolicyViolation(NEGATIVE, f"{_describe(requested, result.amount)} is negative")
    return result


def _by_policy(
    capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic
) -> Consumed | PolicyViolation:
    policy = capacity.request_policy
    if requested is None:
        if policy is not None and policy.default is not None:
            return Consumed(policy.default)
        amount = capacity.value
    else:
        amount = requested
        if policy is not None:
            if policy.valid_range is not None:
                stepped = _round_to_range(policy.valid_range, requested, arithmetic)
                if isinstance(stepped, PolicyViolation):
                    return stepped
                amount = stepped
            elif policy.valid_values:
                amount = _round_to_values(policy.valid_values, requested)
    return (_violation(policy, requested, amount, arithmetic) if policy is not None else None) or Consumed(
        amount
    )


def _round_to_range(
    valid: CapacityRequestPolicyRange, requested: Quantity, arithmetic: Arithmetic
) -> Quantity | PolicyViolation:
    minimum, step = valid.min, valid.step
    if minimum is None:
        return requested
    if requested.nano < minimum.nano:
        return minimum
    if step is None:
        return requested
    if arithmetic.has_errors:
        milli = arithmetic is Arithmetic.MILLI and _in_milli(valid)
        return _round_in_64_bits(minimum, step, requested, milli=milli)
    if arithmetic is Arithmetic.EXACT:
        if step.nano <= 0:
            return PolicyViolation(INVALID_STEP, f"step {step} is not positive")
        count = -((minimum.nano - requested.nano) // step.nano)
        return Quantity(minimum.nano + count * step.nano, requested.format)
    unit = step.value()
    if unit <= 0:
        return PolicyViolation(INVALID_STEP, f"step {step} is not positive")
    start = minimum.value()
    count = -((start - requested.value()) // unit)
    return Quantity.whole(start + count * unit, Format.BINARY_SI)


def _round_in_64_bits(
    minimum: Quantity, step: Quantity, requested: Quantity, *, milli: bool
) -> Quantity | PolicyViolation:
    unit = _MILLI if milli else NANO
    if not _representable(requested) if milli else requested.nano > _MAX * NANO:
        unit_name = "milli-units" if milli else "whole units"
        return PolicyViolation(
            NOT_REPRESENTABLE, f"requested {requested} cannot be represented in 64-bit {unit_name}"
        )
    start, size, asked = (-(-quantity.nano // unit) for quantity in (minimum, step, requested))
    if size <= 0:
        return PolicyViolation(INVALID_STEP, f"step {step} is not positive")
    rounded = start - ((start - asked) // size) * size
    if rounded > _MAX:
        return PolicyViolation(
            NOT_REPRESENTABLE, f"requested {requested}, rounded up, does not fit into 64 bits"
        )
    return Quantity(rounded * unit, step.format)


def _in_milli(valid: CapacityRequestPolicyRange) -> bool:
    """Whether 1.37 computes a range in milli-units: only if all its bounds are multiples of a milli-unit."""
    bounds = [bound for bound in (valid.min, valid.max, valid.step) if bound is not None]
    return (
        all(_representable(bound) for bound in bounds)
        and valid.step is not None
        and valid.step.nano >= _MILLI
    )


def _representable(quantity: Quantity) -> bool:
    return quantity.nano % _MILLI == 0 and abs(quantity.nano // _MILLI) <= _MAX


def _round_to_values(values: tuple[Quantity, ...], requested: Quantity) -> Quantity:
    # The API requires ascending order, so the first sufficient value is the smallest.
    return next((value for value in values if value.nano >= requested.nano), requested)


def _violation(
    policy: CapacityRequestPolicy, requested: Quantity | None, amount: Quantity, arithmetic: Arithmetic
) -> PolicyViolation | None:
    default = policy.default
    if (
        arithmetic is not Arithmetic.EXACT
        and default is not None
        and amount == default
        and amount.format is default.format
    ):
        return None  # Releases accept the default even if it violates its own range.
    valid = policy.valid_range
    if valid is not None:
        if valid.max is not None and amount.nano > valid.max.nano:
            return PolicyViolation(ABOVE_MAX, f"{_describe(requested, amount)} is above max {valid.max}")
        if valid.step is not None and not _on_step(valid, amount, arithmetic):
            return PolicyViolation(
                OFF_STEP, f"{_describe(requested, amount)} is not min {valid.min} plus steps of {valid.step}"
            )
    elif policy.valid_values and amount not in policy.valid_values:
        listed = ", ".join(str(value) for value in policy.valid_values)
        return PolicyViolation(
            NOT_IN_VALID_VALUES, f"{_describe(requested, amount)} is above all valid values {listed}"
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


def _describe(requested: Quantity | None, amount: Quantity) -> str:
    if requested is None:
        return f"the full value {amount}"
    return f"{requested}" if requested == amount else f"{requested}, rounded up to {amount},"

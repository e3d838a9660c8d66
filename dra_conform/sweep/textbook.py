"""An independent implementation of the arithmetic of KEP-5075, in fractions and for one row at a time.

It shares nothing with the columns and the scalar rules, and is compared with both on a sample of each sweep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil

from dra_conform.sweep.capacity_row import Capacity
from dra_conform.sweep.quantities import NANO, WrittenQuantity


@dataclass(frozen=True, slots=True)
class TextbookPolicy:
    """A capacity and its requestPolicy. `values` is empty and the others are None where a field is unset."""

    value: Fraction
    default: Fraction | None = None
    minimum: Fraction | None = None
    maximum: Fraction | None = None
    step: Fraction | None = None
    values: Sequence[Fraction] = ()


def consumed(
    policy: TextbookPolicy, requested: Fraction | None, whole_steps: bool = False
) -> Fraction | None:
    """Return what a request consumes, None if the policy rejects it (KEP-5075, "Design Details").

    `requested` is None if the request does not name the capacity. `whole_steps`: releases until 1.36 round
    steps in whole units (KEP-5075/rounding/fractional-step).
    """
    if requested is None:
        return policy.value if policy.default is None else policy.default
    if requested < 0:
        return None
    if policy.values:
        enough = [value for value in policy.values if value >= requested]
        return min(enough) if enough else None
    if policy.minimum is None:
        return requested
    rounded = max(requested, policy.minimum)
    if policy.step is not None and requested >= policy.minimum:
        parts = (policy.minimum, policy.step, requested)
        start, step, asked = (Fraction(ceil(part)) for part in parts) if whole_steps else parts
        if step <= 0:
            return None
        rounded = start + ceil((asked - start) / step) * step
    return None if policy.maximum is not None and rounded > policy.maximum else rounded


def remaining(value: Fraction, allocated: Sequence[Fraction]) -> Fraction:
    """Return the remaining capacity after shared allocations (KEP-5075/capacity-accounting)."""
    return value - sum(allocated, Fraction(0))


def policy_is_valid(policy: TextbookPolicy) -> bool:
    """Whether a requestPolicy, whose range has a min, is valid (KEP-5075, "Test Plan", "Unit tests")."""
    has_range = policy.minimum is not None
    if policy.values and has_range:
        return False
    if policy.default is None:
        return not policy.values and not has_range
    if policy.values:
        ascending = all(one < other for one, other in pairwise(policy.values))
        return ascending and policy.values[-1] <= policy.value and policy.default in policy.values
    if policy.minimum is None:
        return True
    highest = policy.value if policy.maximum is None else min(policy.value, policy.maximum)
    limits = [policy.default] if policy.maximum is None else [policy.default, policy.maximum]
    if policy.maximum is not None and policy.maximum > policy.value:
        return False
    if not 0 <= policy.minimum <= policy.default or policy.minimum > highest:
        return False
    if policy.maximum is not None and policy.default > policy.maximum:
        return False
    step = policy.step
    if step is None:
        return True
    fits = step > 0 and policy.minimum + step <= policy.value
    return fits and all(((limit - policy.minimum) / step).denominator == 1 for limit in limits)


def textbook_policy(capacity: Capacity) -> TextbookPolicy:
    """Return a capacity with its requestPolicy in units."""
    bounds = (capacity.default, capacity.minimum, capacity.maximum, capacity.step)
    default, minimum, maximum, step = (None if bound is None else units(bound) for bound in bounds)
    values = [units(value) for value in capacity.values]
    return TextbookPolicy(units(capacity.value), default, minimum, maximum, step, values)


def units(written: WrittenQuantity) -> Fraction:
    """Return a quantity in units."""
    return Fraction(written.nano, NANO)

"""The requirement of KEP-5075 that decides how much of a capacity a request consumes."""

from __future__ import annotations

from dra_conform.capacity import Consumed, PolicyViolation
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import CapacityRequestPolicyRange, DeviceCapacity


def policy_requirement(
    capacity: DeviceCapacity, requested: Quantity | None, expected: Consumed | PolicyViolation
) -> str:
    """Return the most specific requirement about the consumed quantity, or why no quantity is valid.

    `requested` is None if the request does not name the capacity.
    """
    policy = capacity.request_policy
    if requested is None:
        default = policy is not None and policy.default is not None
        rule = "policy-default-used-when-absent" if default else "no-policy-no-request-full-capacity"
        return f"KEP-5075/default/{rule}"
    if policy is not None and policy.valid_range is not None:
        return f"KEP-5075/rounding/{_of_range(policy.valid_range, requested, expected)}"
    if policy is not None and policy.valid_values:
        return f"KEP-5075/rounding/{_of_values(policy.valid_values, requested, expected)}"
    return "KEP-5075/rounding/no-policy-as-is"


def _of_range(
    valid: CapacityRequestPolicyRange, requested: Quantity, expected: Consumed | PolicyViolation
) -> str:
    if isinstance(expected, PolicyViolation):
        within = valid.max is None or requested <= valid.max
        return "rounded-past-max-refused" if within else "above-max-refused"
    if valid.min is not None and requested < valid.min:
        return "below-min-goes-to-min"
    if valid.step is None:
        return "no-step-as-is"
    return "on-step-unchanged" if expected.amount == requested else "step-up"


def _of_values(
    values: tuple[Quantity, ...], requested: Quantity, expected: Consumed | PolicyViolation
) -> str:
    if isinstance(expected, PolicyViolation):
        return "valid-values-above-all-refused"
    if requested < min(values):
        return "valid-values-below-all"
    return "valid-values-exact" if expected.amount == requested else "valid-values-between"

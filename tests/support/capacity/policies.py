"""Constructors of capacities with request policies."""

from __future__ import annotations

from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity


def quantity(text: str | None) -> Quantity | None:
    return None if text is None else Quantity.parse(text)


def capacity(
    value: str,
    *,
    default: str | None = None,
    minimum: str | None = None,
    maximum: str | None = None,
    step: str | None = None,
    values: tuple[str, ...] = (),
    policy: bool = True,
) -> DeviceCapacity:
    """Return a capacity with a request policy of these fields, or without one if not `policy`."""
    valid_range = None
    if (minimum, maximum, step) != (None, None, None):
        valid_range = CapacityRequestPolicyRange(
            min=quantity(minimum), max=quantity(maximum), step=quantity(step)
        )
    rules = CapacityRequestPolicy(
        default=quantity(default),
        valid_values=tuple(Quantity.parse(text) for text in values),
        valid_range=valid_range,
    )
    return DeviceCapacity(value=Quantity.parse(value), request_policy=rules if policy else None)

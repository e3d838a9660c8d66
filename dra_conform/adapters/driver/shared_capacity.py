"""The capacity that a shared allocation consumes: if possible, so little that two of a device fit."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import NANO, Quantity


def consumed_capacity(device: Json) -> dict[str, str]:
    """Return the quantity that a shared allocation consumes of each capacity of a published device."""
    return {name: _consumed(capacity) for name, capacity in device.get("capacity", {}).items()}


def requested_capacity(device: Json) -> dict[str, str]:
    """Return the quantities that a request must name, because a request that names none consumes others."""
    capacities = device.get("capacity", {})
    return {
        name: quantity
        for name, quantity in consumed_capacity(device).items()
        if quantity != (_policy(capacities[name]).get("default") or capacities[name]["value"])
    }


def two_fit(device: Json) -> bool:
    """Return whether two shared allocations fit into the capacity of a device."""
    return all(_fits_twice(_consumed(capacity), capacity) for capacity in device.get("capacity", {}).values())


def _consumed(capacity: Json) -> str:
    """Return the first choice of which two fit into a capacity, otherwise the first of all."""
    choices = [*_choices(capacity)]
    return next((choice for choice in choices if _fits_twice(choice, capacity)), choices[0])


def _choices(capacity: Json) -> Iterator[str]:
    """Yield quantities that the policy of a capacity allows; without a policy half of it in whole units."""
    policy = _policy(capacity)
    if policy:
        yield policy.get("default") or capacity["value"]
        yield from (policy.get("validValues") or ())[:1]
        if "validRange" in policy:
            yield policy["validRange"]["min"]
        return
    whole = Quantity.parse(capacity["value"])
    half = whole.nano // 2
    yield str(Quantity(half // NANO * NANO or half, whole.format))


def _fits_twice(quantity: str, capacity: Json) -> bool:
    return 2 * Quantity.parse(quantity).nano <= Quantity.parse(capacity["value"]).nano


def _policy(capacity: Json) -> dict[str, Json]:
    policy: dict[str, Json] = capacity.get("requestPolicy") or {}
    return policy

"""The capacity that a shared allocation consumes: if possible, so little that three of a device fit."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import NANO, Quantity

MOST = 3
"""The most shared allocations of one device that a scenario has."""


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


def fitting(device: Json) -> int:
    """Return how many shared allocations fit into the capacity of a device, at most `MOST`."""
    capacities = device.get("capacity", {}).values()
    return min((_fitting(_consumed(capacity), capacity) for capacity in capacities), default=MOST)


def _consumed(capacity: Json) -> str:
    """Return the first choice of which most fit into a capacity."""
    return max(_choices(capacity), key=lambda choice: _fitting(choice, capacity))


def _choices(capacity: Json) -> Iterator[str]:
    """Yield quantities that the policy of a capacity allows; without a policy parts of it in whole units."""
    policy = _policy(capacity)
    if policy:
        yield policy.get("default") or capacity["value"]
        yield from (policy.get("validValues") or ())[:1]
        if valid := policy.get("validRange"):
            yield valid["min"]
            if not Quantity.parse(valid["min"]).nano:
                yield from (valid[name] for name in ("step", "max") if valid.get(name))
        return
    whole = Quantity.parse(capacity["value"])
    for part in (4, 3, 2):
        yield str(Quantity(whole.nano // part // NANO * NANO, whole.format))
    if whole.nano < 2 * NANO:
        yield str(Quantity(whole.nano // 4, whole.format))


def _fitting(quantity: str, capacity: Json) -> int:
    """Return how often a quantity fits into a capacity, at most `MOST`; 0 fits only into 0."""
    one, whole = Quantity.parse(quantity).nano, Quantity.parse(capacity["value"]).nano
    return min(whole // one, MOST) if one else MOST * (whole == 0)


def _policy(capacity: Json) -> dict[str, Json]:
    policy: dict[str, Json] = capacity.get("requestPolicy") or {}
    return policy

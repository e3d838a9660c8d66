"""The quality-of-service class of a pod."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.kube.quantity import Quantity

BEST_EFFORT, BURSTABLE, GUARANTEED = "BestEffort", "Burstable", "Guaranteed"
_COUNTED = ("cpu", "memory")

Quantities = Mapping[str, Quantity]


def qos_class(requests_and_limits: Sequence[tuple[Quantities, Quantities]]) -> str:
    """Return the QoS class for the requests and limits of each container.

    `requests_and_limits` has an entry for each container, or a single entry for pod-level resources.
    Guaranteed: cpu and memory have limits equal to their requests. BestEffort: neither has requests or
    limits. Quantities that are not positive are ignored.
    """
    counted = [(_counted(requests), _counted(limits)) for requests, limits in requests_and_limits]
    if not any(requests or limits for requests, limits in counted):
        return BEST_EFFORT
    guaranteed = all(requests == limits and len(limits) == len(_COUNTED) for requests, limits in counted)
    return GUARANTEED if guaranteed else BURSTABLE


def _counted(quantities: Quantities) -> dict[str, Quantity]:
    return {name: quantities[name] for name in _COUNTED if name in quantities and quantities[name].nano > 0}

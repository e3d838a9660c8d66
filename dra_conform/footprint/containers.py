"""The sum of the requests of a pod's containers."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.footprint.amounts import Amounts, added, greatest
from dra_conform.kube.core import Pod
from dra_conform.kube.quantity import Quantity

SIDECAR = "Always"
"""The restart policy of an init container that goes on beside the others."""


def aggregated(before: Iterable[tuple[bool, Amounts]], beside: Iterable[Amounts]) -> dict[str, Quantity]:
    """The most that is requested at a time: the containers together, or an init container while it runs.

    `before` are the init containers in order, each with whether it is a sidecar, `beside` the others.
    """
    peak: dict[str, Quantity] = {}
    lasting: dict[str, Quantity] = {}
    for is_sidecar, requests in before:
        running = added(lasting, requests)
        peak = greatest(peak, running)
        if is_sidecar:
            lasting = running
    return greatest(peak, added(lasting, *beside))


def limited(pod: Pod) -> dict[str, Quantity]:
    """What the containers of a pod are limited to; one without a limit adds nothing."""
    return aggregated(
        ((one.restart_policy == SIDECAR, one.resources.limits) for one in pod.spec.init_containers),
        (one.resources.limits for one in pod.spec.containers),
    )


def requested(pod: Pod) -> dict[str, Quantity]:
    """What the containers of a pod request, by their specs alone."""
    return aggregated(
        ((one.restart_policy == SIDECAR, one.resources.requests) for one in pod.spec.init_containers),
        (one.resources.requests for one in pod.spec.containers),
    )

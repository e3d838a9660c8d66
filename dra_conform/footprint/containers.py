"""The aggregated requests and limits of a pod's containers."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.footprint.amounts import Amounts, added, greatest
from dra_conform.kube.core import Pod
from dra_conform.kube.quantity import Quantity

SIDECAR = "Always"
"""The restart policy of a sidecar, an init container that keeps running."""


def aggregated(
    init_containers: Iterable[tuple[bool, Amounts]], containers: Iterable[Amounts]
) -> dict[str, Quantity]:
    """Return the peak by resource: all containers together, or one init container with the running sidecars.

    `init_containers` has for each init container in order whether it is a sidecar, and its quantities.
    """
    peak: dict[str, Quantity] = {}
    sidecars: dict[str, Quantity] = {}
    for is_sidecar, requests in init_containers:
        running = added(sidecars, requests)
        peak = greatest(peak, running)
        if is_sidecar:
            sidecars = running
    return greatest(peak, added(sidecars, *containers))


def limited(pod: Pod) -> dict[str, Quantity]:
    """Return the aggregated limits of a pod's containers; a missing limit counts as zero."""
    return aggregated(
        (
            (container.restart_policy == SIDECAR, container.resources.limits)
            for container in pod.spec.init_containers
        ),
        (container.resources.limits for container in pod.spec.containers),
    )


def requested(pod: Pod) -> dict[str, Quantity]:
    """Return the aggregated requests of a pod's containers."""
    return aggregated(
        (
            (container.restart_policy == SIDECAR, container.resources.requests)
            for container in pod.spec.init_containers
        ),
        (container.resources.requests for container in pod.spec.containers),
    )

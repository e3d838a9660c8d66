"""The quota usage of one pod."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.footprint import footprint, limits, recorded
from dra_conform.kube.core import Pod
from dra_conform.kube.extended_resources import CLASS_PREFIX, is_extended
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import names

ONE = Quantity.whole(1)


def pod_usage(pod: Pod, switches: QuotaSwitches) -> dict[str, Quantity]:
    """Return the quota usage of a pod: 1 pod, its requests and its limits.

    A finished pod only counts as 1 pod. The node resources that its claims use count only with
    `node_resources_counted` (KEP-5517/accounting/quota-counts-spec-only).
    """
    if pod.status is not None and pod.status.phase in ("Succeeded", "Failed"):
        return {names.ALL_PODS: ONE}
    requests = footprint(
        pod, recorded(pod, switches.node_resources) if switches.node_resources_counted else ()
    )
    if not switches.implicit_in_pods:
        requests = {
            name: quantity for name, quantity in requests.items() if not name.startswith(CLASS_PREFIX)
        }
    limited = {
        names.limited(name): quantity for name, quantity in limits(pod).items() if names.has_limits(name)
    }
    return {names.ALL_PODS: ONE, names.PODS: ONE, **limited, **dict(_by_quota(requests))}


def _by_quota(requests: Mapping[str, Quantity]) -> Iterator[tuple[str, Quantity]]:
    """Yield the quota names and quantities of requests."""
    for name, quantity in requests.items():
        if names.is_of_nodes(name):
            yield name, quantity
            yield names.requested(name), quantity
        elif is_extended(name):
            yield names.requested(name), quantity

"""The node resource usage of one pod."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dra_conform.footprint.amounts import ZERO, added
from dra_conform.footprint.claim_amounts import ClaimResourceUsage
from dra_conform.footprint.containers import (
    has_status_resources,
    limited,
    limits_by_status,
    requested,
    requests_by_status,
)
from dra_conform.kube.core import Pod
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.kube.switches.values import ContainerStatuses

POD_LEVEL_RESOURCES = ("cpu", "memory")
"""The resources that a pod can request at pod level, in addition to huge pages."""
_HUGE_PAGES = "hugepages-"


@dataclass(frozen=True, slots=True)
class FootprintOptions:
    """The parts of a pod that are left out of its node resource usage."""

    without_overhead: bool = False
    """Leave out the overhead of the pod (KEP-5517/pod-footprint/exclude-overhead-option)."""
    without_pod_level: bool = False
    """Ignore pod-level requests (KEP-5517/pod-footprint/skip-pod-level-option)."""
    statuses: ContainerStatuses = ContainerStatuses.IGNORED
    """How the resources in container statuses count."""


ALL = FootprintOptions()


def footprint(
    pod: Pod, claims: Iterable[ClaimResourceUsage], options: FootprintOptions = ALL
) -> dict[str, Quantity]:
    """Return the resource usage of a pod, with its overhead.

    A pod-level request replaces the requests of containers and claims for its resource.
    """
    if _counts_status(pod, options.statuses):
        return _resized_footprint(pod, claims, options)
    total = added(requested(pod), *(claim.total for claim in claims))
    if not options.without_pod_level:
        total.update(pod_level_requests(pod))
    return total if options.without_overhead else added(total, pod.spec.overhead)


def limits(pod: Pod, statuses: ContainerStatuses = ContainerStatuses.IGNORED) -> dict[str, Quantity]:
    """Return the limits of a pod: the pod-level limit or the aggregated limit of containers, with
    overhead."""
    total = _limits_of_containers(pod, statuses) | pod_level_limits(pod)
    return added(total, {name: quantity for name, quantity in pod.spec.overhead.items() if total.get(name)})


def on_nodes(switches: NodeResourceSwitches) -> FootprintOptions:
    """Return the options for pods on nodes, whose containers may have other resources during a resize."""
    return FootprintOptions(statuses=switches.container_statuses)


def _counts_status(pod: Pod, statuses: ContainerStatuses) -> bool:
    return statuses is not ContainerStatuses.IGNORED and has_status_resources(pod)


def _resized_footprint(
    pod: Pod, claims: Iterable[ClaimResourceUsage], options: FootprintOptions
) -> dict[str, Quantity]:
    used = added(*(claim.total for claim in claims))
    total = requests_by_status(pod, used, options.statuses)
    if not options.without_pod_level:
        total.update(pod_level_requests(pod))
    return total if options.without_overhead else added(total, pod.spec.overhead)


def _limits_of_containers(pod: Pod, statuses: ContainerStatuses) -> dict[str, Quantity]:
    return limits_by_status(pod, statuses) if _counts_status(pod, statuses) else limited(pod)


def pod_level_requests(pod: Pod) -> dict[str, Quantity]:
    """Return the pod-level requests of a pod."""
    return pod_level_only(pod.spec.resources.requests if pod.spec.resources else {})


def pod_level_limits(pod: Pod) -> dict[str, Quantity]:
    """Return the pod-level limits of a pod."""
    return pod_level_only(pod.spec.resources.limits if pod.spec.resources else {})


def exceeded(pod: Pod, claims: Iterable[ClaimResourceUsage]) -> str:
    """Return the first resource by name whose usage exceeds the pod-level request, empty if none
    (KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable).
    """
    usage = footprint(pod, claims, FootprintOptions(without_overhead=True, without_pod_level=True))
    budget = pod_level_requests(pod)
    return next((name for name in sorted(budget) if usage.get(name, ZERO) > budget[name]), "")


def container_over_limit(pod: Pod, claims: Iterable[ClaimResourceUsage]) -> str:
    """Return `RESOURCE of container NAME` for the first app container whose limit plus the usage of its
    claims exceeds the pod-level limit, empty if none.

    Huge pages are left out, since their limits equal their requests.
    """
    budget = pod_level_limits(pod)
    usage = list(claims)
    for container in pod.spec.containers:
        used = [each.of_container for each in usage if container.name in each.containers]
        total = added(container.resources.limits, *used)
        for name in sorted(budget.keys() & container.resources.limits.keys()):
            if not name.startswith(_HUGE_PAGES) and total[name] > budget[name]:
                return f"{name} of container {container.name}"
    return ""


def pod_level_only(amounts: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Return the quantities of resources that can be requested at pod level."""
    return {
        name: quantity
        for name, quantity in amounts.items()
        if name in POD_LEVEL_RESOURCES or name.startswith(_HUGE_PAGES)
    }

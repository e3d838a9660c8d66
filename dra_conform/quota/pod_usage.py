"""The quota usage of one pod, and the requests and limits that quotas demand of its containers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta

from dra_conform.footprint import footprint, limits, on_nodes, recorded
from dra_conform.footprint.pod_footprint import pod_level_only
from dra_conform.kube.core import Pod, ResourceRequirements
from dra_conform.kube.extended_resources import CLASS_PREFIX, has_request_quota
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import names

ONE = Quantity.whole(1)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The present time of a question that names none; it is the start of simulated time."""


def pod_usage(pod: Pod, switches: QuotaSwitches) -> dict[str, Quantity]:
    """Return the quota usage of a pod: 1 pod, its requests and its limits.

    A pod that is finished or past its grace period only counts as 1 pod. The node resources that its claims
    use count only with `node_resources_counted` (KEP-5517/accounting/quota-counts-spec-only).
    """
    if has_ended(pod):
        return {names.ALL_PODS: ONE}
    requests = footprint(
        pod,
        recorded(pod, switches.node_resources) if switches.node_resources_counted else (),
        on_nodes(switches.node_resources),
    )
    if not switches.implicit_in_pods:
        requests = {
            name: quantity for name, quantity in requests.items() if not name.startswith(CLASS_PREFIX)
        }
    limited = {
        names.limited(name): quantity
        for name, quantity in limits(pod, switches.node_resources.container_statuses).items()
        if names.has_limits(name)
    }
    return {names.ALL_PODS: ONE, names.PODS: ONE, **limited, **dict(by_quota(requests))}


def has_ended(pod: Pod) -> bool:
    """Whether the pod is finished, or its grace period after a deletion is over."""
    if pod.status is not None and pod.status.phase in ("Succeeded", "Failed"):
        return True
    deleted, seconds = pod.metadata.deletion_timestamp, pod.metadata.deletion_grace_period_seconds
    if deleted is None or seconds is None:
        return False
    return datetime.fromisoformat(deleted) + timedelta(seconds=seconds) < NOW


def by_quota(requests: Mapping[str, Quantity]) -> Iterator[tuple[str, Quantity]]:
    """Yield the quota names and quantities of requests."""
    for name, quantity in requests.items():
        if names.is_of_nodes(name):
            yield name, quantity
            yield names.requested(name), quantity
        elif has_request_quota(name):
            yield names.requested(name), quantity


_REQUIRED = {
    "cpu": ("requests", "cpu"),
    "memory": ("requests", "memory"),
    "requests.cpu": ("requests", "cpu"),
    "requests.memory": ("requests", "memory"),
    "limits.cpu": ("limits", "cpu"),
    "limits.memory": ("limits", "memory"),
}
"""The mandatory container field and resource by quota name, which usage of claims does not replace."""


def unspecified_resources(pod: Pod, quotas: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the quota names that containers do not specify, with the names of these containers.

    Nothing is mandatory for the containers of a pod with pod-level requests or limits.
    """
    pod_level = pod.spec.resources
    if pod_level is not None and pod_level_only({**pod_level.requests, **pod_level.limits}):
        return {}
    containers = (*pod.spec.containers, *pod.spec.init_containers)
    missing = {
        quota: tuple(
            sorted(container.name for container in containers if not _specifies(container.resources, quota))
        )
        for quota in sorted(_REQUIRED.keys() & set(quotas))
    }
    return {quota: names for quota, names in missing.items() if names}


def _specifies(resources: ResourceRequirements, quota: str) -> bool:
    field, resource = _REQUIRED[quota]
    return resource in (resources.requests if field == "requests" else resources.limits)

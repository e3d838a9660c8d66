"""The quota usage of one ResourceClaim, which depends on its spec only, or of one pod, and the requests and
limits that quotas demand of its containers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from dra_conform.footprint import footprint, limits, on_nodes, recorded
from dra_conform.footprint.pod_footprint import pod_level_only
from dra_conform.kube.core import Pod, ResourceQuota, ResourceRequirements
from dra_conform.kube.extended_resources import CLASS_PREFIX, has_request_quota
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceRequest, ResourceClaim
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import names

ONE = Quantity.whole(1)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The present time of a question that names none; it is the start of simulated time."""


def namespace_of(item: ResourceClaim | Pod | ResourceQuota) -> str:
    """Return the namespace of an object, `default` if it names none."""
    return item.metadata.namespace or "default"


def pod_usage(pod: Pod, switches: QuotaSwitches, now: datetime = NOW) -> dict[str, Quantity]:
    """Return the quota usage of a pod: 1 pod, its requests and its limits.

    A pod that is finished or past its grace period only counts as 1 pod. The node resources that its claims
    use count only with `node_resources_counted` (KEP-5517/accounting/quota-counts-spec-only).
    """
    if has_ended(pod, now):
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


def has_ended(pod: Pod, now: datetime = NOW) -> bool:
    """Whether the pod is finished, or its grace period after a deletion is over."""
    if pod.status is not None and pod.status.phase in ("Succeeded", "Failed"):
        return True
    deleted, seconds = pod.metadata.deletion_timestamp, pod.metadata.deletion_grace_period_seconds
    if deleted is None or seconds is None:
        return False
    return (now - datetime.fromisoformat(deleted)).total_seconds() > seconds


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


ALL_DEVICES = 32
"""The count of a request with `allocationMode: All`, which is the maximum of allocation results."""

NO_CHARGES: Mapping[str, int] = {}


def devices_by_class(claim: ResourceClaim) -> dict[str, int]:
    """Return the maximum number of devices of each DeviceClass that the claim can get.

    Requests with admin access count like other requests.
    """
    total: Counter[str] = Counter()
    for request in claim.spec.devices.requests:
        total.update(_of_request(request))
    return dict(total)


def claim_usage(
    claim: ResourceClaim,
    resources: Mapping[str, str],
    *,
    adjusted: bool,
    charged: Mapping[str, int] = NO_CHARGES,
) -> dict[str, int]:
    """Return the usage by quota name: 1 claim, and its devices by DeviceClass.

    If `adjusted`, the devices also count by extended resource. `resources` has the extended resource of every
    DeviceClass, empty for none. `charged` is the usage of the pod of an extended-resource claim by quota
    name; the claim adds only what exceeds it.
    """
    devices = devices_by_class(claim)
    usage = {names.CLAIMS: 1, **{names.devices_of(name): count for name, count in devices.items()}}
    if not adjusted:
        return usage
    extended: Counter[str] = Counter()
    for name, count in devices.items():
        if name in resources:
            extended[names.implicit(name)] += count
        if resources.get(name):
            extended[names.requested(resources[name])] += count
    remaining = {name: count - charged.get(name, 0) for name, count in extended.items()}
    return usage | {name: count for name, count in remaining.items() if count > 0}


def _of_request(request: DeviceRequest) -> dict[str, int]:
    """Return the count by DeviceClass, for subrequests the maximum, since any of them can be allocated."""
    if request.exactly is not None:
        exactly = request.exactly
        return {exactly.device_class_name: counted_devices(exactly.allocation_mode, exactly.count)}
    maximum: dict[str, int] = {}
    for subrequest in request.first_available:
        count = counted_devices(subrequest.allocation_mode, subrequest.count)
        maximum[subrequest.device_class_name] = max(count, maximum.get(subrequest.device_class_name, 0))
    return maximum


def counted_devices(mode: str, count: int) -> int:
    """Return the count of a request: an empty mode is ExactCount, an unknown mode counts 0."""
    if mode == "All":
        return ALL_DEVICES
    return (count or 1 if not mode else count) if mode in ("", "ExactCount") else 0

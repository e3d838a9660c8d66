"""The aggregated requests and limits of a pod's containers.

The containers of a resized pod may still have other resources than its spec.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dra_conform.footprint.amounts import Amounts, added, greatest
from dra_conform.kube.core import Container, Pod
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.values import ContainerStatuses

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


Status = Mapping[str, Any]
Part = Callable[[Container, Status], Amounts]


def has_status_resources(pod: Pod) -> bool:
    """Whether the status of the pod has resources of containers, or says that a resize is infeasible."""
    if pod.status is None:
        return False
    return _infeasible(pod) or any(
        status.get("resources") is not None or status.get("allocatedResources") is not None
        for status in _statuses(pod).values()
    )


def is_resized(pod: Pod) -> bool:
    """Whether the status of the pod has other resources of a container than the spec, or an infeasible
    resize."""
    if pod.status is None:
        return False
    known = _statuses(pod)
    return _infeasible(pod) or any(
        _differs(container, known.get(container.name, {}))
        for container in (*pod.spec.init_containers, *pod.spec.containers)
    )


def _differs(container: Container, status: Status) -> bool:
    allocated, resources = status.get("allocatedResources"), status.get("resources")
    spec = container.resources
    if allocated is not None and _quantities(allocated) != spec.requests:
        return True
    return resources is not None and (
        _quantities(resources.get("requests")) != spec.requests
        or _quantities(resources.get("limits")) != spec.limits
    )


def requests_by_status(pod: Pod, claims: Amounts, statuses: ContainerStatuses) -> dict[str, Quantity]:
    """Return the larger of the requests in spec and status, with the usage of the claims `claims`."""
    if statuses is ContainerStatuses.BY_CONTAINER:
        return added(_sum(pod, _each_greatest(pod, "requests", allocated=True)), claims)
    allocated = added(_sum(pod, _allocated(pod)), claims)
    parts = greatest(allocated, _sum(pod, _actuated(pod, "requests")))
    return parts if _infeasible(pod) else greatest(parts, added(_sum(pod, _spec("requests")), claims))


def limits_by_status(pod: Pod, statuses: ContainerStatuses) -> dict[str, Quantity]:
    """Return the larger of the limits in spec and status."""
    if statuses is ContainerStatuses.BY_CONTAINER:
        return _sum(pod, _each_greatest(pod, "limits", allocated=False))
    actuated = _sum(pod, _actuated(pod, "limits"))
    return actuated if _infeasible(pod) else greatest(actuated, _sum(pod, _spec("limits")))


def _sum(pod: Pod, part: Part) -> dict[str, Quantity]:
    known = _statuses(pod)
    return aggregated(
        (
            (container.restart_policy == SIDECAR, part(container, known.get(container.name, {})))
            for container in pod.spec.init_containers
        ),
        (part(container, known.get(container.name, {})) for container in pod.spec.containers),
    )


def _spec(field: str) -> Part:
    return lambda container, _: getattr(container.resources, field)


def _actuated(pod: Pod, field: str) -> Part:
    """Return the actual resources of a container, else its allocated ones, else those of the spec."""
    fallback = _allocated(pod) if field == "requests" else _unless_infeasible(pod, field)

    def part(container: Container, status: Status) -> Amounts:
        resources = (status.get("resources") or {}).get(field)
        return fallback(container, status) if resources is None else _quantities(resources)

    return part


def _allocated(pod: Pod) -> Part:
    fallback = _unless_infeasible(pod, "requests")

    def part(container: Container, status: Status) -> Amounts:
        resources = status.get("allocatedResources")
        return fallback(container, status) if resources is None else _quantities(resources)

    return part


def _unless_infeasible(pod: Pod, field: str) -> Part:
    return (lambda _, __: {}) if _infeasible(pod) else _spec(field)


def _each_greatest(pod: Pod, field: str, *, allocated: bool) -> Part:
    """Return the maximum of spec and status of each container; init containers count by their spec."""
    infeasible = _infeasible(pod)
    ending = {each.name for each in pod.spec.init_containers if each.restart_policy != SIDECAR}

    def part(container: Container, status: Status) -> Amounts:
        spec: Amounts = getattr(container.resources, field)
        if status.get("resources") is None or container.name in ending:
            return spec
        has = _quantities(status["resources"].get(field))
        if allocated:
            has = greatest(has, _quantities(status.get("allocatedResources")))
        return has if infeasible else greatest(spec, has)

    return part


def _statuses(pod: Pod) -> dict[str, Status]:
    if pod.status is None:
        return {}
    known = (*pod.status.container_statuses, *pod.status.init_container_statuses)
    return {status.get("name", ""): status for status in known}


def _infeasible(pod: Pod) -> bool:
    """Whether the kubelet rejected the resize of the pod, so that the spec does not count."""
    conditions = pod.status.conditions if pod.status else ()
    reasons = (each.get("reason") for each in conditions if each.get("type") == "PodResizePending")
    return next(reasons, "") == "Infeasible"


def _quantities(raw: Mapping[str, Any] | None) -> Amounts:
    return {name: Quantity.parse(str(value)) for name, value in (raw or {}).items()}

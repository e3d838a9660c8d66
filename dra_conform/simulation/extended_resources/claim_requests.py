"""The requests of a pod's extended-resource claim, and their mapping to containers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from dra_conform.kube.core import Container, Node, Pod
from dra_conform.kube.json_values import Json
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.simulation.extended_resources.backing_classes import provided_by_node


def backed_requests(
    pod: Pod, node: Node, classes: Mapping[str, str], switches: ExtendedResourceSwitches
) -> tuple[list[Json], list[Json]]:
    """Return the device requests for the DRA-backed extended resources of a pod, and the container mappings.

    Resources that the node itself provides are left out. Both lists are empty if no resource remains.
    """
    containers = _containers(pod, switches)
    names = {name for _, container, _ in containers for name in container.resources.requests}
    counts: dict[str, tuple[str, int]] = {}
    mappings: list[Json] = []
    for name in sorted(names & set(classes)):
        if not provided_by_node(name, node, switches):
            for request, count in _requests(name, containers, mappings):
                counts[request] = classes[name], count
    requests = [
        {
            "name": request,
            "exactly": {"deviceClassName": device_class, "allocationMode": "ExactCount", "count": count},
        }
        for request, (device_class, count) in sorted(counts.items())
    ]
    return requests, mappings


def requests_backed_resource(pod: Pod, classes: Mapping[str, str]) -> bool:
    """Whether a container requests an extended resource that a DeviceClass backs."""
    containers = (*pod.spec.init_containers, *pod.spec.containers)
    return any(
        _count(container, name)
        for container in containers
        for name in container.resources.requests
        if name in classes
    )


_IndexedContainer = tuple[int, Container, bool]
"""A container with its index, and whether it cannot reuse devices of later containers."""


def _containers(pod: Pod, switches: ExtendedResourceSwitches) -> list[_IndexedContainer]:
    exclusive = not switches.init_containers_reuse
    containers = [
        (container, exclusive or container.restart_policy == "Always")
        for container in pod.spec.init_containers
    ]
    containers += [(container, True) for container in pod.spec.containers]
    return [(index, container, exclusive) for index, (container, exclusive) in enumerate(containers)]


def _requests(
    resource: str, containers: Collection[_IndexedContainer], mappings: list[Json]
) -> Iterable[tuple[str, int]]:
    """Return the requests for one resource with their counts, and append their container mappings.

    A container that can reuse devices first maps to the requests of later containers. The containers that
    need more devices then share one additional request.
    """
    counts: dict[str, int] = {}
    missing: dict[str, int] = {}
    lacking: list[Container] = []
    for index, container, exclusive in containers:
        if exclusive and _count(container, resource):
            counts[_request_name(index, container, resource)] = _count(container, resource)
            mappings.append(_mapping(container, resource, _request_name(index, container, resource)))
    for index, container, exclusive in containers:
        remaining = 0 if exclusive else _count(container, resource)
        for later, later_container, _ in containers:
            request = _request_name(later, later_container, resource)
            if remaining > 0 and later > index and request in counts:
                remaining -= counts[request]
                mappings.append(_mapping(container, resource, request))
        if remaining > 0:
            missing[_request_name(index, container, resource)] = remaining
            lacking.append(container)
    if missing:
        largest = max(missing, key=lambda request: missing[request])
        counts[largest] = missing[largest]
        mappings += [_mapping(container, resource, largest) for container in lacking]
    return counts.items()


def _count(container: Container, resource: str) -> int:
    quantity = container.resources.requests.get(resource)
    return quantity.value() if quantity is not None else 0


def _request_name(index: int, container: Container, resource: str) -> str:
    names = sorted(container.resources.requests)
    return f"container-{index}-request-{names.index(resource)}" if resource in names else ""


def _mapping(container: Container, resource: str, request: str) -> Json:
    return {"containerName": container.name, "resourceName": resource, "requestName": request}

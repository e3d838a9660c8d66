"""The requests of a pod's extended-resource claim, and their mapping to containers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from dra_conform.controlplane.simulation.extended_resources.class_names import of_node
from dra_conform.controlplane.simulation.extended_resources.serving_rules import ServingRules
from dra_conform.kube.core import Container, Node, Pod

Json = Any


def served_requests(
    pod: Pod, node: Node, classes: Mapping[str, str], rules: ServingRules
) -> tuple[list[Json], list[Json]]:
    """The device requests for what the pod asks of classes and the node does not have itself, and the
    mappings of containers to them; nothing at all where there is nothing to ask for."""
    containers = _containers(pod, rules)
    names = {name for _, one, _ in containers for name in one.resources.requests}
    counts: dict[str, tuple[str, int]] = {}
    mappings: list[Json] = []
    for name in sorted(names & set(classes)):
        if not of_node(name, node, rules):
            counts |= {request: (classes[name], n) for request, n in _requests(name, containers, mappings)}
    requests = [
        {"name": request, "exactly": {"deviceClassName": name, "allocationMode": "ExactCount", "count": n}}
        for request, (name, n) in sorted(counts.items())
    ]
    return requests, mappings


def asks_for(pod: Pod, classes: Mapping[str, str]) -> bool:
    """Whether a container asks for something that a class serves."""
    containers = (*pod.spec.init_containers, *pod.spec.containers)
    return any(_count(one, name) for one in containers for name in one.resources.requests if name in classes)


_Placed = tuple[int, Container, bool]
"""A container with its index, and whether it has devices of its own in any case."""


def _containers(pod: Pod, rules: ServingRules) -> list[_Placed]:
    own = not rules.init_containers_reuse
    both = [(one, own or one.restart_policy == "Always") for one in pod.spec.init_containers]
    both += [(one, True) for one in pod.spec.containers]
    return [(index, one, lasting) for index, (one, lasting) in enumerate(both)]


def _requests(
    resource: str, containers: Collection[_Placed], mappings: list[Json]
) -> Iterable[tuple[str, int]]:
    """The requests for one resource with their counts; `mappings` gets what serves which container.

    A container without devices of its own is served first by what containers that run after it ask for. For
    what is missing, all of them share one request.
    """
    counts: dict[str, int] = {}
    missing: dict[str, int] = {}
    short: list[Container] = []
    for index, one, lasting in containers:
        if lasting and _count(one, resource):
            counts[_request_name(index, one, resource)] = _count(one, resource)
            mappings.append(_mapping(one, resource, _request_name(index, one, resource)))
    for index, one, lasting in containers:
        left = 0 if lasting else _count(one, resource)
        for later, other, _ in containers:
            request = _request_name(later, other, resource)
            if left > 0 and later > index and request in counts:
                left -= counts[request]
                mappings.append(_mapping(one, resource, request))
        if left > 0:
            missing[_request_name(index, one, resource)] = left
            short.append(one)
    if missing:
        most = max(missing, key=lambda request: missing[request])
        counts[most] = missing[most]
        mappings += [_mapping(one, resource, most) for one in short]
    return counts.items()


def _count(container: Container, resource: str) -> int:
    found = container.resources.requests.get(resource)
    return found.value() if found is not None else 0


def _request_name(index: int, container: Container, resource: str) -> str:
    names = sorted(container.resources.requests)
    return f"container-{index}-request-{names.index(resource)}" if resource in names else ""


def _mapping(container: Container, resource: str, request: str) -> Json:
    return {"containerName": container.name, "resourceName": resource, "requestName": request}

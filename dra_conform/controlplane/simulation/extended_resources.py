"""Extended resources that device classes serve: the claim that the scheduler makes for a pod (KEP-5004)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.simulation.pods import owned_by, owner_of
from dra_conform.kube.core import Container, Node, Pod
from dra_conform.kube.extended_resources import CLASS_PREFIX, SPECIAL_CLAIM
from dra_conform.kube.versions import V1

Json = Any

_UNNAMED = "<extended-resources>"


def classes_by_resource(classes: Iterable[Json]) -> dict[str, str]:
    """The class that serves each extended resource: of several with one name the newest, then by name."""
    found: dict[str, str] = {}
    by_name = sorted(classes, key=lambda one: str(one["metadata"]["name"]), reverse=True)
    for one in sorted(by_name, key=lambda one: str(one["metadata"]["creationTimestamp"])):
        name = one["metadata"]["name"]
        found[CLASS_PREFIX + name] = name
        if one["spec"].get("extendedResourceName"):
            found[one["spec"]["extendedResourceName"]] = name
    return found


def is_special(claim: Json) -> bool:
    return (claim["metadata"].get("annotations") or {}).get(SPECIAL_CLAIM) == "true"


def special_claim_of(pod: Json, claims: Iterable[Json]) -> Json | None:
    """The claim that was made for a pod's extended resources before."""
    uid = pod["metadata"]["uid"]
    owned = (one for one in claims if is_special(one) and (owner_of(one) or {}).get("uid") == uid)
    return next(owned, None)


@dataclass(frozen=True, slots=True)
class SpecialClaim:
    """A claim to be made, and which of its requests serves which resource of which container."""

    claim: Json
    mappings: list[Json]


def special_claim(pod: Json, typed: Pod, node: Node, classes: Mapping[str, str]) -> SpecialClaim | None:
    """The claim for what the pod asks of classes and the node does not have itself, None for nothing."""
    offered = node.status.allocatable if node.status else {}
    containers = _containers(typed)
    names = {name for _, one, _ in containers for name in one.resources.requests}
    counts: dict[str, tuple[str, int]] = {}
    mappings: list[Json] = []
    for name in sorted(names & set(classes)):
        if not offered.get(name):
            counts |= {request: (classes[name], n) for request, n in _requests(name, containers, mappings)}
    if not counts:
        return None
    requests = [
        {"name": request, "exactly": {"deviceClassName": name, "allocationMode": "ExactCount", "count": n}}
        for request, (name, n) in sorted(counts.items())
    ]
    return SpecialClaim({**_empty(pod), "spec": {"devices": {"requests": requests}}}, mappings)


_Placed = tuple[int, Container, bool]
"""A container with its index, and whether it runs as long as the pod."""


def _containers(pod: Pod) -> list[_Placed]:
    both = [(one, one.restart_policy == "Always") for one in pod.spec.init_containers]
    both += [(one, True) for one in pod.spec.containers]
    return [(index, one, lasting) for index, (one, lasting) in enumerate(both)]


def _requests(
    resource: str, containers: Collection[_Placed], mappings: list[Json]
) -> Iterable[tuple[str, int]]:
    """The requests for one resource with their counts; `mappings` gets what serves which container.

    An init container is served first by what containers that run after it ask for. For what is missing, all
    init containers share one request.
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


def _empty(pod: Json) -> Json:
    """The claim without requests, called so that no other claim can be."""
    metadata = {
        "name": _UNNAMED,
        "namespace": pod["metadata"]["namespace"],
        "annotations": {SPECIAL_CLAIM: "true"},
        "ownerReferences": owned_by(pod),
    }
    return {"apiVersion": V1, "kind": "ResourceClaim", "metadata": metadata}

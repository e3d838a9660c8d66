"""Validation of pod-level requests and limits against those of the containers."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.controlplane.apiserver.resource_amounts import HUGE_PAGES, validate_requirements
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.footprint.containers import SIDECAR, aggregated
from dra_conform.kube.quantity import Quantity

_PATH = "spec.resources"
_OVERCOMMITTED = frozenset({"cpu", "memory"})
"""What pods can request as a whole and be limited to otherwise."""


def default(spec: Tree) -> None:
    """Of a pod with limits: what its containers request together, then the limit of what nobody requests.

    KEP-5517/pod-level-resources/budget-compares-requests.
    """
    if spec.get("resources", {}).get("limits"):
        _default_requests(spec)


def completed(spec: Tree) -> Tree:
    """As `default`, also where a pod requests only; and limits of what all its containers are limited to."""
    if not any(spec.get("resources", {}).get(name) for name in ("limits", "requests")):
        return spec
    spec = {**spec, "resources": dict(spec["resources"])}
    resources = spec["resources"]
    _default_requests(spec)
    limits = dict(resources.get("limits", {}))
    together = _together(spec, "limits")
    containers = [*spec.get("initContainers", []), *spec.get("containers", [])]
    for name, requested in resources.get("requests", {}).items():
        everywhere = containers and all(name in _amounts(one, "limits") for one in containers)
        if everywhere and name not in limits:
            limits[name] = max(requested, together[name])
    if limits:
        resources["limits"] = limits
    return spec


def _default_requests(spec: Tree) -> None:
    resources = spec["resources"]
    requests = dict(resources.get("requests", {}))
    together = _together(spec, "requests")
    for name in _OVERCOMMITTED & together.keys():
        requests.setdefault(name, together[name])
    for name, limit in resources.get("limits", {}).items():
        requests.setdefault(name, limit)
    if requests:
        resources["requests"] = requests


def validate(spec: Tree, errors: FieldErrors) -> None:
    """Containers together request no more than their pod, and none is limited to more.

    KEP-5517/pod-level-resources/admission-checks-spec-only.
    """
    resources = spec.get("resources")
    if resources is None:
        return
    if "claims" in resources:
        errors.forbidden(f"{_PATH}.claims", "claims may not be set for resources of a pod")
    validate_requirements(resources, _PATH, errors)
    requests, limits = resources.get("requests", {}), resources.get("limits", {})
    for name, amount in _together(spec, "requests").items():
        if name in requests and amount > requests[name]:
            message = f"must be greater than or equal to aggregate container requests of {amount}"
            errors.invalid(f"{_PATH}.requests[{name}]", str(requests[name]), message)
    for name, amount in _together(spec, "limits").items():
        if name.startswith(HUGE_PAGES) and name in limits and amount > limits[name]:
            message = f"must be greater than or equal to aggregate container limits of {amount}"
            errors.invalid(f"{_PATH}.limits[{name}]", str(limits[name]), message)
    for index, container in enumerate(spec.get("containers", [])):
        for name, amount in _amounts(container, "limits").items():
            if name in limits and amount > limits[name]:
                path = f"{_PATH}.containers[{index}][{name}].limits"
                errors.invalid(
                    path, str(amount), f"must be less than or equal to pod limits of {limits[name]}"
                )


def _together(spec: Tree, field: str) -> dict[str, Quantity]:
    return aggregated(_before(spec, field), (_amounts(one, field) for one in spec.get("containers", [])))


def _before(spec: Tree, field: str) -> Iterator[tuple[bool, dict[str, Quantity]]]:
    for one in spec.get("initContainers", []):
        yield one.get("restartPolicy") == SIDECAR, _amounts(one, field)


def _amounts(container: Tree, field: str) -> dict[str, Quantity]:
    found: dict[str, Quantity] = container.get("resources", {}).get(field, {})
    return found

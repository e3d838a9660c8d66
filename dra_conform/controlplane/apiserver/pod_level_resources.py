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
"""The resources whose pod-level requests can differ from the limits."""


def default(spec: Tree) -> None:
    """Set the default requests of a pod with pod-level limits: its containers' total requests, then the
    limits (KEP-5517/pod-level-resources/budget-compares-requests).
    """
    if spec.get("resources", {}).get("limits"):
        _default_requests(spec)


def completed(spec: Tree) -> Tree:
    """Return the spec with default requests and limits if it has pod-level requests or limits.

    A limit is set if all containers have this limit.
    """
    if not any(spec.get("resources", {}).get(name) for name in ("limits", "requests")):
        return spec
    spec = {**spec, "resources": dict(spec["resources"])}
    resources = spec["resources"]
    _default_requests(spec)
    limits = dict(resources.get("limits", {}))
    total = _total(spec, "limits")
    containers = [*spec.get("initContainers", []), *spec.get("containers", [])]
    for name, requested in resources.get("requests", {}).items():
        all_limited = containers and all(name in _quantities(container, "limits") for container in containers)
        if all_limited and name not in limits:
            limits[name] = max(requested, total[name])
    if limits:
        resources["limits"] = limits
    return spec


def _default_requests(spec: Tree) -> None:
    resources = spec["resources"]
    requests = dict(resources.get("requests", {}))
    total = _total(spec, "requests")
    for name in _OVERCOMMITTED & total.keys():
        requests.setdefault(name, total[name])
    for name, limit in resources.get("limits", {}).items():
        requests.setdefault(name, limit)
    if requests:
        resources["requests"] = requests


def validate(spec: Tree, errors: FieldErrors) -> None:
    """Validate that total requests and container limits do not exceed the pod-level values
    (KEP-5517/pod-level-resources/admission-checks-spec-only).
    """
    resources = spec.get("resources")
    if resources is None:
        return
    if "claims" in resources:
        errors.forbidden(f"{_PATH}.claims", "claims may not be set for resources of a pod")
    validate_requirements(resources, _PATH, errors)
    requests, limits = resources.get("requests", {}), resources.get("limits", {})
    for name, quantity in _total(spec, "requests").items():
        if name in requests and quantity > requests[name]:
            message = f"must be greater than or equal to aggregate container requests of {quantity}"
            errors.invalid(f"{_PATH}.requests[{name}]", str(requests[name]), message)
    for name, quantity in _total(spec, "limits").items():
        if name.startswith(HUGE_PAGES) and name in limits and quantity > limits[name]:
            message = f"must be greater than or equal to aggregate container limits of {quantity}"
            errors.invalid(f"{_PATH}.limits[{name}]", str(limits[name]), message)
    for index, container in enumerate(spec.get("containers", [])):
        for name, quantity in _quantities(container, "limits").items():
            if name in limits and quantity > limits[name]:
                path = f"{_PATH}.containers[{index}][{name}].limits"
                errors.invalid(
                    path, str(quantity), f"must be less than or equal to pod limits of {limits[name]}"
                )


def _total(spec: Tree, field: str) -> dict[str, Quantity]:
    return aggregated(
        _init_containers(spec, field),
        (_quantities(container, field) for container in spec.get("containers", [])),
    )


def _init_containers(spec: Tree, field: str) -> Iterator[tuple[bool, dict[str, Quantity]]]:
    for container in spec.get("initContainers", []):
        yield container.get("restartPolicy") == SIDECAR, _quantities(container, field)


def _quantities(container: Tree, field: str) -> dict[str, Quantity]:
    quantities: dict[str, Quantity] = container.get("resources", {}).get(field, {})
    return quantities

"""Validation of resource requirements: quantities in containers and quotas, and pod-level resources.

Requests and limits of a pod are validated against those of its containers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dra_conform.apiserver import naming
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import OverflowingQuantity, Tree
from dra_conform.footprint.containers import SIDECAR, aggregated
from dra_conform.kube.quantity import NANO, Quantity

CONTAINER_RESOURCES = ("cpu", "memory", "ephemeral-storage")
HUGE_PAGES = "hugepages-"
_MILLI = NANO // 1000


def validate_quantities(
    quantities: dict[str, Quantity],
    path: str,
    errors: FieldErrors,
    plain: Collection[str],
    counted: Collection[str] = (),
) -> None:
    """Validate names and quantities of resources; names without a domain must be in `plain` or `counted`.

    Quantities of `counted` and of extended resources must be integers.
    """
    for name, quantity in quantities.items():
        place = f"{path}[{name}]"
        for message in naming.label_key(name):
            errors.invalid(place, name, message)
        if "/" not in name and name not in (*plain, *counted) and not name.startswith(HUGE_PAGES):
            errors.invalid(place, name, "must be a standard resource type or fully qualified")
        if quantity.nano < 0:
            errors.invalid(place, str(quantity), "must be greater than or equal to 0")
    validate_integers(
        {name: quantities[name] for name in quantities if name in counted or _extended(name)}, path, errors
    )


def validate_integers(quantities: dict[str, Quantity], path: str, errors: FieldErrors) -> None:
    """Validate that each quantity is an integer."""
    for name, quantity in quantities.items():
        overflows = errors.milli_units_overflow and isinstance(quantity, OverflowingQuantity)
        if overflows or quantity.nano % NANO:
            errors.invalid(f"{path}[{name}]", str(quantity), "must be an integer")


def validate_requirements(resources: Tree, path: str, errors: FieldErrors) -> None:
    """Validate limits and requests of a container; an extended resource needs equal request and limit."""
    limits, requests = resources.get("limits", {}), resources.get("requests", {})
    validate_quantities(limits, f"{path}.limits", errors, CONTAINER_RESOURCES)
    validate_quantities(requests, f"{path}.requests", errors, CONTAINER_RESOURCES)
    for name, quantity in requests.items():
        exact = not _overcommitted(name)
        limit = limits.get(name)
        if limit is None and exact:
            errors.required(f"{path}.limits", "limit must be set for non overcommitable resources")
        elif limit is not None and (quantity > limit or (exact and quantity != limit)):
            errors.invalid(f"{path}.requests", str(quantity), f"must be within the limit of {limit}")


def round_up(parent: Tree, *fields: str) -> None:
    """Round the quantities of resources in these fields away from zero to whole milli-units
    (API/pod/milli-units)."""
    for name in fields:
        quantities = parent.get(name) or {}
        if any(quantity.nano % _MILLI for quantity in quantities.values()):
            parent[name] = {
                resource: _rounded(quantity) if quantity.nano % _MILLI else quantity
                for resource, quantity in quantities.items()
            }


def _rounded(quantity: Quantity) -> Quantity:
    return Quantity(quantity.milli_value() * _MILLI, quantity.format)


def default_requests(resources: Tree) -> None:
    """Set the default request of each resource to its limit."""
    if resources.get("limits"):
        resources["requests"] = {**resources["limits"], **resources.get("requests", {})}


def _overcommitted(name: str) -> bool:
    return ("/" not in name or "kubernetes.io/" in name) and not name.startswith(HUGE_PAGES)


def _extended(name: str) -> bool:
    return not naming.extended_resource(name)


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

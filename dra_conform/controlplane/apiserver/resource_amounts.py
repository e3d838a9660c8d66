"""Validation of resource quantities in containers and quotas."""

from __future__ import annotations

from collections.abc import Collection

from dra_conform.controlplane.apiserver import naming
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.trees import OverflowingQuantity, Tree
from dra_conform.kube.quantity import NANO, Quantity

CONTAINER_RESOURCES = ("cpu", "memory", "ephemeral-storage")
HUGE_PAGES = "hugepages-"


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


def default_requests(resources: Tree) -> None:
    """Set the default request of each resource to its limit."""
    if resources.get("limits"):
        resources["requests"] = {**resources["limits"], **resources.get("requests", {})}


def _overcommitted(name: str) -> bool:
    return ("/" not in name or "kubernetes.io/" in name) and not name.startswith(HUGE_PAGES)


def _extended(name: str) -> bool:
    return not naming.extended_resource(name)

"""Validation of resource quantities in containers and quotas."""

from __future__ import annotations

from collections.abc import Collection

from dra_conform.controlplane.apiserver import naming
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.kube.quantity import NANO, Quantity

OF_CONTAINERS = ("cpu", "memory", "ephemeral-storage")
HUGE_PAGES = "hugepages-"


def validate_amounts(
    amounts: dict[str, Quantity],
    path: str,
    errors: FieldErrors,
    plain: Collection[str],
    counted: Collection[str] = (),
) -> None:
    """Each amount is not negative; names without a domain are among `plain` and `counted`.

    What is counted and extended resources come in whole amounts.
    """
    for name, amount in amounts.items():
        place = f"{path}[{name}]"
        for message in naming.label_key(name):
            errors.invalid(place, name, message)
        if "/" not in name and name not in (*plain, *counted) and not name.startswith(HUGE_PAGES):
            errors.invalid(place, name, "must be a standard resource type or fully qualified")
        if amount.nano < 0:
            errors.invalid(place, str(amount), "must be greater than or equal to 0")
    whole_amounts(
        {name: amounts[name] for name in amounts if name in counted or _extended(name)}, path, errors
    )


def whole_amounts(amounts: dict[str, Quantity], path: str, errors: FieldErrors) -> None:
    """Each amount is an integer."""
    for name, amount in amounts.items():
        if amount.nano % NANO:
            errors.invalid(f"{path}[{name}]", str(amount), "must be an integer")


def validate_requirements(resources: Tree, path: str, errors: FieldErrors) -> None:
    """The limits and requests of a container: of an extended resource just what is the limit is requested."""
    limits, requests = resources.get("limits", {}), resources.get("requests", {})
    validate_amounts(limits, f"{path}.limits", errors, OF_CONTAINERS)
    validate_amounts(requests, f"{path}.requests", errors, OF_CONTAINERS)
    for name, amount in requests.items():
        exact = not _overcommitted(name)
        limit = limits.get(name)
        if limit is None and exact:
            errors.required(f"{path}.limits", "limit must be set for non overcommitable resources")
        elif limit is not None and (amount > limit or (exact and amount != limit)):
            errors.invalid(f"{path}.requests", str(amount), f"must be within the limit of {limit}")


def default_requests(resources: Tree) -> None:
    """What has a limit and no request is requested up to the limit."""
    if resources.get("limits"):
        resources["requests"] = {**resources["limits"], **resources.get("requests", {})}


def _overcommitted(name: str) -> bool:
    return ("/" not in name or "kubernetes.io/" in name) and not name.startswith(HUGE_PAGES)


def _extended(name: str) -> bool:
    return not naming.extended_resource(name)

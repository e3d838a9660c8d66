"""The fields of a pod's status about its claims."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.apiserver import naming, node_allocatable
from dra_conform.controlplane.apiserver.gated_fields import GatedField, is_filled
from dra_conform.controlplane.apiserver.pod_spec import containers
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.strictness import Strictness
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import same, text, unique
from dra_conform.kube.quantity import Quantity

OF_CLAIMS = ("resourceClaimStatuses", "extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses")
"""The fields of the status that tell of claims."""

GATED = (
    GatedField(("DRAExtendedResource",), "status.extendedResourceClaimStatus"),
    GatedField(("DRANodeAllocatableResources",), "status.nodeAllocatableResourceClaimStatuses", is_filled),
)
"""What is dropped while its gates are not on."""

_ZERO = Quantity(0)
_SUBDOMAIN, _LABEL = text(naming.dns_subdomain), text(naming.dns_label)


def validate(pod: Tree, stored: Tree, errors: FieldErrors, strictness: Strictness) -> None:
    """What the status says of claims must fit the pod's spec; `stored` is the status it replaces."""
    spec, status = pod.get("spec", {}), pod.get("status", {})
    _generated(status.get("resourceClaimStatuses", []), spec, errors, strictness)
    if "extendedResourceClaimStatus" in status:
        _extended(status["extendedResourceClaimStatus"], spec, errors, strictness)
    known = {one.get("resourceClaimName") for one in spec.get("resourceClaims", [])}
    known |= {one.get("resourceClaimName") for one in status.get("resourceClaimStatuses", [])}
    if strictness.claim_status_of_special:
        known.add(status.get("extendedResourceClaimStatus", {}).get("resourceClaimName"))
    path = "status.nodeAllocatableResourceClaimStatuses"
    unchanged = same(_allocatable(status), _allocatable(stored))
    before = {one.get("resourceClaimName", ""): one for one in reversed(_allocatable(stored))}
    for index, one in enumerate(_allocatable(status)):
        trusted = one if unchanged else before.get(one.get("resourceClaimName", ""), {})
        _node_allocatable(one, trusted, known, f"{path}[{index}]", errors, strictness)
    if strictness.claim_statuses_unique and not unchanged:
        claims = [one.get("resourceClaimName", "") for one in _allocatable(status)]
        unique(claims, path, errors)


def _allocatable(status: Tree) -> list[Tree]:
    found: list[Tree] = status.get("nodeAllocatableResourceClaimStatuses", [])
    return found


def _generated(statuses: list[Tree], spec: Tree, errors: FieldErrors, strictness: Strictness) -> None:
    path = "status.resourceClaimStatuses"
    at = "name" if strictness.generated_claim_at_name else "resourceClaimName"
    entries = {claim.get("name", "") for claim in spec.get("resourceClaims", [])}
    for index, one in enumerate(statuses):
        if one.get("name", "") not in entries:
            message = "must match the name of an entry in `spec.resourceClaims`"
            errors.invalid(f"{path}[{index}].name", one.get("name", ""), message)
        if "resourceClaimName" in one:
            _SUBDOMAIN(one["resourceClaimName"], None, f"{path}[{index}].{at}", errors)
    unique([one.get("name", "") for one in statuses], path, errors, ".name")


def _extended(status: Tree, spec: Tree, errors: FieldErrors, strictness: Strictness) -> None:
    """KEP-5004: each request of the special claim serves a resource that the container named requests."""
    path = "status.extendedResourceClaimStatus"
    requests = {
        one.get("name", ""): one.get("resources", {}).get("requests", {}) for _, one in containers(spec)
    }
    mappings = status.get("requestMappings", [])
    if not mappings:
        errors.required(f"{path}.requestMappings", "at least one request mapping is required")
    for index, one in enumerate(mappings):
        place = f"{path}.requestMappings[{index}]"
        container, resource = one.get("containerName", ""), one.get("resourceName", "")
        if container not in requests:
            errors.invalid(f"{place}.containerName", container, "must match the name of a container")
        elif resource not in requests[container]:
            errors.invalid(f"{place}.resourceName", resource, "must match a resource the container requests")
        # The API server leaves the index out of this path.
        _LABEL(one.get("requestName"), None, f"{path}.requestName", errors)
    names = ("containerName", "resourceName", "requestName")[: 2 if strictness.extended_resources_once else 3]
    for name in names:
        keys: list[Any] = [tuple(one.get(part, "") for part in names) for one in mappings]
        unique(keys, f"{path}.requestMappings", errors, f".{name}")
    if status.get("resourceClaimName"):
        _SUBDOMAIN(status["resourceClaimName"], None, f"{path}.resourceClaimName", errors)
    else:
        errors.required(f"{path}.resourceClaimName")


def _node_allocatable(
    one: Tree, before: Tree, known: set[Any], path: str, errors: FieldErrors, strictness: Strictness
) -> None:
    """KEP-5517: the claim is one of the pod's, and all amounts are of resources of nodes.

    What `before`, the entry stored for the claim, has without an amount or twice may stay so.
    """
    name = one.get("resourceClaimName", "")
    if not name:
        errors.required(f"{path}.resourceClaimName", "must not be empty")
    if name not in known and (name or strictness.claim_status_by_resource):
        errors.invalid(f"{path}.resourceClaimName", name, "no mapping found in pod reference")
    if strictness.claim_statuses_unique and not same(one.get("containers"), before.get("containers")):
        unique(one.get("containers", []), f"{path}.containers", errors)
    if strictness.claim_status_by_resource:
        if not one.get("containers") and not strictness.claim_status_containers_optional:
            errors.required(f"{path}.containers", "must not be empty")
        if not one.get("resources"):
            errors.required(f"{path}.resources", "must not be empty")
    for resource, amount in one.get("resources", {}).items():
        place = f"{path}.resources[{resource}]"
        node_allocatable.validate_name(resource, place, errors, strictness)
        _not_negative(amount, place, errors)
    for name, fields in (("mapping", ("quantity",)), ("overhead", ("perPod", "perContainer"))):
        amounts, stored = one.get(name, []), before.get(name, [])
        _listed(amounts, stored, fields, f"{path}.{name}", errors, strictness)
        if not same(amounts, stored):
            unique([amount.get("name", "") for amount in amounts], f"{path}.{name}", errors)


def _listed(
    amounts: list[Tree],
    stored: list[Tree],
    fields: tuple[str, ...],
    path: str,
    errors: FieldErrors,
    strictness: Strictness,
) -> None:
    for index, one in enumerate(amounts):
        place = f"{path}[{index}]"
        if not one.get("name"):
            errors.required(f"{place}.name")
        node_allocatable.validate_name(one.get("name", ""), f"{place}.name", errors, strictness)
        given = [field for field in fields if field in one]
        if not given and len(fields) == 1:
            if one not in stored:
                errors.required(f"{place}.{fields[0]}")
        elif not given:
            errors.invalid(place, "", f"at least one of {' and '.join(fields)} must be set")
        for field in given:
            _not_negative(one[field], f"{place}.{field}", errors)


def _not_negative(amount: Quantity, path: str, errors: FieldErrors) -> None:
    if amount < _ZERO:
        errors.invalid(path, str(amount), "must be non-negative")

"""The fields of a pod's status about its claims."""

from __future__ import annotations

from typing import Any

from dra_conform.apiserver import naming, node_allocatable
from dra_conform.apiserver.gated_fields import GatedField, is_filled
from dra_conform.apiserver.pod_spec import containers
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import same, string, unique
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.api_server import ApiServerSwitches

CLAIM_FIELDS = (
    "resourceClaimStatuses",
    "extendedResourceClaimStatus",
    "nodeAllocatableResourceClaimStatuses",
)
"""The claim-related fields of the status."""

GATED = (
    GatedField(("DRAExtendedResource",), "status.extendedResourceClaimStatus"),
    GatedField(("DRANodeAllocatableResources",), "status.nodeAllocatableResourceClaimStatuses", is_filled),
)
"""The gated fields of the status."""

_ZERO = Quantity(0)
_SUBDOMAIN, _LABEL = string(naming.dns_subdomain), string(naming.dns_label)


def validate(pod: Tree, stored: Tree, errors: FieldErrors, switches: ApiServerSwitches) -> None:
    """Validate the claim-related fields against the pod's spec and the stored status."""
    spec, status = pod.get("spec", {}), pod.get("status", {})
    _generated(status.get("resourceClaimStatuses", []), spec, errors, switches)
    if "extendedResourceClaimStatus" in status:
        _extended(status["extendedResourceClaimStatus"], spec, errors, switches)
    known = {entry.get("resourceClaimName") for entry in spec.get("resourceClaims", [])}
    known |= {entry.get("resourceClaimName") for entry in status.get("resourceClaimStatuses", [])}
    if switches.claim_status_of_extended_resources:
        known.add(status.get("extendedResourceClaimStatus", {}).get("resourceClaimName"))
    path = "status.nodeAllocatableResourceClaimStatuses"
    unchanged = same(_allocatable(status), _allocatable(stored))
    before = {entry.get("resourceClaimName", ""): entry for entry in reversed(_allocatable(stored))}
    for index, entry in enumerate(_allocatable(status)):
        trusted = entry if unchanged else before.get(entry.get("resourceClaimName", ""), {})
        _node_allocatable(entry, trusted, known, f"{path}[{index}]", errors, switches)
    if switches.claim_statuses_unique and not unchanged:
        claims = [entry.get("resourceClaimName", "") for entry in _allocatable(status)]
        unique(claims, path, errors)


def _allocatable(status: Tree) -> list[Tree]:
    entries: list[Tree] = status.get("nodeAllocatableResourceClaimStatuses", [])
    return entries


def _generated(statuses: list[Tree], spec: Tree, errors: FieldErrors, switches: ApiServerSwitches) -> None:
    path = "status.resourceClaimStatuses"
    at = "name" if switches.generated_claim_at_name else "resourceClaimName"
    entries = {claim.get("name", "") for claim in spec.get("resourceClaims", [])}
    for index, status in enumerate(statuses):
        if status.get("name", "") not in entries:
            message = "must match the name of an entry in `spec.resourceClaims`"
            errors.invalid(f"{path}[{index}].name", status.get("name", ""), message)
        if "resourceClaimName" in status:
            _SUBDOMAIN(status["resourceClaimName"], None, f"{path}[{index}].{at}", errors)
    unique([status.get("name", "") for status in statuses], path, errors, ".name")


def _extended(status: Tree, spec: Tree, errors: FieldErrors, switches: ApiServerSwitches) -> None:
    """Validate extendedResourceClaimStatus (KEP-5004): each mapping is for a resource that its container
    requests."""
    path = "status.extendedResourceClaimStatus"
    requests = {
        container.get("name", ""): container.get("resources", {}).get("requests", {})
        for _, container in containers(spec)
    }
    mappings = status.get("requestMappings", [])
    if not mappings:
        errors.required(f"{path}.requestMappings", "at least one request mapping is required")
    for index, mapping in enumerate(mappings):
        place = f"{path}.requestMappings[{index}]"
        container, resource = mapping.get("containerName", ""), mapping.get("resourceName", "")
        if container not in requests:
            errors.invalid(f"{place}.containerName", container, "must match the name of a container")
        elif resource not in requests[container]:
            errors.invalid(f"{place}.resourceName", resource, "must match a resource the container requests")
        # The API server leaves the index out of this path.
        _LABEL(mapping.get("requestName"), None, f"{path}.requestName", errors)
    names = ("containerName", "resourceName", "requestName")[: 2 if switches.extended_resources_once else 3]
    for name in names:
        keys: list[Any] = [tuple(mapping.get(part, "") for part in names) for mapping in mappings]
        unique(keys, f"{path}.requestMappings", errors, f".{name}")
    if status.get("resourceClaimName"):
        _SUBDOMAIN(status["resourceClaimName"], None, f"{path}.resourceClaimName", errors)
    else:
        errors.required(f"{path}.resourceClaimName")


def _node_allocatable(
    entry: Tree, before: Tree, known: set[Any], path: str, errors: FieldErrors, switches: ApiServerSwitches
) -> None:
    """Validate an entry of nodeAllocatableResourceClaimStatuses (KEP-5517).

    Missing quantities and duplicates are valid if the stored entry `before` has them too.
    """
    name = entry.get("resourceClaimName", "")
    if not name:
        errors.required(f"{path}.resourceClaimName", "must not be empty")
    if name not in known and (name or switches.claim_status_by_resource):
        errors.invalid(f"{path}.resourceClaimName", name, "no mapping found in pod reference")
    if switches.claim_statuses_unique and not same(entry.get("containers"), before.get("containers")):
        unique(entry.get("containers", []), f"{path}.containers", errors)
    if switches.claim_status_by_resource:
        if not entry.get("containers") and not switches.claim_status_containers_optional:
            errors.required(f"{path}.containers", "must not be empty")
        if not entry.get("resources"):
            errors.required(f"{path}.resources", "must not be empty")
    for resource, quantity in entry.get("resources", {}).items():
        place = f"{path}.resources[{resource}]"
        node_allocatable.validate_name(resource, place, errors, switches)
        _not_negative(quantity, place, errors)
    for name, fields in (("mapping", ("quantity",)), ("overhead", ("perPod", "perContainer"))):
        resources, stored = entry.get(name, []), before.get(name, [])
        _resources(resources, stored, fields, f"{path}.{name}", errors, switches)
        if not same(resources, stored):
            unique([quantity.get("name", "") for quantity in resources], f"{path}.{name}", errors)


def _resources(
    resources: list[Tree],
    stored: list[Tree],
    fields: tuple[str, ...],
    path: str,
    errors: FieldErrors,
    switches: ApiServerSwitches,
) -> None:
    for index, resource in enumerate(resources):
        place = f"{path}[{index}]"
        if not resource.get("name"):
            errors.required(f"{place}.name")
        node_allocatable.validate_name(resource.get("name", ""), f"{place}.name", errors, switches)
        present = [field for field in fields if field in resource]
        if not present and len(fields) == 1:
            if resource not in stored:
                errors.required(f"{place}.{fields[0]}")
        elif not present:
            errors.invalid(place, "", f"at least one of {' and '.join(fields)} must be set")
        for field in present:
            _not_negative(resource[field], f"{place}.{field}", errors)


def _not_negative(quantity: Quantity, path: str, errors: FieldErrors) -> None:
    if quantity < _ZERO:
        errors.invalid(path, str(quantity), "must be non-negative")

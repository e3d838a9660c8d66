"""The spec of a pod, limited to claims and resources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dra_conform.apiserver import naming
from dra_conform.apiserver.gated_fields import GatedField, is_filled
from dra_conform.apiserver.resource_requirements import (
    default_requests,
    round_up,
    validate_integers,
    validate_requirements,
)
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import every, fields, required, same, string
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.quality_of_service import qos_class

CONTAINER_LISTS = ("initContainers", "containers")
"""The container lists of a pod spec whose containers can use claims."""

_CLAIMS = ("DynamicResourceAllocation",)

GATED = (
    GatedField(_CLAIMS, "spec.resourceClaims", is_filled),
    *(GatedField(_CLAIMS, f"spec.{name}.*.resources.claims", is_filled) for name in CONTAINER_LISTS),
)
"""The gated fields of a pod spec."""

_MUTABLE = ("activeDeadlineSeconds", "schedulingGates", "terminationGracePeriodSeconds", "tolerations")


def containers(spec: Tree) -> Iterator[tuple[str, Tree]]:
    """Yield each init container and container with its path below the spec."""
    for field in CONTAINER_LISTS:
        for index, container in enumerate(spec.get(field, [])):
            yield f"{field}[{index}]", container


def qos_class_of(spec: Tree) -> str:
    """Return the QoS class of a pod: by its pod-level resources, or by its containers if it has none
    (KEP-5517/kubelet/qos-from-spec-only)."""
    owners = [spec] if spec.get("resources") else [container for _, container in containers(spec)]
    resources = [owner.get("resources", {}) for owner in owners]
    return qos_class([(each.get("requests", {}), each.get("limits", {})) for each in resources])


def default(spec: Tree) -> None:
    """Set the default requests of containers to their limits; other defaults of pods are not set."""
    for _, container in containers(spec):
        default_requests(container.get("resources", {}))


def round_up_resources(spec: Tree) -> None:
    """Round the quantities of containers, of the pod and of its overhead up to whole milli-units."""
    for _, owner in (*containers(spec), ("", spec)):
        if owner.get("resources"):
            round_up(owner["resources"], "requests", "limits")
    round_up(spec, "overhead")


def validate(spec: Tree, errors: FieldErrors) -> None:
    """Validate claim entries, the references of containers to them, and container resources."""
    claims = spec.get("resourceClaims", [])
    _claims(claims, errors)
    if not spec.get("containers"):
        errors.required("spec.containers")
    names = {claim["name"] for claim in claims if "name" in claim}
    for place, container in containers(spec):
        path = f"spec.{place}"
        _LABEL(container.get("name"), None, f"{path}.name", errors)
        if not container.get("image"):
            errors.required(f"{path}.image")
        resources = container.get("resources", {})
        validate_requirements(resources, f"{path}.resources", errors)
        _references(resources.get("claims", []), names, f"{path}.resources.claims", errors)
    names_seen: set[str] = set()
    for field in reversed(CONTAINER_LISTS):
        for index, container in enumerate(spec.get(field, [])):
            if container.get("name", "") in names_seen:
                errors.duplicate(f"spec.{field}[{index}].name", container.get("name", ""))
            names_seen.add(container.get("name", ""))


def validate_implicit_resources(spec: Tree, errors: FieldErrors) -> None:
    """Validate that quantities of implicit extended resources are integers (KEP-5004)."""
    for place, container in containers(spec):
        for part in ("limits", "requests"):
            quantities = container.get("resources", {}).get(part, {})
            implicit = {
                name: quantity for name, quantity in quantities.items() if name.startswith(CLASS_PREFIX)
            }
            validate_integers(implicit, f"spec.{place}.resources.{part}", errors)


def validate_update(spec: Tree, stored: Tree, errors: FieldErrors) -> None:
    """Validate that an update changes only images and mutable fields, and keeps the number of containers."""
    for field in reversed(CONTAINER_LISTS):
        if len(spec.get(field, [])) != len(stored.get(field, [])):
            errors.forbidden(f"spec.{field}", "pod updates may not add or remove containers")
            return
    if not same(_without(spec, "image"), _without(stored, "image")):
        mutable = ", ".join(_MUTABLE)
        errors.forbidden("spec", f"pod updates may not change fields other than images, {mutable}")


def _without(spec: Tree, field: str) -> Tree:
    kept = {name: value for name, value in spec.items() if name not in _MUTABLE}
    return {
        **kept,
        **{
            name: [_without_field(container, field) for container in spec.get(name, [])]
            for name in CONTAINER_LISTS
        },
    }


def _without_field(container: Tree, field: str) -> Tree:
    return {name: value for name, value in container.items() if name != field}


def _claims(claims: list[Tree], errors: FieldErrors) -> None:
    """Validate the claim entries; a duplicate name is only reported as duplicate."""
    names: set[str] = set()
    for index, claim in enumerate(claims):
        path, name = f"spec.resourceClaims[{index}]", claim.get("name", "")
        if name and name in names:
            errors.duplicate(f"{path}.name", name)
        else:
            _LABEL(name, None, f"{path}.name", errors)
        names.add(name)
        _CLAIM(claim, None, path, errors)


def _one_source(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if ("resourceClaimName" in value) == ("resourceClaimTemplateName" in value):
        errors.invalid(path, None, "must specify one of resourceClaimName and resourceClaimTemplateName")


def _references(references: list[Tree], names: set[str], path: str, errors: FieldErrors) -> None:
    """Validate that a container refers to each claim once, or to distinct requests of it."""
    seen: set[tuple[str, str]] = set()
    for index, reference in enumerate(references):
        place = f"{path}[{index}]"
        name, request = reference.get("name", ""), reference.get("request", "")
        if not name:
            errors.required(place)
            continue
        if request:
            _LABEL(request, None, f"{place}.request", errors)
        if any(other == name and (not request or not part or part == request) for other, part in seen):
            errors.duplicate(place, name)
        seen.add((name, request))
        if name not in names:
            errors.not_found(place, name)


_LABEL = required(string(naming.dns_label))
_SUBDOMAIN = string(naming.dns_subdomain)
_CLAIM = every(
    fields({}, {"resourceClaimName": _SUBDOMAIN, "resourceClaimTemplateName": _SUBDOMAIN}), _one_source
)

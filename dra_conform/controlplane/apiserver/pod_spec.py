"""The spec of a pod, as far as claims and extended resources are concerned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dra_conform.controlplane.apiserver import naming
from dra_conform.controlplane.apiserver.gated_fields import GatedField, is_filled
from dra_conform.controlplane.apiserver.resource_amounts import (
    default_requests,
    validate_requirements,
    whole_amounts,
)
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import every, fields, required, same, text
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.quality_of_service import qos_class

FIELDS_OF_CONTAINERS = ("initContainers", "containers")
"""The lists of containers of a pod's spec that may use claims."""

_CLAIMS = ("DynamicResourceAllocation",)

GATED = (
    GatedField(_CLAIMS, "spec.resourceClaims", is_filled),
    *(GatedField(_CLAIMS, f"spec.{one}.*.resources.claims", is_filled) for one in FIELDS_OF_CONTAINERS),
)
"""What is dropped while its gate is off."""

_MUTABLE = ("activeDeadlineSeconds", "schedulingGates", "terminationGracePeriodSeconds", "tolerations")


def containers(spec: Tree) -> Iterator[tuple[str, Tree]]:
    """Each init container and container, with its path below the spec."""
    for field in FIELDS_OF_CONTAINERS:
        for index, container in enumerate(spec.get(field, [])):
            yield f"{field}[{index}]", container


def service_class(spec: Tree) -> str:
    """By what the pod requests as a whole, else by its containers (KEP-5517/kubelet/qos-from-spec-only)."""
    several = [spec] if spec.get("resources") else [one for _, one in containers(spec)]
    resources = [one.get("resources", {}) for one in several]
    return qos_class([(one.get("requests", {}), one.get("limits", {})) for one in resources])


def default(spec: Tree) -> None:
    """Containers request what they are limited to. Other defaults of pods are not written."""
    for _, container in containers(spec):
        default_requests(container.get("resources", {}))


def validate(spec: Tree, errors: FieldErrors) -> None:
    """The entries for claims, the references of containers to them, and the resources of containers."""
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
    taken: set[str] = set()
    for field in reversed(FIELDS_OF_CONTAINERS):
        for index, container in enumerate(spec.get(field, [])):
            if container.get("name", "") in taken:
                errors.duplicate(f"spec.{field}[{index}].name", container.get("name", ""))
            taken.add(container.get("name", ""))


def validate_implicit_resources(spec: Tree, errors: FieldErrors) -> None:
    """What containers request of device classes by their implicit names comes in whole amounts (KEP-5004)."""
    for place, container in containers(spec):
        for part in ("limits", "requests"):
            amounts = container.get("resources", {}).get(part, {})
            classes = {name: amount for name, amount in amounts.items() if name.startswith(CLASS_PREFIX)}
            whole_amounts(classes, f"spec.{place}.resources.{part}", errors)


def validate_update(spec: Tree, stored: Tree, errors: FieldErrors) -> None:
    """Only images and a few fields of the pod itself may change; no container comes or goes."""
    for field in reversed(FIELDS_OF_CONTAINERS):
        if len(spec.get(field, [])) != len(stored.get(field, [])):
            errors.forbidden(f"spec.{field}", "pod updates may not add or remove containers")
            return
    if not same(_without(spec, "image"), _without(stored, "image")):
        fixed = ", ".join(_MUTABLE)
        errors.forbidden("spec", f"pod updates may not change fields other than images, {fixed}")


def _without(spec: Tree, field: str) -> Tree:
    kept = {name: value for name, value in spec.items() if name not in _MUTABLE}
    return {
        **kept,
        **{name: [_less(one, field) for one in spec.get(name, [])] for name in FIELDS_OF_CONTAINERS},
    }


def _less(container: Tree, field: str) -> Tree:
    return {name: value for name, value in container.items() if name != field}


def _claims(claims: list[Tree], errors: FieldErrors) -> None:
    """A name that an earlier entry has is not looked at any further."""
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
    """A container names each claim once as a whole, or some of its requests."""
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


_LABEL = required(text(naming.dns_label))
_SUBDOMAIN = text(naming.dns_subdomain)
_CLAIM = every(
    fields({}, {"resourceClaimName": _SUBDOMAIN, "resourceClaimTemplateName": _SUBDOMAIN}), _one_source
)

"""The strategy of Pod, limited to claims and resources, with its resize subresource."""

from __future__ import annotations

from dra_conform.apiserver import naming, pod_spec, pod_status, resource_requirements
from dra_conform.apiserver.gated_fields import drop_disabled
from dra_conform.apiserver.pod_spec import CONTAINER_LISTS
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.strategy import Part, Review, Strategy, all_but_status, only_status
from dra_conform.apiserver.trees import SharedTree, Tree
from dra_conform.apiserver.walk import same
from dra_conform.kube import core
from dra_conform.kube.switches.api_server import ApiServerSwitches

_RESIZABLE = ("cpu", "memory")
_RESOURCE_FIELDS = ("requests", "limits")
_FROM_CLIENT = ("resources", "resizePolicy")


def _prepare_resize(tree: Tree, old: Tree | None, review: Review) -> None:
    """Keep all stored fields except for container resources, unless the number of containers changed."""
    assert old is not None
    spec, stored = tree["spec"], old["spec"]
    if "status" in old:
        tree["status"] = old["status"]
    if any(len(spec.get(field, [])) != len(stored.get(field, [])) for field in CONTAINER_LISTS):
        return
    tree["spec"] = {**stored, **{field: _merged(spec, stored, field) for field in CONTAINER_LISTS}}


def _merged(spec: Tree, stored: Tree, field: str) -> list[Tree]:
    pairs = list(zip(spec.get(field, []), stored.get(field, []), strict=True))
    if any(new.get("name") != old.get("name") for new, old in pairs):
        return [new for new, _ in pairs]
    return [
        {
            **{name: value for name, value in old.items() if name not in _FROM_CLIENT},
            **{name: new[name] for name in _FROM_CLIENT if name in new},
        }
        for new, old in pairs
    ]


def _validate_resize(tree: Tree, old: Tree | None, review: Review) -> None:
    assert old is not None
    spec, stored, errors = tree["spec"], old["spec"], review.errors
    pod_spec.validate(spec, errors)
    if pod_spec.qos_class_of(spec) != pod_spec.qos_class_of(stored):
        errors.invalid("spec", None, "Pod QOS Class may not change as a result of resizing")
    claims = old.get("status", {}).get("nodeAllocatableResourceClaimStatuses")
    if claims and review.switches.claim_status_blocks_resize:
        errors.forbidden("spec", "pods with node allocatable resource claims cannot be resized")
    if not _same_containers(spec, stored, errors):
        return
    for field in CONTAINER_LISTS:
        for index, (new, before) in enumerate(zip(spec.get(field, []), stored.get(field, []), strict=True)):
            path = f"spec.{field}[{index}]"
            if field == "initContainers" and not _resizable(before, review.switches):
                if not same(new, before):
                    errors.forbidden("spec", "resources for non-sidecar init containers are immutable")
                continue
            _nothing_removed(new, before, path, errors)
            if not _only_resized(new, before, review.switches):
                place = "spec" if field == "containers" else path
                errors.forbidden(place, "only cpu and memory resources are mutable")


def _same_containers(spec: Tree, stored: Tree, errors: FieldErrors) -> bool:
    before = len(errors)
    for field in CONTAINER_LISTS:
        new, old = spec.get(field, []), stored.get(field, [])
        if len(new) != len(old):
            errors.forbidden(f"spec.{field}", "containers may not be added or removed on resize")
            continue
        for index in range(len(new)):
            if new[index].get("name") != old[index].get("name"):
                message = "containers may not be renamed or reordered on resize"
                errors.forbidden(f"spec.{field}[{index}].name", message)
    return len(errors) == before


def _resizable(init_container: Tree, switches: ApiServerSwitches) -> bool:
    return switches.init_containers_resized or init_container.get("restartPolicy") == "Always"


def _nothing_removed(container: Tree, stored: Tree, path: str, errors: FieldErrors) -> None:
    for kind in _RESOURCE_FIELDS:
        new, old = (each.get("resources", {}).get(kind, {}) for each in (container, stored))
        if old.keys() - new.keys():
            errors.forbidden(f"{path}.resources.{kind}", f"resource {kind} cannot be removed")


def _only_resized(container: Tree, stored: Tree, switches: ApiServerSwitches) -> bool:
    fixed = _fixed(container)
    if switches.resize_ignores_new_claims:
        fixed["resources"].pop("claims", None)
    return same(fixed, _fixed(stored))


def _fixed(container: Tree) -> Tree:
    resources = dict(container.get("resources", {}))
    for kind in _RESOURCE_FIELDS:
        quantities = resources.get(kind, {})
        resources[kind] = {name: quantity for name, quantity in quantities.items() if name not in _RESIZABLE}
    return {**container, "resources": resources}


_RESIZE = Part(_prepare_resize, _validate_resize)


def _default(tree: Tree, review: Review) -> None:
    spec = tree.setdefault("spec", {})
    if isinstance(spec, SharedTree):
        return
    pod_spec.default(spec)
    if not review.switches.pod_resources_defaulted_on_create:
        resource_requirements.default(spec)
    pod_spec.round_up_resources(spec)


def _prepare(tree: Tree, old: Tree | None, review: Review) -> None:
    all_but_status(tree, old, review)
    if review.switches.pod_resources_defaulted_on_create:
        tree["spec"] = _with_pod_level_resources(tree["spec"], old)
    if old is None:
        tree["status"] = {"phase": "Pending", "qosClass": pod_spec.qos_class_of(tree["spec"])}
    drop_disabled(tree, old, pod_spec.GATED, pod_spec.GATED, review.profile)


def _with_pod_level_resources(spec: Tree, old: Tree | None) -> Tree:
    """Return the spec with completed pod-level resources for a new pod.

    In an update, omitted pod-level resources keep their stored values.
    """
    if old is None:
        return resource_requirements.completed(spec)
    if "resources" not in spec and "resources" in old["spec"]:
        return {**spec, "resources": old["spec"]["resources"]}
    return spec


def _validate(tree: Tree, old: Tree | None, review: Review) -> None:
    pod_spec.validate(tree["spec"], review.errors)
    resource_requirements.validate(tree["spec"], review.errors)
    if review.switches.implicit_resources_integer:
        pod_spec.validate_implicit_resources(tree["spec"], review.errors)
    if old is not None:
        pod_spec.validate_update(tree["spec"], old["spec"], review.errors)


def _prepare_status(tree: Tree, old: Tree | None, review: Review) -> None:
    assert old is not None
    only_status(tree, old, review)
    status, stored = tree.setdefault("status", {}), old.get("status", {})
    if review.switches.omitted_pod_status_kept:
        kept = {
            name: stored[name] for name in pod_status.CLAIM_FIELDS if name in stored and name not in status
        }
        status.update(kept)
    drop_disabled(tree, old, pod_status.GATED, pod_status.GATED, review.profile)


def _validate_status(tree: Tree, old: Tree | None, review: Review) -> None:
    assert old is not None
    pod_status.validate(tree, old.get("status", {}), review.errors, review.switches)


STRATEGY = Strategy(
    type=core.Pod,
    namespaced=True,
    named=naming.dns_subdomain,
    default=_default,
    main=Part(_prepare, _validate),
    subresources={
        "status": Part(_prepare_status, _validate_status, kept=("ownerReferences",)),
        "resize": _RESIZE,
    },
    specs_shared=True,
)

"""The strategy of Pod, limited to claims and resources."""

from __future__ import annotations

from dra_conform.controlplane.apiserver import naming, pod_level_resources, pod_spec, pod_status
from dra_conform.controlplane.apiserver.gated_fields import drop_disabled
from dra_conform.controlplane.apiserver.pod_resize import RESIZE
from dra_conform.controlplane.apiserver.strategy import Part, Review, Strategy, all_but_status, only_status
from dra_conform.controlplane.apiserver.trees import SharedTree, Tree
from dra_conform.kube import core


def _default(tree: Tree, review: Review) -> None:
    spec = tree.setdefault("spec", {})
    if isinstance(spec, SharedTree):
        return
    pod_spec.default(spec)
    if not review.switches.pod_resources_defaulted_on_create:
        pod_level_resources.default(spec)


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
        return pod_level_resources.completed(spec)
    if "resources" not in spec and "resources" in old["spec"]:
        return {**spec, "resources": old["spec"]["resources"]}
    return spec


def _validate(tree: Tree, old: Tree | None, review: Review) -> None:
    pod_spec.validate(tree["spec"], review.errors)
    pod_level_resources.validate(tree["spec"], review.errors)
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
        "resize": RESIZE,
    },
    specs_shared=True,
)

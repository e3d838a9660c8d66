"""The strategy of ResourceQuota."""

from __future__ import annotations

from dra_conform.controlplane.apiserver import naming
from dra_conform.controlplane.apiserver.quota_scopes import validate_scopes, validate_unchanged
from dra_conform.controlplane.apiserver.resource_amounts import (
    CONTAINER_RESOURCES,
    HUGE_PAGES,
    validate_quantities,
)
from dra_conform.controlplane.apiserver.strategy import (
    Part,
    Review,
    Strategy,
    all_but_status,
    no_defaults,
    only_status,
)
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.kube import core

_COUNTED = (
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "persistentvolumeclaims",
    "configmaps",
    "services.nodeports",
    "services.loadbalancers",
)
_QUANTIFIED = (
    *CONTAINER_RESOURCES,
    *(f"{kind}.{name}" for kind in ("requests", "limits") for name in CONTAINER_RESOURCES),
    "requests.storage",
)


def _is_standard(name: str) -> bool:
    return name in (*_QUANTIFIED, *_COUNTED) or name.startswith((HUGE_PAGES, f"requests.{HUGE_PAGES}"))


def _validate(tree: Tree, old: Tree | None, review: Review) -> None:
    spec = tree.get("spec", {})
    validate_quantities(spec.get("hard", {}), "spec.hard", review.errors, _QUANTIFIED, _COUNTED)
    validate_scopes(spec, _is_standard, review.errors)
    if old is not None:
        validate_unchanged(spec, old.get("spec", {}), review.errors)


def _validate_status(tree: Tree, old: Tree | None, review: Review) -> None:
    for name in ("hard", "used"):
        quantities = tree.get("status", {}).get(name, {})
        validate_quantities(quantities, f"status.{name}", review.errors, _QUANTIFIED, _COUNTED)


STRATEGY = Strategy(
    type=core.ResourceQuota,
    namespaced=True,
    named=naming.dns_subdomain,
    default=no_defaults,
    main=Part(all_but_status, _validate),
    subresources={"status": Part(only_status, _validate_status)},
)

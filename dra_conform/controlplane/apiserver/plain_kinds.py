"""The strategies of Node, Namespace and ResourceQuota, of which the documents need little."""

from __future__ import annotations

from dra_conform.controlplane.apiserver import naming
from dra_conform.controlplane.apiserver.resource_amounts import OF_CONTAINERS, validate_amounts
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
_OF_QUOTAS = (
    *OF_CONTAINERS,
    *(f"{kind}.{name}" for kind in ("requests", "limits") for name in OF_CONTAINERS),
    "requests.storage",
)


def _prepare(tree: Tree, old: Tree | None, review: Review) -> None:
    all_but_status(tree, old)


def _prepare_node(tree: Tree, old: Tree | None, review: Review) -> None:
    """A new node brings its status."""
    if old is not None:
        all_but_status(tree, old)


def _prepare_status(tree: Tree, old: Tree | None, review: Review) -> None:
    only_status(tree, old)


def _valid(tree: Tree, old: Tree | None, review: Review) -> None:
    """Beyond metadata everything is taken."""


def _validate_quota(tree: Tree, old: Tree | None, review: Review) -> None:
    validate_amounts(tree.get("spec", {}).get("hard", {}), "spec.hard", review.errors, _OF_QUOTAS, _COUNTED)


def _validate_used(tree: Tree, old: Tree | None, review: Review) -> None:
    for name in ("hard", "used"):
        amounts = tree.get("status", {}).get(name, {})
        validate_amounts(amounts, f"status.{name}", review.errors, _OF_QUOTAS, _COUNTED)


NODE = Strategy(
    type=core.Node,
    namespaced=False,
    named=naming.dns_subdomain,
    default=no_defaults,
    main=Part(_prepare_node, _valid),
    subresources={"status": Part(_prepare_status, _valid)},
)
NAMESPACE = Strategy(
    type=core.Namespace,
    namespaced=False,
    named=naming.dns_label,
    default=no_defaults,
    main=Part(_prepare, _valid),
    subresources={"status": Part(_prepare_status, _valid)},
)
RESOURCE_QUOTA = Strategy(
    type=core.ResourceQuota,
    namespaced=True,
    named=naming.dns_subdomain,
    default=no_defaults,
    main=Part(_prepare, _validate_quota),
    subresources={"status": Part(_prepare_status, _validate_used)},
)

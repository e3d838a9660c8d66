"""The strategy of DeviceClass."""

from __future__ import annotations

from functools import lru_cache

from dra_conform.apiserver import limits, naming, node_allocatable
from dra_conform.apiserver.common_fields import config, selectors
from dra_conform.apiserver.gated_fields import GatedField, drop_disabled
from dra_conform.apiserver.strategy import Part, Review, Strategy
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import Rule, fields, items, same, string
from dra_conform.kube import resource
from dra_conform.kube.switches.api_server import ApiServerSwitches

GATED = (
    GatedField(("DRAExtendedResource",), "spec.extendedResourceName"),
    GatedField(("DRANodeAllocatableResources",), "spec.managesNodeAllocatableResources"),
    GatedField(("DRANodeAllocatableResources",), "spec.nodeAllocatableResourceAccountingPolicies"),
)
"""The gated fields of a DeviceClass."""


def _default(tree: Tree, review: Review) -> None:
    tree.setdefault("spec", {})


def _prepare(tree: Tree, old: Tree | None, review: Review) -> None:
    drop_disabled(tree, old, GATED, GATED, review.profile)


def _validate(tree: Tree, old: Tree | None, review: Review) -> None:
    spec, stored = tree["spec"], {} if old is None else old["spec"]
    trusted = old is not None and not review.switches.stored_spec_validated
    same_selectors = trusted and same(spec.get("selectors"), stored.get("selectors"))
    same_config = trusted and same(spec.get("config"), stored.get("config"))
    _rule(review.switches, same_selectors, same_config)(spec, None, "spec", review.errors)
    for name, policy in spec.get("nodeAllocatableResourceAccountingPolicies", {}).items():
        policy_path = f"spec.nodeAllocatableResourceAccountingPolicies[{name}]"
        node_allocatable.validate_name(name, policy_path, review.errors, review.switches)
        node_allocatable.POLICY(policy, None, policy_path, review.errors)


@lru_cache
def _rule(switches: ApiServerSwitches, same_selectors: bool, same_config: bool) -> Rule:
    """Return the rule for a spec; lists count as stored only if they are unchanged as a whole."""
    return fields(
        {},
        {
            "selectors": selectors(switches, stored=same_selectors),
            "config": items(config(switches, same_config), limits.CONFIG),
            "extendedResourceName": string(naming.extended_resource),
        },
    )


STRATEGY = Strategy(
    type=resource.DeviceClass,
    namespaced=False,
    named=naming.dns_subdomain,
    default=_default,
    main=Part(_prepare, _validate),
)

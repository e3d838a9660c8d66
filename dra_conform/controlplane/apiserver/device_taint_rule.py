"""The strategy of DeviceTaintRule."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dra_conform.controlplane.apiserver import limits, naming
from dra_conform.controlplane.apiserver.conditions import conditions
from dra_conform.controlplane.apiserver.device_taints import default_taint, taint
from dra_conform.controlplane.apiserver.expressions import selectors
from dra_conform.controlplane.apiserver.name_rules import driver, pool
from dra_conform.controlplane.apiserver.strategy import Part, Review, Strategy, all_but_status, only_status
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import Rule, fields, same, string
from dra_conform.kube import resource
from dra_conform.kube.switches.api_server import ApiServerSwitches


def _default(tree: Tree, review: Review) -> None:
    spec = tree.setdefault("spec", {})
    default_taint(spec.setdefault("taint", {}), review.surroundings.time)


def _prepare(tree: Tree, old: Tree | None, review: Review) -> None:
    all_but_status(tree, old, review)
    if old is None or not review.switches.taint_time_follows_effect:
        return
    new_taint, old_taint = tree["spec"]["taint"], old["spec"]["taint"]
    changed = new_taint.get("effect") != old_taint.get("effect")
    if changed and new_taint["timeAdded"] == old_taint["timeAdded"]:
        new_taint["timeAdded"] = review.surroundings.time


def _validate(tree: Tree, old: Tree | None, review: Review) -> None:
    stored = None if old is None else old["spec"]
    new, before = (_selectors(spec) for spec in (tree["spec"], stored or {}))
    rule = _rule(review.switches, stored is not None and same(new, before))
    rule(tree["spec"], stored, "spec", review.errors)


def _selectors(spec: Tree) -> Any:
    return spec.get("deviceSelector", {}).get("selectors")


@lru_cache
def _rule(switches: ApiServerSwitches, same_selectors: bool) -> Rule:
    selector = fields(
        {},
        {
            "deviceClassName": string(naming.dns_subdomain),
            "driver": driver(switches),
            "pool": pool,
            "device": string(naming.dns_label),
            "selectors": selectors(switches, stored=same_selectors),
        },
    )
    return fields({"taint": taint(switches)}, {"deviceSelector": selector})


def _validate_status(tree: Tree, old: Tree | None, review: Review) -> None:
    written, path = tree.get("status", {}).get("conditions", []), "status.conditions"
    conditions(review.switches)(written, None, path, review.errors)
    if len(written) > limits.RULE_CONDITIONS.bound:
        limits.RULE_CONDITIONS.exceeded(path, len(written), review.errors)


STRATEGY = Strategy(
    type=resource.DeviceTaintRule,
    namespaced=False,
    named=naming.dns_subdomain,
    default=_default,
    main=Part(_prepare, _validate),
    subresources={"status": Part(only_status, _validate_status)},
)

"""Validation of device taints and tolerations."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dra_conform.apiserver import limits, naming
from dra_conform.apiserver.common_fields import conditions, selectors
from dra_conform.apiserver.name_rules import driver, pool
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.strategy import Part, Review, Strategy, all_but_status, only_status
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import Rule, fields, items, one_of, required, same, string
from dra_conform.kube import resource
from dra_conform.kube.switches.api_server import ApiServerSwitches

_OPERATORS = ("Equal", "Exists")


def taint(switches: ApiServerSwitches) -> Rule:
    """Return the rule for a taint; an unchanged effect is not validated again."""
    check = fields({"key": string(naming.label_key)}, {"value": string(naming.label_value)})
    valid = effect(switches)

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        check(value, old, path, errors)
        unchanged = old is not None and value.get("effect") == old.get("effect")
        if not (unchanged and switches.stored_taints_trusted):
            valid(value.get("effect"), None, f"{path}.effect", errors)

    return rule


def effect(switches: ApiServerSwitches) -> Rule:
    """Return the rule for the effect of a taint."""
    return required(one_of(*_effects(switches)))


def tolerations(switches: ApiServerSwitches) -> Rule:
    """Return the rule for a list of tolerations, whose length only the specification limits."""
    return items(_toleration(switches), limits.TOLERATIONS if switches.documented_tolerations else None)


def _toleration(switches: ApiServerSwitches) -> Rule:
    """Return the rule for a toleration: `Exists` has no value, and an empty key or effect matches all."""
    check = fields(
        {"operator": required(one_of(*_OPERATORS))},
        {"key": string(naming.label_key), "effect": one_of(*_effects(switches))},
    )
    label_value = string(naming.label_value)

    def rule(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
        check(value, old, path, errors)
        if value.get("operator") == "Exists" and value.get("value"):
            errors.invalid(f"{path}.value", value["value"], "must be empty for operator `Exists`")
        elif value.get("operator") == "Equal":
            label_value(value.get("value"), None, f"{path}.value", errors)
            if switches.documented_tolerations and value.get("value") and not value.get("key"):
                errors.required(f"{path}.key", "an empty key needs the operator `Exists`")

    return rule


def _effects(switches: ApiServerSwitches) -> tuple[str, ...]:
    return ("NoExecute", "NoSchedule", *(["None"] if switches.effect_none else []))


def default_taint(taint: Tree, time: str) -> None:
    """Set the default `timeAdded` of a taint."""
    taint.setdefault("timeAdded", time)


def default_tolerations(parent: Tree) -> None:
    """Set the default operator of tolerations."""
    for toleration in parent.get("tolerations", []):
        toleration.setdefault("operator", "Equal")


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

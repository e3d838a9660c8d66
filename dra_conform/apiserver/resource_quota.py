"""The strategy of ResourceQuota, with the validation of its scopes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from dra_conform.apiserver import naming
from dra_conform.apiserver.resource_requirements import (
    CONTAINER_RESOURCES,
    HUGE_PAGES,
    round_up,
    validate_quantities,
)
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.strategy import (
    Part,
    Review,
    Strategy,
    all_but_status,
    only_status,
)
from dra_conform.apiserver.trees import Tree
from dra_conform.kube import core

_POD_RESOURCES = frozenset(
    {"pods", "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"}
)
_LIMITED: Mapping[str, Collection[str]] = {
    "Terminating": _POD_RESOURCES,
    "NotTerminating": _POD_RESOURCES,
    "BestEffort": frozenset({"pods"}),
    "NotBestEffort": _POD_RESOURCES,
    "PriorityClass": _POD_RESOURCES,
    "CrossNamespacePodAffinity": _POD_RESOURCES,
    "VolumeAttributesClass": frozenset({"persistentvolumeclaims", "requests.storage"}),
}
"""The scopes, and the resources without a domain that each can limit."""

_WITH_VALUES = ("PriorityClass", "VolumeAttributesClass")
"""The scopes that can have values; the operator of other scopes is `Exists`."""
_OPPOSITES = ({"BestEffort", "NotBestEffort"}, {"Terminating", "NotTerminating"})


def _validate_scopes(spec: Tree, standard: Callable[[str], bool], errors: FieldErrors) -> None:
    """Validate scopes and scopeSelector of a quota; `standard` recognizes resources without a domain."""
    hard = [name for name in spec.get("hard", {}) if standard(name)]
    scopes, path = list(spec.get("scopes", ())), "spec.scopes"
    for scope in scopes:
        if scope not in _LIMITED:
            errors.invalid(path, scopes, "unsupported scope")
        _validate_limited(scope, hard, path, errors)
    _validate_combination(scopes, path, errors)
    if spec.get("scopeSelector") is not None:
        _validate_selector(list(spec["scopeSelector"].get("matchExpressions", ())), hard, errors)


def _validate_unchanged(spec: Tree, old: Tree, errors: FieldErrors) -> None:
    """Validate that an update keeps the set of scopes."""
    scopes = spec.get("scopes", ())
    if {*scopes} != {*old.get("scopes", ())}:
        errors.invalid("spec.scopes", list(scopes), "field is immutable")


def _validate_selector(expressions: list[Tree], hard: list[str], errors: FieldErrors) -> None:
    path = "spec.scopeSelector.matchExpressions"
    for expression in expressions:
        scope, operator = expression.get("scopeName", ""), expression.get("operator", "")
        values = expression.get("values", ())
        if scope not in _LIMITED:
            errors.invalid(f"{path}.scopeName", scope, "unsupported scope")
        _validate_limited(scope, hard, path, errors)
        if scope in _LIMITED and scope not in _WITH_VALUES and operator != "Exists":
            errors.invalid(f"{path}.operator", operator, f"must be 'Exists' when scope is {scope}")
        if operator in ("In", "NotIn"):
            if not values:
                errors.required(
                    f"{path}.values", "must be at least one value when `operator` is 'In' or 'NotIn'"
                )
        elif operator not in ("Exists", "DoesNotExist"):
            errors.invalid(f"{path}.operator", operator, "not a valid selector operator")
        elif values:
            errors.invalid(
                f"{path}.values", list(values), "must be empty when `operator` is 'Exists' or 'DoesNotExist'"
            )
    _validate_combination([expression.get("scopeName", "") for expression in expressions], path, errors)


def _validate_limited(scope: str, hard: list[str], path: str, errors: FieldErrors) -> None:
    for name in sorted(hard):
        if name not in _LIMITED.get(scope, hard):
            errors.invalid(path, scope, f"unsupported scope applied to resource {name}")


def _validate_combination(scopes: list[str], path: str, errors: FieldErrors) -> None:
    for pair in _OPPOSITES:
        if pair <= {*scopes}:
            errors.invalid(path, scopes, "conflicting scopes")


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
    _validate_scopes(spec, _is_standard, review.errors)
    if old is not None:
        _validate_unchanged(spec, old.get("spec", {}), review.errors)


def _validate_status(tree: Tree, old: Tree | None, review: Review) -> None:
    for name in ("hard", "used"):
        quantities = tree.get("status", {}).get(name, {})
        validate_quantities(quantities, f"status.{name}", review.errors, _QUANTIFIED, _COUNTED)


def _default(tree: Tree, review: Review) -> None:
    round_up(tree.get("spec", {}), "hard")
    round_up(tree.get("status", {}), "hard", "used")


STRATEGY = Strategy(
    type=core.ResourceQuota,
    namespaced=True,
    named=naming.dns_subdomain,
    default=_default,
    main=Part(all_but_status, _validate),
    subresources={"status": Part(only_status, _validate_status)},
)

"""Validation of the fields that say which nodes can use a device, and of node selectors."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.apiserver import naming
from dra_conform.controlplane.apiserver.response import FieldErrors
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import Rule, fields, items, text

OF_SLICE = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
OF_DEVICE = ("nodeName", "nodeSelector", "allNodes")

_OPERATORS = {
    "In": (1, None),
    "NotIn": (1, None),
    "Exists": (0, 0),
    "DoesNotExist": (0, 0),
    "Gt": (1, 1),
    "Lt": (1, 1),
}
"""Of each operator of matchExpressions the least and the largest number of values."""


def exactly_one(names: tuple[str, ...], parent: Tree, path: str, errors: FieldErrors) -> None:
    """Exactly one of the fields must be set, a flag to true and a name to something."""
    chosen = []
    for name in names:
        value = parent.get(name)
        if value is False or value == "":
            errors.invalid(f"{path}.{name}", value, "must be either unset or set to true or a name")
        elif value is not None:
            chosen.append(name)
    if parent.get("nodeName"):
        _node_name(parent["nodeName"], None, f"{path}.nodeName", errors)
    if "nodeSelector" in parent:
        NODE_SELECTOR(parent["nodeSelector"], None, f"{path}.nodeSelector", errors)
    detail = f"exactly one of {', '.join(names)} is required"
    if not chosen:
        errors.required(path, detail)
    elif len(chosen) > 1:
        errors.invalid(path, chosen, detail)


def one_term(selector: Tree, path: str, errors: FieldErrors) -> None:
    """The node selector of a slice has exactly one term."""
    terms = selector.get("nodeSelectorTerms", [])
    if len(terms) != 1:
        errors.invalid(f"{path}.nodeSelectorTerms", terms, "must have exactly one node selector term")


def _terms(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    if value:
        _TERMS(value, old, path, errors)
    else:
        errors.required(path, "must have at least one node selector term")


def _expression(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    operator, values = value.get("operator", ""), value.get("values", [])
    least, most = _OPERATORS.get(operator, (0, None))
    if operator not in _OPERATORS:
        errors.invalid(f"{path}.operator", operator, "not a valid selector operator")
    elif len(values) < least or (most and len(values) > most):
        errors.required(f"{path}.values", f"must be specified when `operator` is '{operator}'")
    elif most == 0 and values:
        errors.forbidden(f"{path}.values", f"may not be specified when `operator` is '{operator}'")
    _LABEL_KEY(value.get("key"), None, f"{path}.key", errors)
    for index, one in enumerate(values):
        _LABEL_VALUE(one, None, f"{path}.values[{index}]", errors)


def _field(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    operator, values = value.get("operator", ""), value.get("values", [])
    if operator not in ("In", "NotIn"):
        errors.invalid(f"{path}.operator", operator, "not a valid selector operator")
    elif len(values) != 1:
        errors.required(f"{path}.values", f"must be only one value when `operator` is '{operator}'")
    if value.get("key") != "metadata.name":
        errors.invalid(f"{path}.key", value.get("key", ""), "not a valid field selector key")
        return
    for index, one in enumerate(values):
        _node_name(one, None, f"{path}.values[{index}]", errors)


_LABEL_KEY, _LABEL_VALUE = text(naming.label_key), text(naming.label_value)
_node_name = text(naming.dns_subdomain)
_TERMS = items(fields({}, {"matchExpressions": items(_expression), "matchFields": items(_field)}))
NODE_SELECTOR: Rule = fields({"nodeSelectorTerms": _terms})
"""The rules of a core/v1 NodeSelector."""

"""Validation of node selectors and of the fields that select the nodes of a device."""

from __future__ import annotations

from typing import Any

from dra_conform.apiserver import naming
from dra_conform.apiserver.response import FieldErrors
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import Rule, fields, items, string

SLICE_FIELDS = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
DEVICE_FIELDS = ("nodeName", "nodeSelector", "allNodes")

_OPERATORS = {
    "In": (1, None),
    "NotIn": (1, None),
    "Exists": (0, 0),
    "DoesNotExist": (0, 0),
    "Gt": (1, 1),
    "Lt": (1, 1),
}
"""The minimum and maximum number of values by operator of matchExpressions."""


def exactly_one(names: tuple[str, ...], parent: Tree, path: str, errors: FieldErrors) -> None:
    """Validate that exactly one of the fields is set, to true or to a non-empty value."""
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
    """Validate that a node selector has exactly one term."""
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
    for index, label_value in enumerate(values):
        _LABEL_VALUE(label_value, None, f"{path}.values[{index}]", errors)


def _field(value: Any, old: Any, path: str, errors: FieldErrors) -> None:
    operator, values = value.get("operator", ""), value.get("values", [])
    if operator not in ("In", "NotIn"):
        errors.invalid(f"{path}.operator", operator, "not a valid selector operator")
    elif len(values) != 1:
        errors.required(f"{path}.values", f"must be only one value when `operator` is '{operator}'")
    if value.get("key") != "metadata.name":
        errors.invalid(f"{path}.key", value.get("key", ""), "not a valid field selector key")
        return
    for index, node_name in enumerate(values):
        _node_name(node_name, None, f"{path}.values[{index}]", errors)


_LABEL_KEY, _LABEL_VALUE = string(naming.label_key), string(naming.label_value)
_node_name = string(naming.dns_subdomain)
_TERMS = items(fields({}, {"matchExpressions": items(_expression), "matchFields": items(_field)}))
NODE_SELECTOR: Rule = fields({"nodeSelectorTerms": _terms})
"""The rule for a core/v1 NodeSelector."""

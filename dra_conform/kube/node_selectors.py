"""Matching of core/v1 NodeSelectors with nodes."""

from __future__ import annotations

import re

from dra_conform.kube.core import Node
from dra_conform.kube.meta import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dra_conform.kube.resource import Device, ResourceSliceSpec

_WHOLE = re.compile(r"[+-]?[0-9]+")


class SelectorError(ValueError):
    """The NodeSelector is invalid: an unknown operator, or values that the operator does not allow."""


def node_matches(selector: NodeSelector, node: Node) -> bool:
    """Whether one of the terms matches the node; raises SelectorError for an invalid selector.

    All requirements of a term must match; a term without requirements matches no node.
    """
    for term in selector.node_selector_terms:
        for requirement in (*term.match_expressions, *term.match_fields):
            _check(requirement)
        for requirement in term.match_fields:
            if requirement.key != "metadata.name" or requirement.operator not in ("In", "NotIn"):
                raise SelectorError(
                    f"matchFields has {requirement.key!r} with {requirement.operator}, "
                    f"expected metadata.name with In or NotIn"
                )
            if len(requirement.values) != 1:
                raise SelectorError(f"matchFields has {len(requirement.values)} values, expected one")
    return any(_term_matches(term, node) for term in selector.node_selector_terms)


def is_available_on_node(item: ResourceSliceSpec | Device, node: Node) -> bool:
    """Whether a ResourceSlice or a device is available on the node; raises SelectorError."""
    if item.node_name:
        return item.node_name == node.metadata.name
    if item.all_nodes:
        return True
    return item.node_selector is not None and node_matches(item.node_selector, node)


def _term_matches(term: NodeSelectorTerm, node: Node) -> bool:
    if not term.match_expressions and not term.match_fields:
        return False
    labels = node.metadata.labels
    fields = {"metadata.name": node.metadata.name}
    expressions_match = all(_matches(item, labels.get(item.key)) for item in term.match_expressions)
    fields_match = all(_matches(item, fields.get(item.key)) for item in term.match_fields)
    return expressions_match and fields_match


def _check(requirement: NodeSelectorRequirement) -> None:
    operator, values = requirement.operator, requirement.values
    if operator in ("In", "NotIn"):
        if not values:
            raise SelectorError(f"operator {operator} on {requirement.key!r} has no values, expected a value")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            raise SelectorError(f"operator {operator} on {requirement.key!r} has values, expected none")
    elif operator in ("Gt", "Lt"):
        if len(values) != 1 or not _WHOLE.fullmatch(values[0]):
            raise SelectorError(f"operator {operator} on {requirement.key!r} requires one whole number")
    else:
        raise SelectorError(
            f"unknown operator {operator!r}, expected In, NotIn, Exists, DoesNotExist, Gt or Lt"
        )


def _matches(requirement: NodeSelectorRequirement, value: str | None) -> bool:
    match requirement.operator:
        case "In":
            return value is not None and value in requirement.values
        case "NotIn":
            return value is None or value not in requirement.values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case operator:
            if value is None or not _WHOLE.fullmatch(value):
                return False
            bound = int(requirement.values[0])
            return int(value) > bound if operator == "Gt" else int(value) < bound

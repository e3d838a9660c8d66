"""Matching of core/v1 NodeSelectors."""

from __future__ import annotations

import pytest

from dra_conform.kube.core import Node
from dra_conform.kube.meta import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, ObjectMeta
from dra_conform.kube.node_selectors import SelectorError, node_matches

NODE = Node(metadata=ObjectMeta(name="n1", labels={"zone": "a", "gen": "7", "empty": "", "word": "x7"}))


def _need(key: str, operator: str, *values: str) -> NodeSelectorRequirement:
    return NodeSelectorRequirement(key=key, operator=operator, values=values)


def _term(*needs: NodeSelectorRequirement) -> NodeSelectorTerm:
    return NodeSelectorTerm(match_expressions=needs)


def _selector(*terms: NodeSelectorTerm) -> NodeSelector:
    return NodeSelector(node_selector_terms=terms)


@pytest.mark.parametrize(
    ("need", "matches"),
    [
        (_need("zone", "In", "b", "a"), True),
        (_need("zone", "In", "b"), False),
        (_need("none", "In", "a"), False),
        (_need("empty", "In", ""), True),
        (_need("zone", "NotIn", "b"), True),
        (_need("zone", "NotIn", "a"), False),
        (_need("none", "NotIn", "a"), True),
        (_need("empty", "Exists"), True),
        (_need("none", "Exists"), False),
        (_need("none", "DoesNotExist"), True),
        (_need("empty", "DoesNotExist"), False),
        (_need("gen", "Gt", "6"), True),
        (_need("gen", "Gt", "7"), False),
        (_need("gen", "Gt", "-8"), True),
        (_need("gen", "Lt", "10"), True),
        (_need("gen", "Lt", "7"), False),
        (_need("word", "Lt", "9"), False),
        (_need("word", "Gt", "1"), False),
        (_need("none", "Lt", "9"), False),
    ],
)
def test_one_requirement(need: NodeSelectorRequirement, matches: bool) -> None:
    assert node_matches(_selector(_term(need)), NODE) is matches


def test_terms_are_alternatives_and_requirements_are_all_needed() -> None:
    yes, no = _need("zone", "In", "a"), _need("zone", "In", "b")
    assert node_matches(_selector(_term(no), _term(yes)), NODE)
    assert not node_matches(_selector(_term(no, yes)), NODE)


def test_empty_terms_match_no_node() -> None:
    assert not node_matches(_selector(), NODE)
    assert not node_matches(_selector(_term()), NODE)
    assert node_matches(_selector(_term(), _term(_need("zone", "Exists"))), NODE)


@pytest.mark.parametrize(
    ("name", "operator", "matches"),
    [("n1", "In", True), ("n2", "In", False), ("n1", "NotIn", False), ("n2", "NotIn", True)],
)
def test_fields(name: str, operator: str, matches: bool) -> None:
    term = NodeSelectorTerm(match_fields=(_need("metadata.name", operator, name),))
    assert node_matches(_selector(term), NODE) is matches


@pytest.mark.parametrize(
    "term",
    [
        _term(_need("zone", "in", "a")),
        _term(_need("zone", "In")),
        _term(_need("zone", "NotIn")),
        _term(_need("zone", "Exists", "a")),
        _term(_need("zone", "DoesNotExist", "a")),
        _term(_need("gen", "Gt", "six")),
        _term(_need("gen", "Lt")),
        _term(_need("gen", "Gt", "1", "2")),
        NodeSelectorTerm(match_fields=(_need("spec.unschedulable", "In", "a"),)),
        NodeSelectorTerm(match_fields=(_need("metadata.name", "Exists"),)),
        NodeSelectorTerm(match_fields=(_need("metadata.name", "In", "a", "b"),)),
    ],
)
def test_an_invalid_term_is_an_error_despite_a_matching_term(term: NodeSelectorTerm) -> None:
    with pytest.raises(SelectorError):
        node_matches(_selector(_term(_need("zone", "Exists")), term), NODE)

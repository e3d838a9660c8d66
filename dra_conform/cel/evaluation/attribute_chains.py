"""Attributes in the sense of cel-go: chains of selections and indexing that are charged as a whole."""

from __future__ import annotations

from dra_conform.cel.syntax.ast import Call, Ident, Select, SyntaxNode

ACCESS = frozenset({"_[_]", "_[?_]", "_?._"})
"""The operators that read an element of another value."""


def is_ternary(node: SyntaxNode) -> bool:
    """Whether a node is `condition ? then : otherwise`."""
    return isinstance(node, Call) and node.function == "_?_:_"


def is_attribute(node: SyntaxNode) -> bool:
    """Whether a node is an attribute: a chain of selections and indexing, which costs one unit as a whole.

    A chain that begins with a ternary is not an attribute, and a presence test is not one either.
    """
    if isinstance(node, Ident):
        return True
    if isinstance(node, Select):
        return not node.test_only and not _starts_with_ternary(node.operand)
    return isinstance(node, Call) and node.function in ACCESS and not _starts_with_ternary(node.args[0])


def _starts_with_ternary(node: SyntaxNode) -> bool:
    while True:
        if isinstance(node, Select):
            node = node.operand
        elif isinstance(node, Call) and node.function in ACCESS:
            node = node.args[0]
        else:
            return is_ternary(node)

"""Nodes of a selector: which are attributes, and which values are guaranteed to have their static type.

dyn is assignable to every type, also as element of a list of ints, so most static types are no guarantee. The
kind is the type without its parameters.
"""

from __future__ import annotations

from collections.abc import Set

from dra_conform.cel.checking.checker import Checked
from dra_conform.cel.checking.environment import VARIABLE
from dra_conform.cel.syntax.ast import Call, Comprehension, Ident, Select, SyntaxNode
from dra_conform.cel.values.types import Type

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


_TESTS = frozenset({"all", "exists", "exists_one", "existsOne"})


def trusted(node: SyntaxNode, checked: Checked, hidden: Set[str]) -> bool:
    """Whether every value of a node has the static kind. `hidden` are the names of local variables."""
    match node:
        case Ident():
            return node.name == VARIABLE and VARIABLE not in hidden
        case Select():
            return node.test_only or _declared(node.operand, hidden)
        case Call() if node.function in ACCESS:
            return node.function == "_[_]" and _declared(node.args[0], hidden)
        case Call() if node.function == "_?_:_":
            return all(trusted(part, checked, hidden) for part in node.args[1:])
        case Call():
            return not any(_open(o.result) for o in checked.overloads[node])
        case Comprehension():
            return node.macro in _TESTS
        case _:
            # Literals, also of lists and maps.
            return True


def _declared(node: SyntaxNode, hidden: Set[str]) -> bool:
    """Whether a node is `device` or a chain of accesses to it, which have the declared types."""
    while True:
        match node:
            case Select() if not node.test_only:
                node = node.operand
            case Call() if node.function == "_[_]":
                node = node.args[0]
            case Ident():
                return node.name == VARIABLE and VARIABLE not in hidden
            case _:
                return False


def _open(t: Type) -> bool:
    return t.variable or any(map(_open, t.params))

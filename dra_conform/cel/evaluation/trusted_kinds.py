"""Whether a value is known to have the type that the checker found.

CEL lets dyn stand for any type, also inside a list that then passes for a list of ints, so most static types
are a promise only. Kind means the type without parameters.
"""

from __future__ import annotations

from collections.abc import Set

from dra_conform.cel.checking.checked import Checked
from dra_conform.cel.checking.environment import VARIABLE
from dra_conform.cel.evaluation.attribute_chains import ACCESS
from dra_conform.cel.syntax.ast import Call, Comprehension, Ident, Select, SyntaxNode
from dra_conform.cel.values.types import Type

_TESTS = frozenset({"all", "exists", "exists_one", "existsOne"})


def trusted(node: SyntaxNode, checked: Checked, hidden: Set[str]) -> bool:
    """Whether the static kind of a node holds for every value; `hidden` are the names of local variables."""
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
            # Literals, of lists and maps too.
            return True


def _declared(node: SyntaxNode, hidden: Set[str]) -> bool:
    """Whether a node is `device` or reached from it, whose values are of the declared types."""
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

"""Static check whether an expression surely stays below the cost limit, so that costs need not be counted."""

from __future__ import annotations

from dra_conform.cel.syntax.ast import Call, Comprehension, SyntaxNode, walk

_STEADY = frozenset(
    {"_&&_", "_||_", "_?_:_", "!_", "-_", "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in"}
    | {"_[_]", "_?._", "_[?_]", "_-_", "_*_", "_/_", "_%_", "size", "contains", "startsWith", "endsWith"}
    | {
        "matches",
        "int",
        "uint",
        "double",
        "bool",
        "dyn",
        "type",
        "quantity",
        "isQuantity",
        "semver",
        "isSemver",
    }
    | {"compareTo", "isGreaterThan", "isLessThan", "includes", "sign", "isInteger", "asInteger", "major"}
    | {"asApproximateFloat", "minor", "patch", "hasValue", "value", "or", "orValue"}
    | {"optional.of", "optional.none", "optional.ofNonZeroValue"}
)
"""Functions whose result is not larger than their arguments."""

_SHORT = 2000
"""The longest expression, in characters, in which `matches` on API strings stays far below the limit."""


def countless(root: SyntaxNode, length: int) -> bool:
    """Whether the expression stays below the cost limit on every device."""
    return length <= _SHORT and all(_steady(node) for node in walk(root))


def _steady(node: SyntaxNode) -> bool:
    if isinstance(node, Comprehension):
        return node.macro == "cel.bind"
    return not isinstance(node, Call) or node.function in _STEADY

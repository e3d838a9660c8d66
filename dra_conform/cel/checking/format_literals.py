"""Kubernetes' compile-time checks of `"...".format([...])` with literals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dra_conform.cel.syntax.ast import Call, ListLiteral, Literal, MapLiteral, SyntaxNode
from dra_conform.cel.syntax.issues import Issue
from dra_conform.cel.syntax.tree import children
from dra_conform.cel.values.types import Type, is_dynamic

_CLAUSE = re.compile(r"%(%|(?:\.([0-9]*))?(.?))", re.DOTALL)

_WHOLE = frozenset({"int", "uint"})
_REAL = frozenset({"double", "string"})
_SPELLED = frozenset(
    {"list", "map", "int", "uint", "double", "bool", "string", "bytes", "type", "null_type"}
    | {"google.protobuf.Duration", "google.protobuf.Timestamp"}
)
_ACCEPTED: Mapping[str, tuple[str, frozenset[str]]] = {
    "s": ("string", _SPELLED),
    "d": ("decimal", _WHOLE),
    "f": ("fixed-point", _REAL),
    "e": ("scientific", _REAL),
    "b": ("binary", _WHOLE | {"bool"}),
    "x": ("hex", _WHOLE | {"string", "bytes"}),
    "X": ("hex", _WHOLE | {"string", "bytes"}),
    "o": ("octal", _WHOLE),
}
_IN_FORMAT = "error during formatting"


def check(node: Call, types: Mapping[SyntaxNode, Type]) -> Iterator[Issue]:
    """Yield the first error in the clauses or their arguments; nothing for any other call."""
    if node.function != "format" or not isinstance(node.target, Literal) or len(node.args) != 1:
        return
    pattern, (arguments,) = node.target.value, node.args
    if not isinstance(pattern, str) or not isinstance(arguments, ListLiteral):
        return
    used = 0
    for clause in _CLAUSE.finditer(pattern):
        if clause[1] == "%":
            continue
        wrong = _clause(clause, arguments.elements[used:], types)
        if wrong is not None:
            at, message = wrong
            yield Issue((at or node).offset, message)
            return
        used += 1
    if len(arguments.elements) > used:
        supplied = len(arguments.elements)
        yield Issue(
            node.offset, f"too many arguments supplied to string.format (expected {used}, got {supplied})"
        )


def _clause(
    clause: re.Match[str], left: tuple[SyntaxNode, ...], types: Mapping[SyntaxNode, Type]
) -> tuple[SyntaxNode | None, str] | None:
    verb, precision = clause[3], clause[2]
    if not left:
        return None, "too few arguments supplied to string.format"
    if not verb or precision == "" or verb not in _ACCEPTED:
        return None, f'could not parse formatting clause: unrecognized formatting clause "{verb}"'
    name, accepted = _ACCEPTED[verb]
    bad = _unlike(left[0], accepted, types, inside=verb == "s")
    if bad is None:
        return None
    return bad, f"{_IN_FORMAT}: {name} clause cannot be used on {types[bad]}"


def _unlike(
    node: SyntaxNode, accepted: frozenset[str], types: Mapping[SyntaxNode, Type], inside: bool
) -> SyntaxNode | None:
    """Return the argument, or the member of its literal, whose type the clause does not accept."""
    t = types[node]
    if not is_dynamic(t) and t.name not in accepted:
        return node
    if not inside or not isinstance(node, (ListLiteral, MapLiteral)):
        return None
    members = (_unlike(child, accepted, types, inside) for child in children(node))
    return next((bad for bad in members if bad is not None), None)

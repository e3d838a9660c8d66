"""Kubernetes' checks after type checking.

Arguments that are literals must be valid, also those of `"...".format([...])`. The elements of a list
literal, and the keys and values of a map literal, must each have one type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from dra_conform.cel.checking.checker import Checked
from dra_conform.cel.functions.clock import parse_duration, parse_timestamp
from dra_conform.cel.patterns import compile_regex
from dra_conform.cel.syntax.ast import Call, ListLiteral, Literal, MapLiteral, SyntaxNode, children
from dra_conform.cel.syntax.issues import Issue
from dra_conform.cel.values.cel_errors import EvaluationError
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


def _check(node: Call, types: Mapping[SyntaxNode, Type]) -> Iterator[Issue]:
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
    """Return the argument, or the item of its literal, whose type the format clause does not accept."""
    t = types[node]
    if not is_dynamic(t) and t.name not in accepted:
        return node
    if not inside or not isinstance(node, (ListLiteral, MapLiteral)):
        return None
    members = (_unlike(child, accepted, types, inside) for child in children(node))
    return next((bad for bad in members if bad is not None), None)


_CHECKS: Mapping[str, tuple[tuple[int, ...], Callable[[str], object]]] = {
    "duration": ((0,), parse_duration),
    "timestamp": ((0,), parse_timestamp),
    # Kubernetes also checks the first argument as a pattern, even if it is the string to match.
    "matches": ((0, -1), compile_regex),
    "find": ((0,), compile_regex),
    "findAll": ((0,), compile_regex),
}


def issues_of(checked: Checked) -> tuple[Issue, ...]:
    """Return an issue for each invalid literal argument, and for each list or map with mixed types."""
    issues: list[Issue] = []
    for node, formatted in _nodes(checked.root):
        match node:
            case Call():
                issues.extend(_arguments(node))
                issues.extend(_check(node, checked.types))
            case ListLiteral() if not formatted:
                issues.extend(_mixed_list(node, checked.types))
            case MapLiteral() if not formatted:
                issues.extend(_mixed_map(node, checked.types))
    return tuple(dict.fromkeys(issues))


def _nodes(root: SyntaxNode) -> Iterator[tuple[SyntaxNode, bool]]:
    """Yield all nodes, and whether each is in a call of `format`, whose arguments may have mixed types."""
    seen: set[tuple[SyntaxNode, bool]] = set()
    waiting = [(root, False)]
    while waiting:
        node, formatted = visited = waiting.pop()
        if visited in seen:
            continue
        seen.add(visited)
        yield visited
        formatted = formatted or (isinstance(node, Call) and node.function == "format")
        waiting.extend((child, formatted) for child in children(node))


def _arguments(node: Call) -> Iterator[Issue]:
    positions, parse = _CHECKS.get(node.function, ((), str))
    for position in positions:
        argument = node.args[position] if node.args else None
        if isinstance(argument, Literal) and isinstance(argument.value, str):
            try:
                parse(argument.value)
            except EvaluationError:
                yield Issue(argument.offset, f"invalid {node.function} argument")


def _mixed_list(node: ListLiteral, types: Mapping[SyntaxNode, Type]) -> Iterator[Issue]:
    typed = [(e, _inner(types[e], position in node.optional)) for position, e in enumerate(node.elements)]
    for element, t in typed:
        if t != typed[0][1]:
            yield _mismatch(element, typed[0][1], t)
            return


def _mixed_map(node: MapLiteral, types: Mapping[SyntaxNode, Type]) -> Iterator[Issue]:
    if not node.entries:
        return
    first = node.entries[0]
    key, value = types[first.key], _inner(types[first.value], first.optional)
    for entry in node.entries:
        if types[entry.key] != key:
            yield _mismatch(entry.key, key, types[entry.key])
        t = _inner(types[entry.value], entry.optional)
        if t != value:
            yield _mismatch(entry.value, value, t)


def _inner(t: Type, optional: bool) -> Type:
    return t.params[0] if optional and t.params else t


def _mismatch(node: SyntaxNode, wanted: Type, actual: Type) -> Issue:
    return Issue(node.offset, f"expected type '{wanted}' but found '{actual}'")

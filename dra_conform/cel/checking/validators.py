"""Kubernetes' checks after type checking: valid literal arguments, and homogeneous list and map literals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dra_conform.cel.checking.checked import Checked
from dra_conform.cel.checking.format_literals import check as check_format
from dra_conform.cel.functions.clock import parse_duration, parse_timestamp
from dra_conform.cel.patterns import compile_regex
from dra_conform.cel.syntax.ast import Call, ListLiteral, Literal, MapLiteral, SyntaxNode
from dra_conform.cel.syntax.issues import Issue
from dra_conform.cel.syntax.tree import children
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import Type

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
                issues.extend(check_format(node, checked.types))
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

"""Patterns of syntax trees: Python code in which some names stand for anything.

    _            any expression; as a statement, any statement
    _1, _2, …    the same, kept for the new code, and equal wherever it stands again
    _0           the part that is replaced, the whole pattern if it does not say; `(_0 := f(_1))` says what it is
    ...          any arguments, elements, statements or cases; alone, the whole definition
    **_          in a dictionary: any other entries

A pattern of `if`, `for` and `try` without other branches does not look at these. A name of a local variable is one of
those that the table declares, by position. Names of parameters of lambda expressions and of exceptions do not matter.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

TARGET = "_0"
_WILD = re.compile(r"_\d*")
_IGNORED = frozenset(("ctx", "kind", "type_comment", "type_ignores", "type_params", "simple"))
_BRANCHES = frozenset(("orelse", "handlers", "finalbody"))

Node = ast.AST


@dataclass(slots=True)
class Match:
    """What a pattern matches: the part to replace, and what its wildcards stand for. `names` are those of local variables."""

    names: Mapping[str, str]
    bound: dict[str, Node] = field(default_factory=dict)

    def fits(self, pattern: Node, node: Node) -> bool:
        """Whether the node has the form of the pattern."""
        match pattern:
            case ast.Name(id=name) if _WILD.fullmatch(name):
                return isinstance(node, ast.expr) and self._binds(name, node)
            case ast.Name(id=name):
                return isinstance(node, ast.Name) and node.id == self.names.get(name, name)
            case ast.Expr(value=ast.Name(id=name)) if _WILD.fullmatch(name):
                return isinstance(node, ast.stmt) and self._binds(name, node)
            case ast.NamedExpr(target=ast.Name(id="_0"), value=value):
                return self._binds(TARGET, node) and self.fits(value, node)
        if type(pattern) is not type(node):
            return False
        match pattern, node:
            case ast.Constant(value=wanted), ast.Constant(value=value):
                return type(wanted) is type(value) and wanted == value
            case ast.arg(), _:
                return True
            case ast.Match(
                cases=[ast.match_case(pattern=ast.MatchAs(pattern=None), body=body)]
            ), ast.Match() if _is_rest(body[0]):
                return self.fits(pattern.subject, node.subject)
            case ast.ExceptHandler(), ast.ExceptHandler():
                return self._fields(pattern, node, _IGNORED | {"name"})
            case ast.Call(args=args), ast.Call() if any(map(_is_rest, args)):
                return self._fields(pattern, node, _IGNORED | {"keywords"}) and self._some_of(
                    {one.arg: one.value for one in pattern.keywords},
                    {one.arg: one.value for one in node.keywords},
                )
            case ast.Dict(keys=[*_, None], values=[*_, ast.Name(id="_")]), ast.Dict():
                return self._some_of(
                    {
                        ast.dump(key): value
                        for key, value in zip(pattern.keys, pattern.values, strict=True)
                        if key
                    },
                    {ast.dump(key): value for key, value in zip(node.keys, node.values, strict=True) if key},
                )
        unsaid = {name for name in _BRANCHES if not getattr(pattern, name, None)}
        return self._fields(pattern, node, _IGNORED | unsaid)

    def _binds(self, name: str, node: Node) -> bool:
        known = self.bound.setdefault(name, node) if name != "_" else node
        return known is node or ast.dump(known) == ast.dump(node)

    def _fields(self, pattern: Node, node: Node, ignored: frozenset[str]) -> bool:
        return all(
            self._value(getattr(pattern, name, None), getattr(node, name, None))
            for name in pattern._fields
            if name not in ignored
        )

    def _value(self, pattern: object, value: object) -> bool:
        if isinstance(pattern, ast.AST):
            return isinstance(value, ast.AST) and self.fits(pattern, value)
        if isinstance(pattern, list):
            return isinstance(value, list) and self._list(pattern, value)
        return pattern == value

    def _list(self, patterns: Sequence[Node], nodes: Sequence[Node]) -> bool:
        place = next((place for place, one in enumerate(patterns) if _is_rest(one)), None)
        if place is None:
            return len(patterns) == len(nodes) and all(map(self._value, patterns, nodes))
        after = len(patterns) - place - 1
        if len(nodes) < place + after:
            return False
        end = len(nodes) - after
        return all(map(self._value, patterns[:place], nodes[:place])) and all(
            map(self._value, patterns[place + 1 :], nodes[end:])
        )

    def _some_of(self, patterns: Mapping[str | None, Node], nodes: Mapping[str | None, Node]) -> bool:
        return all(name in nodes and self.fits(one, nodes[name]) for name, one in patterns.items())


def _is_rest(node: object) -> bool:
    match node:
        case ast.Constant(value=value) | ast.Expr(value=ast.Constant(value=value)):
            return value is ...
    return False


def parsed(text: str) -> Node:
    """The pattern that a text is: an expression, or one statement."""
    [statement] = ast.parse(text).body
    return statement.value if isinstance(statement, ast.Expr) else statement


def matches(pattern: Node, scope: ast.Module, names: Mapping[str, str]) -> list[Match]:
    """What the pattern matches in the scope, in the order of the tree."""
    if _is_rest(pattern):
        return [Match(names, {TARGET: scope.body[0]})]
    found: dict[int, Match] = {}
    for node in in_order(scope):
        match = Match(names)
        if match.fits(pattern, node):
            match.bound.setdefault(TARGET, node)
            found.setdefault(id(match.bound[TARGET]), match)
    return list(found.values())


def in_order(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)

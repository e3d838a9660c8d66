"""The syntax tree of an expression, and its traversal. Offsets count characters from its start.

Nodes are compared and hashed by identity, because the checker keeps types and overloads in maps by node.
"""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.cel.values.value import Value


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A number, a string, bytes, true, false or null."""

    value: Value
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Ident:
    """A variable or a type name; dotted if the name has a namespace."""

    name: str
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Select:
    """`operand.field`, or `has(operand.field)` when `test_only`. The offset is that of the dot."""

    operand: SyntaxNode
    field: str
    offset: int
    test_only: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A function or operator: `_==_`, `_&&_`, `_?_:_`, `!_`, `-_`, `@in`, `_[_]`, `_?._`, `_[?_]`, `size`.

    The target is the receiver of a member call. After the checker, a call of a namespaced function has its
    whole name in `function` and no target. The second argument of `_?._` is a string literal.
    """

    function: str
    target: SyntaxNode | None
    args: tuple[SyntaxNode, ...]
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class ListLiteral:
    """`[element, ...]`. `optional` has the positions of the elements written with `?`."""

    elements: tuple[SyntaxNode, ...]
    offset: int
    optional: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class MapEntry:
    """`key: value`, or `?key: value` when `optional`. The offset is that of the colon."""

    key: SyntaxNode
    value: SyntaxNode
    optional: bool
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class MapLiteral:
    """`{key: value, ...}`."""

    entries: tuple[MapEntry, ...]
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension:
    """A loop: the expansion of `cel.bind` and of every macro over a list or map.

    `accumulator` starts as `start`. For each element of `source`, bound to `variable`, it becomes `step`, as
    long as `condition` is true. The value of the loop is `result`. In two-variable macros `variable` is the
    index or key, and `second` the element or value. `cel.bind` has an empty list as its source. `macro` is
    the name of the macro in the expression.
    """

    macro: str
    variable: str
    second: str | None
    source: SyntaxNode
    accumulator: str
    start: SyntaxNode
    condition: SyntaxNode
    step: SyntaxNode
    result: SyntaxNode
    offset: int


SyntaxNode = Literal | Ident | Select | Call | ListLiteral | MapLiteral | Comprehension


def children(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """Return the direct children of a node."""
    match node:
        case Select():
            return (node.operand,)
        case Call():
            return node.args if node.target is None else (node.target, *node.args)
        case ListLiteral():
            return node.elements
        case MapLiteral():
            return tuple(part for entry in node.entries for part in (entry.key, entry.value))
        case Comprehension():
            return (node.source, node.start, node.condition, node.step, node.result)
        case _:
            return ()


def walk(root: SyntaxNode) -> list[SyntaxNode]:
    """Return all nodes of a tree, each once, also if a macro uses a node twice."""
    seen: dict[SyntaxNode, None] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen[node] = None
            waiting.extend(children(node))
    return list(seen)

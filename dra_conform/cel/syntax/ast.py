"""The syntax tree of an expression. Offsets count characters from the start of the expression.

Nodes are compared and hashed by identity: the checker keeps what it learns about a node beside the tree.
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
    """`optional` holds the positions of elements written with `?`."""

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
    """What every macro over a list or map, and `cel.bind`, becomes.

    `accumulator` starts as `start`; for each element of `source` bound to `variable` (two-variable forms:
    index or key, and `second` the element or value), while `condition` holds, it becomes `step`; the value
    is `result`. `cel.bind` has an empty list as its source. `macro` is the name of the macro written.
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

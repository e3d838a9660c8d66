"""The maximum cost of an expression on any device, as cel-go estimates it.

Each value has a largest size: characters of a string, entries of a list or map. A value of unknown size is
unbounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dra_conform.cel.checking.checker import Checked
from dra_conform.cel.checking.environment import VARIABLE
from dra_conform.cel.evaluation.call_estimates import UNBOUNDED, Arguments, estimate, times
from dra_conform.cel.evaluation.cost import LIST_LITERAL, MAP_LITERAL
from dra_conform.cel.evaluation.program import Program
from dra_conform.cel.syntax.ast import (
    Call,
    Comprehension,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
    SyntaxNode,
)
from dra_conform.cel.values import types

Path = tuple[str, ...]
"""The path to a value: `device`, then fields, `@keys`, `@values` and `@items`."""


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The largest size of a declared value, and the bounds of its fields, keys and elements."""

    size: int
    fields: Mapping[str, _Bounds] = field(default_factory=dict)
    key: _Bounds | None = None
    element: _Bounds | None = None


_ATTRIBUTE = _Bounds(64)
_NAMES = _Bounds(32, key=_Bounds(32), element=_ATTRIBUTE)
_AMOUNTS = _Bounds(32, key=_Bounds(32), element=_Bounds(0))
_DEVICE = _Bounds(
    0,
    {
        "driver": _Bounds(63),
        "allowMultipleAllocations": _Bounds(1),
        "attributes": _Bounds(32, key=_Bounds(63), element=_NAMES),
        "capacity": _Bounds(32, key=_Bounds(63), element=_AMOUNTS),
    },
)
_SCALARS = frozenset({"bool", "double", "int", "uint", types.DURATION.name, types.TIMESTAMP.name})


def worst_cost(program: Program) -> int:
    """Return the maximum cost of one evaluation, in cost units."""
    return _Estimator(program.ast).cost(program.ast.root)


@dataclass(frozen=True, slots=True)
class _Entries:
    """The largest size of the keys and values of a list or map."""

    is_list: bool
    key: int
    value: int

    def union(self, other: _Entries | None) -> _Entries | None:
        if other is None:
            return None
        return _Entries(self.is_list, max(self.key, other.key), max(self.value, other.value))


@dataclass(frozen=True, slots=True)
class _Local:
    path: Path
    size: int | None
    entries: _Entries | None = None


def _number(node: SyntaxNode) -> int | None:
    return node.value if isinstance(node, Literal) and type(node.value) is int else None


class _Estimator:
    def __init__(self, checked: Checked) -> None:
        self._checked = checked
        self._paths: dict[SyntaxNode, Path] = {}
        self._sizes: dict[SyntaxNode, int] = {}
        self._entries: dict[SyntaxNode, _Entries] = {}
        self._locals: dict[str, list[_Local]] = {}

    def cost(self, node: SyntaxNode) -> int:
        match node:
            case Literal():
                return 0
            case Ident(name):
                local = self._local(name)
                self._paths[node] = local.path if local else (name,)
                return 1
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListLiteral(elements):
                spent = sum(map(self.cost, elements))
                value = max((self.size(element) for element in elements), default=0)
                self._entries[node] = _Entries(True, 1, value)
                return spent + LIST_LITERAL
            case MapLiteral(entries):
                spent = sum(self.cost(entry.key) + self.cost(entry.value) for entry in entries)
                key = max((self.size(entry.key) for entry in entries), default=0)
                value = max((self.size(entry.value) for entry in entries), default=0)
                self._entries[node] = _Entries(False, key, value)
                return spent + MAP_LITERAL
            case Comprehension(macro="cel.bind"):
                return self._bind(node)
            case Comprehension():
                return self._comprehension(node)

    def size(self, node: SyntaxNode) -> int:
        """Return the largest size of a value, UNBOUNDED if unknown."""
        known = self._known_size(node)
        return UNBOUNDED if known is None else known

    def _known_size(self, node: SyntaxNode) -> int | None:
        if node in self._sizes:
            return self._sizes[node]
        match node:
            case Literal(value=str() | bytes() as text):
                return len(text)
            case Literal():
                return 1
            case ListLiteral(elements=parts) | MapLiteral(entries=parts):
                return len(parts)
        declared = self._declared(self._paths.get(node, ()))
        if declared is not None:
            return declared
        if self._checked.types[node].name in _SCALARS:
            return 1
        local = self._local(node.name) if isinstance(node, Ident) else None
        return local.size if local else None

    def element_size(self, node: SyntaxNode) -> int | None:
        """Return the largest size of an element of a list or map; None if its type has no parameters."""
        kind = self._checked.types[node]
        if not kind.params:
            return None
        declared = self._declared((*self._paths.get(node, ()), "@items"))
        if declared is not None:
            return declared
        return 1 if kind.params[0].name in _SCALARS else UNBOUNDED

    def _declared(self, path: Path) -> int | None:
        if not path or path[0] != VARIABLE:
            return None
        bounds: _Bounds | None = _DEVICE
        for step in path[1:]:
            if bounds is None:
                return None
            if step in ("@items", "@values"):
                bounds = bounds.element
            elif step == "@keys":
                bounds = bounds.key
            else:
                bounds = bounds.fields.get(step) or (_ATTRIBUTE if bounds.element is _ATTRIBUTE else None)
        return None if bounds is None else bounds.size

    def _local(self, name: str) -> _Local | None:
        known = self._locals.get(name)
        return known[-1] if known else None

    def _push(self, name: str, local: _Local) -> None:
        self._locals.setdefault(name, []).append(local)

    def _entries_of(self, node: SyntaxNode) -> _Entries | None:
        if node in self._entries or not isinstance(node, Ident):
            return self._entries.get(node)
        local = self._local(node.name)
        return local.entries if local else None

    def _select(self, node: Select) -> int:
        spent = self.cost(node.operand)
        if node.test_only:
            return spent
        self._paths[node] = (*self._paths.get(node.operand, ()), node.field)
        return spent + (self._checked.types[node.operand].name in ("map", types.DEVICE.name))

    def _call(self, node: Call) -> int:
        nodes = node.args if node.target is None else (node.target, *node.args)
        costs = [self.cost(argument) for argument in nodes]
        if node.function == "dyn":
            self._copy(node, nodes[0])
            return costs[0] + 1
        largest: int | None = None
        most = 0
        for params in self._parameters(node, nodes):
            element = self.element_size(nodes[0]) if nodes else None
            numbers = tuple(map(_number, nodes))
            arguments = Arguments(tuple(map(self.size, nodes)), tuple(costs), params, numbers, element)
            spent, size = estimate(node.function, arguments)
            most = max(most, spent)
            largest = size if largest is None else max(largest, size or 0)
        if node.function == "_[_]":
            self._index(node, nodes[0])
        elif node.function == "_?_:_":
            self._join(node, nodes[1], nodes[2])
        elif node.function == "_+_":
            self._join(node, nodes[0], nodes[1])
        if largest is not None:
            self._sizes.setdefault(node, largest)
        return min(most, UNBOUNDED)

    def _parameters(self, node: Call, nodes: tuple[SyntaxNode, ...]) -> list[tuple[types.Type, ...]]:
        """Return the parameter types of each overload that may apply; none for `_?._`."""
        if node.function == "_==_":
            return [tuple(self._checked.types[argument] for argument in nodes)]
        return [overload.params for overload in self._checked.overloads.get(node, ())] or [()]

    def _index(self, node: Call, container: SyntaxNode) -> None:
        step = "@items" if self._checked.types[container].name == "list" else "@values"
        self._paths[node] = (*self._paths.get(container, ()), step)
        entries = self._entries_of(container)
        if entries is not None:
            self._sizes[node] = entries.value

    def _join(self, node: Call, first: SyntaxNode, other: SyntaxNode) -> None:
        entries = self._entries_of(first)
        joined = entries.union(self._entries_of(other)) if entries else None
        if joined is not None:
            self._entries[node] = joined

    def _copy(self, node: SyntaxNode, source: SyntaxNode) -> None:
        size, entries = self._known_size(source), self._entries_of(source)
        if size is not None:
            self._sizes[node] = size
        if entries is not None:
            self._entries[node] = entries

    def _bind(self, node: Comprehension) -> int:
        spent = self.cost(node.source) + self.cost(node.start)
        self._push(node.accumulator, self._named(node.start))
        spent += self.cost(node.result)
        self._locals[node.accumulator].pop()
        self._copy(node, node.result)
        return spent

    def _named(self, node: SyntaxNode) -> _Local:
        return _Local(self._paths.get(node, ()), self._known_size(node), self._entries_of(node))

    def _comprehension(self, node: Comprehension) -> int:
        spent = self.cost(node.source) + self.cost(node.start)
        self._push(node.accumulator, self._named(node.start))
        variables = self._loop_variables(node)
        for name, local in variables:
            self._push(name, local)
        each = self.cost(node.condition) + self.cost(node.step)
        for name, _ in variables:
            self._locals[name].pop()
        spent += self.cost(node.result)
        self._locals[node.accumulator].pop()
        count = self.size(node.source)
        if isinstance(node.start, ListLiteral | MapLiteral):
            self._sizes[node] = count
            entries = self._entries_of(node.step)
            if entries is not None:
                self._entries[node] = entries
        else:
            self._sizes[node] = self.size(node.start)
        return min(spent + times(count, each), UNBOUNDED)

    def _loop_variables(self, node: Comprehension) -> list[tuple[str, _Local]]:
        entries, path = self._entries_of(node.source), self._paths.get(node.source, ())
        is_list = entries.is_list if entries else self._checked.types[node.source].name == "list"
        key = _Local((*path, "@indices" if is_list else "@keys"), entries.key if entries else None)
        value = _Local((*path, "@items" if is_list else "@values"), entries.value if entries else None)
        if node.second is not None:
            return [(node.variable, key), (node.second, value)]
        return [(node.variable, value if is_list else key)]

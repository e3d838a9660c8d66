"""The type checker: names, fields and overloads, with the messages of cel-go."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dra_conform.cel.checking.environment import FULL, TYPE_NAMES, VARIABLE, Environment
from dra_conform.cel.checking.overload_resolution import Fresh, Substitution, resolve
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.syntax.ast import (
    Call,
    Comprehension,
    Ident,
    ListLiteral,
    Literal,
    MapEntry,
    MapLiteral,
    Select,
    SyntaxNode,
)
from dra_conform.cel.syntax.issues import Issue
from dra_conform.cel.values import types
from dra_conform.cel.values.types import (
    BOOL,
    DEVICE,
    DYN,
    ERROR,
    STRING,
    Type,
    is_dynamic,
    list_of,
    map_of,
    optional_of,
)
from dra_conform.cel.values.value import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked expression: the tree with resolved names, and the type of each node.

    `overloads` has the overloads that may apply to each call: exactly one unless an argument is dyn.
    """

    root: SyntaxNode
    types: Mapping[SyntaxNode, Type]
    overloads: Mapping[Call, tuple[Overload, ...]]


def check(root: SyntaxNode, environment: Environment = FULL) -> tuple[Checked, tuple[Issue, ...]]:
    """Return the tree with resolved names and types, and all its errors."""
    checker = _Checker(environment)
    checked, _ = checker.node(root)
    return checker.result(checked), tuple(checker.issues)


class _Checker:
    def __init__(self, environment: Environment) -> None:
        self.issues: list[Issue] = []
        self._functions = environment.functions
        self._fields = environment.fields
        self._types: dict[SyntaxNode, Type] = {}
        self._overloads: dict[Call, tuple[Overload, ...]] = {}
        self._scope: dict[str, Type] = {VARIABLE: DEVICE}
        self._known = Substitution()
        self._fresh = Fresh()

    def result(self, root: SyntaxNode) -> Checked:
        """Return the checked tree, after all nodes have been visited."""
        final = {n: self._known.resolve(t, free_to_dyn=True) for n, t in self._types.items()}
        return Checked(root, final, self._overloads)

    def _wrong(self, offset: int, message: str) -> Type:
        if not any(i.offset == offset and i.message == message for i in self.issues):
            self.issues.append(Issue(offset, message))
        return ERROR

    def _typed(self, node: SyntaxNode, t: Type) -> tuple[SyntaxNode, Type]:
        self._types[node] = t
        return node, t

    def node(self, node: SyntaxNode) -> tuple[SyntaxNode, Type]:
        """Return the node with resolved names, and its type."""
        match node:
            case Literal():
                return self._typed(node, type_of(node.value))
            case Ident():
                return self._ident(node)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListLiteral():
                return self._list(node)
            case MapLiteral():
                return self._map(node)
            case Comprehension():
                return self._comprehension(node)

    def _ident(self, node: Ident) -> tuple[SyntaxNode, Type]:
        if node.name in self._scope:
            return self._typed(node, self._scope[node.name])
        if node.name in TYPE_NAMES:
            return self._typed(node, types.type_of_type(TYPE_NAMES[node.name]))
        return self._typed(node, self._wrong(node.offset, _undeclared(node.name)))

    def _select(self, node: Select) -> tuple[SyntaxNode, Type]:
        name = self._qualified(node)
        if name is not None and name in TYPE_NAMES and not node.test_only:
            return self._typed(Ident(name, node.offset), types.type_of_type(TYPE_NAMES[name]))
        operand, t = self.node(node.operand)
        checked = Select(operand, node.field, node.offset, node.test_only)
        field_type = self._field(node.offset, t, node.field)
        return self._typed(checked, BOOL if node.test_only else field_type)

    def _qualified(self, node: SyntaxNode) -> str | None:
        """Return a chain of selections as a dotted name; None if it begins with a variable."""
        parts: list[str] = []
        while isinstance(node, Select) and not node.test_only:
            parts.append(node.field)
            node = node.operand
        if isinstance(node, Ident) and node.name not in self._scope:
            return ".".join([node.name, *reversed(parts)])
        return None

    def _field(self, offset: int, operand: Type, field: str) -> Type:
        t = self._known.resolve(operand)
        if t.name == "optional_type" and t.params:
            inner = self._field(offset, t.params[0], field)
            return inner if inner.name == "optional_type" else optional_of(inner)
        if t == DEVICE:
            field_type = self._fields.get(field)
            return self._wrong(offset, f"undefined field '{field}'") if field_type is None else field_type
        if t.name == "map" and t.params:
            if not self._known.accepts_all((t.params[0],), (STRING,)):
                return self._wrong(offset, f"expected type '{t.params[0]}' but found 'string'")
            return t.params[1]
        if t.variable:
            self._known.accepts(DYN, t)
            return DYN
        if is_dynamic(t):
            return t if t == ERROR else DYN
        return self._wrong(offset, f"type '{t}' does not support field selection")

    def _call(self, node: Call) -> tuple[SyntaxNode, Type]:
        if node.function == "_?._":
            return self._optional_selection(node)
        target, name = node.target, node.function
        if target is not None:
            prefix = self._qualified(target)
            if prefix is not None and f"{prefix}.{name}" in self._functions:
                target, name = None, f"{prefix}.{name}"
        operands: list[SyntaxNode] = []
        operand_types: list[Type] = []
        for part in (*(() if target is None else (target,)), *node.args):
            checked, t = self.node(part)
            operands.append(checked)
            operand_types.append(t)
        call = Call(
            name,
            None if target is None else operands[0],
            tuple(operands if target is None else operands[1:]),
            node.offset,
        )
        if name not in self._functions:
            return self._typed(call, self._wrong(node.offset, _undeclared(name)))
        return self._typed(call, self._resolve(call, tuple(operand_types)))

    def _resolve(self, call: Call, operand_types: tuple[Type, ...]) -> Type:
        resolved = resolve(call, self._functions[call.function], operand_types, self._known, self._fresh)
        if resolved is None:
            shown = [str(self._known.resolve(t, free_to_dyn=True)) for t in operand_types]
            args = f"({', '.join(shown)})" if call.target is None else f"{shown[0]}.({', '.join(shown[1:])})"
            return self._wrong(
                call.offset, f"found no matching overload for '{call.function}' applied to '{args}'"
            )
        self._overloads[call], result = resolved
        return result

    def _optional_selection(self, node: Call) -> tuple[SyntaxNode, Type]:
        operand, t = self.node(node.args[0])
        field = node.args[1]
        assert isinstance(field, Literal)
        field_type = self._field(node.offset, t, field.value)
        if field_type.name != "optional_type":
            field_type = optional_of(field_type)
        return self._typed(Call(node.function, None, (operand, field), node.offset), field_type)

    def _list(self, node: ListLiteral) -> tuple[SyntaxNode, Type]:
        elements: list[SyntaxNode] = []
        joined: Type | None = None
        for position, element in enumerate(node.elements):
            checked, t = self.node(element)
            elements.append(checked)
            joined = self._joined(joined, self._unwrapped(element, t, position in node.optional))
        element_type = self._fresh.variable() if joined is None else joined
        return self._typed(ListLiteral(tuple(elements), node.offset, node.optional), list_of(element_type))

    def _map(self, node: MapLiteral) -> tuple[SyntaxNode, Type]:
        entries: list[MapEntry] = []
        keys: Type | None = None
        values: Type | None = None
        for entry in node.entries:
            key, key_type = self.node(entry.key)
            value, value_type = self.node(entry.value)
            entries.append(MapEntry(key, value, entry.optional, entry.offset))
            keys = self._joined(keys, key_type)
            values = self._joined(values, self._unwrapped(entry.value, value_type, entry.optional))
        t = map_of(keys or self._fresh.variable(), values or self._fresh.variable())
        return self._typed(MapLiteral(tuple(entries), node.offset), t)

    def _unwrapped(self, node: SyntaxNode, t: Type, optional: bool) -> Type:
        if not optional:
            return t
        inner = self._fresh.variable()
        if not self._known.accepts_all((optional_of(inner),), (t,)):
            shown = self._known.resolve(t, free_to_dyn=True)
            return self._wrong(node.offset, f"expected type 'optional_type' but found '{shown}'")
        return DYN if is_dynamic(self._known.resolve(t)) else inner

    def _joined(self, before: Type | None, t: Type) -> Type:
        """Return the common type of two items of a literal; the validators reject most mixed types later."""
        if before is None:
            return t
        joined = self._known.join(before, t)
        return DYN if joined is None else joined

    @contextmanager
    def _names(self, names: dict[str, Type]) -> Iterator[None]:
        outer = self._scope
        self._scope = {**outer, **names}
        yield
        self._scope = outer

    def _comprehension(self, node: Comprehension) -> tuple[SyntaxNode, Type]:
        source, source_type = self.node(node.source)
        start, accumulator = self.node(node.start)
        first, second = self._elements(node, source_type)
        names = {node.accumulator: accumulator, node.variable: first}
        if node.second is not None:
            names[node.second] = second
        with self._names(names):
            condition, condition_type = self.node(node.condition)
            self._expect(node.condition, BOOL, condition_type)
            step, step_type = self.node(node.step)
            self._expect(node.step, accumulator, step_type)
        with self._names({node.accumulator: accumulator}):
            result, result_type = self.node(node.result)
        checked = Comprehension(
            node.macro,
            node.variable,
            node.second,
            source,
            node.accumulator,
            start,
            condition,
            step,
            result,
            node.offset,
        )
        return self._typed(checked, self._known.resolve(result_type))

    def _elements(self, node: Comprehension, source: Type) -> tuple[Type, Type]:
        t = self._known.resolve(source)
        if t.name == "list" and t.params:
            return (t.params[0], DYN) if node.second is None else (types.INT, t.params[0])
        if t.name == "map" and t.params:
            return t.params[0], t.params[1]
        if t.variable or t in {DYN, ERROR}:
            self._known.accepts(DYN, t)
            return DYN, DYN
        wrong = self._wrong(
            node.source.offset,
            f"expression of type '{t}' cannot be range of a comprehension (must be list, map, or dynamic)",
        )
        return wrong, wrong

    def _expect(self, node: SyntaxNode, wanted: Type, actual: Type) -> None:
        if not self._known.accepts_all((wanted,), (actual,)):
            shown = [self._known.resolve(t, free_to_dyn=True) for t in (wanted, actual)]
            self._wrong(node.offset, f"expected type '{shown[0]}' but found '{shown[1]}'")


def _undeclared(name: str) -> str:
    return f"undeclared reference to '{name}' (in container '')"

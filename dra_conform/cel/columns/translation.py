"""Translation of a checked selector to one polars expression over the columns of a device table.

A CEL runtime error is a null: `&` and `|` of polars absorb nulls as `&&` and `||` absorb errors. A condition
that cannot be translated is null too, and then `Translation.complete` is false: the interpreter must decide
the devices whose result is null.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from dra_conform.cel.checking.checker import Checked
from dra_conform.cel.columns.comparisons import equal, member, not_equal, ordered
from dra_conform.cel.columns.device_columns import ATTRIBUTES, CAPACITY, Column, Columns
from dra_conform.cel.columns.terms import (
    NEVER,
    Constant,
    Dynamic,
    Interpreted,
    Term,
    Untranslatable,
    boolean,
    cells_of,
    choose,
    otherwise,
    present,
    truth,
)
from dra_conform.cel.columns.translated_calls import called
from dra_conform.cel.syntax import ast
from dra_conform.cel.values.types import BOOL
from dra_conform.cel.values.value import Value

_MOST_UNROLLED = 32


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated selector: `expr` is true, false or null for each device.

    If `complete`, null is a runtime error; otherwise the interpreter must decide.
    """

    expr: pl.Expr
    complete: bool


@dataclass(frozen=True, slots=True)
class Map:
    """`device.attributes` or `device.capacity`, or the map of one domain in it."""

    top: str
    domain: str | None = None


@dataclass(frozen=True, slots=True)
class Maybe:
    """The optional value of an access such as `device.capacity[domain].?name`."""

    columns: tuple[Column, ...]


TranslatedValue = Term | Map | Maybe
"""Any value during translation."""
Names = Mapping[str, TranslatedValue]


def translate(checked: Checked, columns: Columns) -> Translation:
    """Translate as much of a selector as possible, or nothing if Python's stack is too short for it."""
    work = _Translator(checked, columns)
    try:
        expr = work.condition(checked.root, {})
    except (RecursionError, Interpreted):
        return Translation(NEVER, False)
    return Translation(expr, work.complete)


class _Translator:
    def __init__(self, checked: Checked, columns: Columns) -> None:
        self.types = checked.types
        self.overloads = checked.overloads
        self.columns = columns
        self.complete = True

    def condition(self, node: ast.SyntaxNode, names: Names) -> pl.Expr:
        """Return the node as a Boolean expression; null everywhere if it cannot be translated."""
        try:
            return self._connective(node, names)
        except Untranslatable:
            self.complete = False
            return NEVER

    def _connective(self, node: ast.SyntaxNode, names: Names) -> pl.Expr:
        match node:
            case ast.Call("_&&_", None, (left, right)):
                return self.condition(left, names) & self.condition(right, names)
            case ast.Call("_||_", None, (left, right)):
                return self.condition(left, names) | self.condition(right, names)
            case ast.Call("!_", None, (operand,)):
                return ~self.condition(operand, names)
            case ast.Call("_?_:_", None, (chosen, yes, no)):
                return choose(*(self.condition(n, names) for n in (chosen, yes, no)))
            case ast.Comprehension():
                return self._comprehension(node, names)
        return truth(self._term(node, names))

    def _comprehension(self, node: ast.Comprehension, names: Names) -> pl.Expr:
        if node.macro == "cel.bind":
            return self.condition(
                node.result, {**names, node.accumulator: self._translated(node.start, names)}
            )
        source = self._term(node.source, names)
        step = node.step
        if node.second is not None or not isinstance(source, Constant) or not isinstance(step, ast.Call):
            raise Untranslatable
        joined = {("all", "_&&_"): True, ("exists", "_||_"): False}.get((node.macro, step.function))
        elements = source.value
        if joined is None or not isinstance(elements, tuple) or len(elements) > _MOST_UNROLLED:
            raise Untranslatable
        result = pl.lit(joined)
        for element in elements:
            each = self.condition(step.args[1], {**names, node.variable: Constant(element)})
            result = result & each if joined else result | each
        return result

    def _term(self, node: ast.SyntaxNode, names: Names) -> Term:
        translated = self._translated(node, names)
        if isinstance(translated, (Map, Maybe)):
            raise Untranslatable
        return translated

    def _translated(self, node: ast.SyntaxNode, names: Names) -> TranslatedValue:
        match node:
            case ast.Literal(value):
                return Constant(value)
            case ast.Ident(name) if name in names:
                return names[name]
            case ast.Select(operand, field, _, test_only):
                return self._select(operand, field, test_only, names)
            case ast.ListLiteral(elements, _, optional) if not optional:
                return Constant(tuple(self._constant(e, names) for e in elements))
            case ast.Call():
                return self._call(node, names)
            case ast.Comprehension("cel.bind"):
                return self._translated(
                    node.result, {**names, node.accumulator: self._translated(node.start, names)}
                )
            case ast.Comprehension():
                return boolean(self._comprehension(node, names))
        raise Untranslatable

    def _constant(self, node: ast.SyntaxNode, names: Names) -> Value:
        term = self._term(node, names)
        if isinstance(term, Constant):
            return term.value
        raise Untranslatable

    def _select(self, operand: ast.SyntaxNode, field: str, test_only: bool, names: Names) -> TranslatedValue:
        if isinstance(operand, ast.Ident) and operand.name == "device" and "device" not in names:
            if test_only:
                raise Untranslatable
            if field in (ATTRIBUTES, CAPACITY):
                return Map(field)
            return cells_of((self.columns.driver if field == "driver" else self.columns.shared,))
        inside = self._translated(operand, names)
        if not isinstance(inside, Map):
            raise Untranslatable
        if test_only:
            return present(self._named(inside, field))
        return self._within(inside, field)

    def _within(self, inside: Map, key: str) -> TranslatedValue:
        return Map(inside.top, key) if inside.domain is None else cells_of(self._named(inside, key))

    def _named(self, inside: Map, name: str) -> tuple[Column, ...]:
        if inside.domain is None:
            raise Untranslatable
        return self.columns.maps[inside.top].get(inside.domain, {}).get(name, ())

    def _call(self, node: ast.Call, names: Names) -> TranslatedValue:
        match node:
            case ast.Call("_&&_" | "_||_" | "!_", None):
                return boolean(self._connective(node, names))
            case ast.Call("_?_:_", None):
                if self.types[node] != BOOL:
                    raise Untranslatable
                return boolean(self._connective(node, names))
            case ast.Call("_==_", None, (left, right)):
                return boolean(equal(self._term(left, names), self._term(right, names)))
            case ast.Call("_!=_", None, (left, right)):
                return boolean(not_equal(self._term(left, names), self._term(right, names)))
            case ast.Call("_<_" | "_<=_" | "_>_" | "_>=_", None, (left, right)):
                return boolean(ordered(node.function, self._term(left, names), self._term(right, names)))
            case ast.Call("@in", None, (left, right)):
                return boolean(self._in(left, right, names))
            case ast.Call("_[_]" | "_?._" | "_[?_]", None, (operand, index)):
                return self._index(node.function, operand, index, names)
            case ast.Call("includes", target, (wanted,)) if target is not None:
                return boolean(member(self._term(target, names), (self._constant(wanted, names),)))
        operands = node.args if node.target is None else (node.target, *node.args)
        translated_operands = [self._translated(o, names) for o in operands]
        if isinstance(translated_operands[0] if translated_operands else None, Maybe):
            return self._of_maybe(node.function, translated_operands)
        terms = [t for t in translated_operands if isinstance(t, (Constant, Dynamic))]
        if len(terms) < len(translated_operands):
            raise Untranslatable
        return called(node.function, self.overloads.get(node, ()), terms)

    def _in(self, left: ast.SyntaxNode, right: ast.SyntaxNode, names: Names) -> pl.Expr:
        container = self._translated(right, names)
        if isinstance(container, Map):
            key = self._constant(left, names)
            if not isinstance(key, str):
                raise Untranslatable
            if container.domain is not None:
                return truth(present(self._named(container, key)))
            domain = self.columns.maps[container.top].get(key, {})
            return truth(present([c for columns in domain.values() for c in columns]))
        if isinstance(right, ast.ListLiteral) and not right.elements:
            return pl.lit(False)  # cel-go does not evaluate the left side either
        if isinstance(container, Constant) and isinstance(container.value, tuple):
            term = self._term(left, names)
            if isinstance(term, Dynamic) and any(o.kind == "version" for o in term.options):
                # Looking up a version in a set of constants raises Aborted, which columns cannot express.
                raise Interpreted
            return member(term, container.value)
        raise Untranslatable

    def _index(
        self, function: str, operand: ast.SyntaxNode, index: ast.SyntaxNode, names: Names
    ) -> TranslatedValue:
        inside = self._translated(operand, names)
        key = self._constant(index, names)
        if not isinstance(inside, Map) or not isinstance(key, str):
            raise Untranslatable
        if function == "_[_]":
            return self._within(inside, key)
        return Maybe(self._named(inside, key))

    def _of_maybe(self, function: str, translated_operands: list[TranslatedValue]) -> Term:
        match function, translated_operands:
            case "hasValue", [Maybe(columns)]:
                return present(columns)
            case "value", [Maybe(columns)]:
                return cells_of(columns)
            case "orValue", [Maybe(columns), Constant(default)]:
                return otherwise(columns, default)
        raise Untranslatable

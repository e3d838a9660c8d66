"""The parser: turns tokens into a syntax tree, by the CEL grammar, and expands macros."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dra_conform.cel.syntax import macros
from dra_conform.cel.syntax.ast import (
    Call,
    Ident,
    ListLiteral,
    Literal,
    MapEntry,
    MapLiteral,
    Select,
    SyntaxNode,
)
from dra_conform.cel.syntax.issues import MAX_DEPTH, MAX_LENGTH, Issue
from dra_conform.cel.syntax.lexer import RESERVED, Token, tokens
from dra_conform.cel.values.value import INT_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator

_BINARY: dict[str, tuple[int, str]] = {
    "<": (1, "_<_"),
    "<=": (1, "_<=_"),
    ">": (1, "_>_"),
    ">=": (1, "_>=_"),
    "==": (1, "_==_"),
    "!=": (1, "_!=_"),
    "in": (1, "@in"),
    "+": (2, "_+_"),
    "-": (2, "_-_"),
    "*": (3, "_*_"),
    "/": (3, "_/_"),
    "%": (3, "_%_"),
}


def parse(source: str) -> SyntaxNode:
    """Return the syntax tree of an expression. Raise Issue for the first error."""
    try:
        length = len(source.encode())
    except UnicodeEncodeError as e:
        raise Issue(e.start, "Syntax error: a lone surrogate is not a character") from None
    if length > MAX_LENGTH:
        raise Issue(0, f"expression too long: more than {MAX_LENGTH} bytes")
    parser = _Parser(tokens(source))
    root = parser.expression()
    parser.expect("end")
    return root


class _Parser:
    def __init__(self, token_list: list[Token]) -> None:
        self._tokens = token_list
        self._at = 0
        self._depth = 0

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _accept(self, kind: str) -> Token | None:
        return self._take() if self._next.kind == kind else None

    def expect(self, kind: str) -> Token:
        """Consume a token of this kind. Raise Issue if the next token is of another kind."""
        if self._next.kind != kind:
            raise self._unexpected(f"expecting {'the end' if kind == 'end' else repr(kind)}")
        return self._take()

    def _unexpected(self, expecting: str) -> Issue:
        return Issue(self._next.offset, f"Syntax error: mismatched input {self._next.text!r} {expecting}")

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Issue(self._next.offset, f"expression recursion limit exceeded: {MAX_DEPTH}")

    @contextmanager
    def _level(self) -> Iterator[None]:
        """Add one level to the nesting depth, until the block ends. Raise Issue above the limit."""
        depth = self._depth
        self._deeper()
        yield
        self._depth = depth

    def expression(self) -> SyntaxNode:
        """Parse `condition ? first : second`, or an expression of higher precedence."""
        with self._level():
            condition = self._logical("||", "_||_", self._conjunction)
            mark = self._accept("?")
            if mark is None:
                return condition
            first = self._logical("||", "_||_", self._conjunction)
            self.expect(":")
            return Call("_?_:_", None, (condition, first, self.expression()), mark.offset)

    def _conjunction(self) -> SyntaxNode:
        return self._logical("&&", "_&&_", self._relation)

    def _logical(self, operator: str, function: str, operand: Callable[[], SyntaxNode]) -> SyntaxNode:
        terms = [operand()]
        offsets: list[int] = []
        while self._next.kind == operator:
            offsets.append(self._take().offset)
            terms.append(operand())
        return _balanced(function, terms, offsets)

    def _relation(self) -> SyntaxNode:
        return self._binary(1)

    def _binary(self, lowest: int) -> SyntaxNode:
        left = self._unary()
        depth = self._depth
        while (known := _BINARY.get(self._next.kind)) and known[0] >= lowest:
            self._deeper()
            offset = self._take().offset
            left = Call(known[1], None, (left, self._binary(known[0] + 1)), offset)
        self._depth = depth
        return left

    def _unary(self) -> SyntaxNode:
        operator = self._next
        if operator.kind not in {"!", "-"}:
            return self._member(self._primary())
        count = 0
        while self._accept(operator.kind):
            count += 1
        if operator.kind == "-" and count == 1 and type(self._next.value) in {int, float}:
            # A single minus belongs to the number, so that the smallest int can be written.
            return self._member(Literal(-self._take().value, operator.offset))
        operand = self._member(self._primary())
        function = "!_" if operator.kind == "!" else "-_"
        return Call(function, None, (operand,), operator.offset) if count % 2 else operand

    def _member(self, node: SyntaxNode) -> SyntaxNode:
        depth = self._depth
        while self._next.kind in {".", "["}:
            self._deeper()
            node = self._selection(node) if self._next.kind == "." else self._index(node)
        self._depth = depth
        return node

    def _selection(self, operand: SyntaxNode) -> SyntaxNode:
        dot = self.expect(".")
        optional = self._accept("?")
        field = self.expect("name")
        if optional:
            return Call("_?._", None, (operand, Literal(field.text, field.offset)), dot.offset)
        opening = self._accept("(")
        if opening is None:
            return Select(operand, field.text, dot.offset)
        return self._call(operand, field.text, opening)

    def _index(self, operand: SyntaxNode) -> SyntaxNode:
        bracket = self.expect("[")
        function = "_[?_]" if self._accept("?") else "_[_]"
        key = self.expression()
        self.expect("]")
        return Call(function, None, (operand, key), bracket.offset)

    def _call(self, target: SyntaxNode | None, name: str, opening: Token) -> SyntaxNode:
        args: list[SyntaxNode] = []
        if self._next.kind != ")":
            args.append(self.expression())
            while self._accept(","):
                args.append(self.expression())
        self.expect(")")
        call = Call(name, target, tuple(args), opening.offset)
        return macros.expand(call) or call

    def _primary(self) -> SyntaxNode:
        token = self._next
        if token.kind == "literal":
            self._take()
            if type(token.value) is int and token.value > INT_MAX:
                raise Issue(token.offset, "invalid int literal")
            return Literal(token.value, token.offset)
        if token.kind == "(":
            self._take()
            inner = self.expression()
            self.expect(")")
            return inner
        if token.kind == "[":
            return self._list()
        if token.kind == "{":
            return self._map()
        return self._name()

    def _name(self) -> SyntaxNode:
        root = self._accept(".")
        if self._next.kind != "name":
            raise self._unexpected("expecting an expression")
        name = self._take()
        if name.text in RESERVED:
            raise Issue(name.offset, f"reserved identifier: {name.text}")
        if self._next.kind == "{":
            raise Issue(name.offset, "message construction is not supported in device selectors")
        opening = self._accept("(")
        if opening:
            return self._call(None, name.text, opening)
        return Ident(name.text, (root or name).offset)

    def _items(self, bracket: str) -> Iterator[None]:
        """Yield before each item of a list or map, and consume the commas and the closing bracket.

        A comma may follow the last item, or be the only token in the brackets.
        """
        if self._next.kind not in {bracket, ","}:
            yield
            while self._next.kind == "," and self._tokens[self._at + 1].kind != bracket:
                self._take()
                yield
        self._accept(",")
        self.expect(bracket)

    def _list(self) -> SyntaxNode:
        opening = self.expect("[")
        elements: list[SyntaxNode] = []
        optional: set[int] = set()
        for _ in self._items("]"):
            if self._accept("?"):
                optional.add(len(elements))
            elements.append(self.expression())
        return ListLiteral(tuple(elements), opening.offset, frozenset(optional))

    def _map(self) -> SyntaxNode:
        opening = self.expect("{")
        entries: list[MapEntry] = []
        for _ in self._items("}"):
            optional = bool(self._accept("?"))
            key = self.expression()
            colon = self.expect(":")
            entries.append(MapEntry(key, self.expression(), optional, colon.offset))
        return MapLiteral(tuple(entries), opening.offset)


def _balanced(function: str, terms: list[SyntaxNode], offsets: list[int]) -> SyntaxNode:
    """Return a balanced tree, so that a long chain of conditions does not exceed the nesting limit."""
    if len(terms) == 1:
        return terms[0]
    middle = (len(terms) + 1) // 2
    left = _balanced(function, terms[:middle], offsets[: middle - 1])
    right = _balanced(function, terms[middle:], offsets[middle:])
    return Call(function, None, (left, right), offsets[middle - 1])

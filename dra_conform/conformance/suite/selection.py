"""The `--select` expressions over the properties of cases.

`requirement:KEP-5075/rounding/* and not feature:distinct-attribute`. The fields are id, requirement,
document, area, feature, operation and kind; values are globs. A word without a field matches a part of the
id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase

from dra_conform.conformance.case import Case
from dra_conform.kube.errors import InputError

Wanted = Callable[[Case], bool]

FIELDS: dict[str, Callable[[Case], Iterable[str]]] = {
    "id": lambda case: (case.id,),
    "requirement": lambda case: case.requirements,
    "document": lambda case: (name.partition("/")[0] for name in case.requirements),
    "area": lambda case: (name.split("/")[1] for name in case.requirements if name.count("/") > 1),
    "feature": lambda case: case.features,
    "operation": lambda case: (case.operation,),
    "kind": lambda case: (case.kind,),
}
"""The fields of the selection, with the values of a case."""

_TOKEN = re.compile(r"\s*(\(|\)|[^\s()]+)")


def select(
    cases: Sequence[Case], expression: str, present: Callable[[str], str] = lambda case_id: case_id
) -> list[Case]:
    """Return the selected cases, all for an empty expression; raises InputError with the column.

    `present` returns the present id of a case for a former one (`FormerIds`).
    """
    if not expression.strip():
        return list(cases)
    parser = _Parser(expression, present)
    wanted = parser.either()
    if parser.position < len(parser.tokens):
        raise parser.error("expected and, or, or the end")
    return [case for case in cases if wanted(case)]


_DEEPEST = 50
"""The limit of nested parentheses and `not`."""


class _Parser:
    def __init__(self, expression: str, present: Callable[[str], str]) -> None:
        self.present = present
        self.expression = expression
        self.tokens = [(found[1], found.start(1)) for found in _TOKEN.finditer(expression)]
        self.position = 0
        self.depth = 0

    def error(self, message: str) -> InputError:
        if self.position < len(self.tokens):
            token, column = self.tokens[self.position]
            return InputError("--select", None, f"column {column + 1}", f"found {token!r}, {message}")
        column = len(self.expression) + 1
        return InputError("--select", None, f"column {column}", f"found the end, {message}")

    def _peek(self) -> str:
        return self.tokens[self.position][0] if self.position < len(self.tokens) else ""

    def either(self) -> Wanted:
        parts = [self._both()]
        while self._peek() == "or":
            self.position += 1
            parts.append(self._both())
        return lambda case: any(part(case) for part in parts)

    def _both(self) -> Wanted:
        parts = [self._one()]
        while self._peek() == "and":
            self.position += 1
            parts.append(self._one())
        return lambda case: all(part(case) for part in parts)

    def _one(self) -> Wanted:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"expected at most {_DEEPEST} nested parentheses and not")
        try:
            return self._one_inside()
        finally:
            self.depth -= 1

    def _one_inside(self) -> Wanted:
        token = self._peek()
        if token == "not":
            self.position += 1
            inner = self._one()
            return lambda case: not inner(case)
        if token == "(":
            self.position += 1
            inside = self.either()
            if self._peek() != ")":
                raise self.error("expected )")
            self.position += 1
            return inside
        if token in ("", ")", "and", "or"):
            raise self.error("expected a word, field:value, not or (")
        wanted = self._word(token)
        self.position += 1
        return wanted

    def _word(self, token: str) -> Wanted:
        name, colon, value = token.partition(":")
        if not colon:
            glob = _glob(token)
            return lambda case: token in case.id or fnmatchcase(case.id, glob)
        if name not in FIELDS:
            raise self.error(f"expected one of the fields {', '.join(FIELDS)}")
        values = FIELDS[name]
        value = _glob(self.present(value) if name == "id" else value)
        return lambda case: any(fnmatchcase(one, value) for one in values(case))


def _glob(text: str) -> str:
    """Return a glob with only * and ?, because ids have square brackets."""
    return text.replace("[", "[[]")

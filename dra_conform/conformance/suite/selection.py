"""The `--select` expressions over the properties of cases.

`requirement:KEP-5075/rounding/* and not feature:distinct-attribute`. The fields are id, requirement,
document, area, feature, operation and kind; values are globs. A word without a field matches a part of the
id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from dra_conform.conformance.case import S, Selectable
from dra_conform.kube.errors import InputError

Predicate = Callable[[Selectable], bool]

FIELDS: dict[str, Callable[[Selectable], Iterable[str]]] = {
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
    cases: Sequence[S],
    expression: str | Sequence[str],
    present: Callable[[str], str] = lambda case_id: case_id,
) -> list[S]:
    """Return the cases that any expression selects, all cases if there is none.

    Raises InputError with the column, also if one of several expressions is empty.
    `present` returns the current id of a case for a former id (`FormerIds`).
    """
    if not expression:
        return list(cases)
    expressions = (expression,) if isinstance(expression, str) else expression
    predicates = [_predicate(text, present) for text in expressions]
    return [case for case in cases if any(predicate(case) for predicate in predicates)]


def reject_unknown_values(
    cases: Sequence[Selectable],
    expressions: Iterable[str],
    present: Callable[[str], str] = lambda case_id: case_id,
) -> None:
    """Raise InputError for a `field:value` or a word that no case matches; `cases` are those of the suite.

    Without this error `not kind:goldn` would select every case.
    """
    for expression in expressions:
        parser = _Parser(expression, present)
        parser.parse()
        for position, predicate in parser.terms:
            if not any(map(predicate, cases)):
                parser.position = position
                near = _similar_value(cases, parser.tokens[position][0])
                hint = f", did you mean {near}?" if near else ""
                raise parser.error(
                    f"which no case of the suite matches, expected a value that `list` prints{hint}"
                )


def _predicate(expression: str, present: Callable[[str], str]) -> Predicate:
    return _Parser(expression, present).parse()


_MAX_NESTING = 50
"""The limit of nested parentheses and `not`."""


class _Parser:
    """A recursive descent parser of selections."""

    def __init__(self, expression: str, present: Callable[[str], str]) -> None:
        self.present = present
        self.expression = expression
        self.tokens = [(match[1], match.start(1)) for match in _TOKEN.finditer(expression)]
        self.position = 0
        self.depth = 0
        self.terms: list[tuple[int, Predicate]] = []
        """The predicates of words and of `field:value`, each with the position of its token."""

    def parse(self) -> Predicate:
        """Parse the whole expression."""
        predicate = self._parse_or()
        if self.position < len(self.tokens):
            raise self.error("expected `and`, `or` or the end of the expression")
        return predicate

    def error(self, message: str) -> InputError:
        if self.position < len(self.tokens):
            token, column = self.tokens[self.position]
            return InputError("--select", None, f"column {column + 1}", f"found {token!r}, {message}")
        column = len(self.expression) + 1
        return InputError("--select", None, f"column {column}", f"the expression ends here, {message}")

    def _peek(self) -> str:
        return self.tokens[self.position][0] if self.position < len(self.tokens) else ""

    def _parse_or(self) -> Predicate:
        parts = [self._parse_and()]
        while self._peek() == "or":
            self.position += 1
            parts.append(self._parse_and())
        return lambda case: any(part(case) for part in parts)

    def _parse_and(self) -> Predicate:
        parts = [self._parse_not()]
        while self._peek() == "and":
            self.position += 1
            parts.append(self._parse_not())
        return lambda case: all(part(case) for part in parts)

    def _parse_not(self) -> Predicate:
        self.depth += 1
        if self.depth > _MAX_NESTING:
            raise self.error(f"expected at most {_MAX_NESTING} nested parentheses and `not` operators")
        try:
            return self._parse_operand()
        finally:
            self.depth -= 1

    def _parse_operand(self) -> Predicate:
        token = self._peek()
        if token == "not":
            self.position += 1
            inner = self._parse_not()
            return lambda case: not inner(case)
        if token == "(":
            self.position += 1
            inside = self._parse_or()
            if self._peek() != ")":
                raise self.error("expected `)`")
            self.position += 1
            return inside
        if token in ("", ")", "and", "or"):
            raise self.error("expected a word, `field:value`, `not` or `(`")
        predicate = self._parse_word(token)
        self.terms.append((self.position, predicate))
        self.position += 1
        return predicate

    def _parse_word(self, token: str) -> Predicate:
        name, colon, value = token.partition(":")
        if not colon:
            return lambda case: token in case.id or matches_glob(case.id, token)
        if name not in FIELDS:
            raise self.error(f"expected one of the fields {', '.join(FIELDS)}")
        values = FIELDS[name]
        glob = self.present(value) if name == "id" else value
        return lambda case: any(matches_glob(text, glob) for text in values(case))


def matches_glob(text: str, glob: str) -> bool:
    """Whether a text matches a glob with only * and ?, because ids have square brackets."""
    return fnmatchcase(text, glob.replace("[", "[[]"))


def _similar_value(cases: Iterable[Selectable], token: str) -> str:
    """Return the most similar `field:value` of a case, empty if there is none.

    A value such as `KEP-5075/roundin/*` is compared with the beginnings of known values.
    """
    field, colon, value = token.partition(":")
    if not colon:
        return ""
    known = {name for case in cases for name in FIELDS[field](case)}
    if value.endswith("/*"):
        known = {"/".join([*name.split("/")[: value.count("/")], "*"]) for name in known}
    return "".join(f"{field}:{near}" for near in get_close_matches(value, sorted(known), 1))

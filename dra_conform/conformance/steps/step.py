"""A step of the vocabulary: a function with its golden key and its Gherkin sentences.

A step is defined by a decorated function, whose name is its golden key:

    @given('ResourceClaim "{claim}" is the extended-resource claim of pod "{pod}"')
    def extended_resource_claim(setup: Given, params: GivenExtendedResourceClaim) -> None: ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, get_type_hints

import msgspec

from dra_conform.kube.json_values import Json, UncheckedJson

Table = Sequence[Mapping[str, str]]
"""A Gherkin data table: rows as maps from column to cell."""

Read = Callable[[re.Match[str], Table, str], UncheckedJson]
"""Converts the match of a sentence, the rows of its data table and its doc string to golden parameters."""


_A = TypeVar("_A")


class StepError(ValueError):
    """A step that is well-formed, but invalid in its case. The message says what is expected."""


Amount = Any
"""A quantity as written: a string or a number. Objects are validated after they are built."""

_ACRONYMS = {"id": "ID", "ids": "IDs", "api": "API", "cdi": "CDI"}


def member(name: str) -> str:
    """Return the golden member or key for a Python name: `shareID` for `share_id`, `set` for `set_`."""
    first, *others = name.rstrip("_").split("_")
    return first + "".join(_ACRONYMS.get(word, word[:1].upper() + word[1:]) for word in others)


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=member):
    """The parameters of a step in a golden file."""


class NoParams(Params, frozen=True, kw_only=True):
    """The parameters of a step without parameters, `{}`."""


@dataclass(frozen=True)
class Phrase:
    """A Gherkin sentence of a step: `words` shows it in messages, `params` converts a match.

    `expression` is a regular expression that matches all of it, `outline` one that also matches `<column>` in
    the place of fields that are not quoted. Each match begins with `start`.
    """

    words: str
    start: str
    expression: str
    outline: str
    params: Read

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression, compiled on first use because most sentences are never matched."""
        return re.compile(self.expression)

    def match(self, words: str) -> re.Match[str] | None:
        """Return the match of a whole sentence."""
        return self.pattern.fullmatch(words) if words.startswith(self.start) else None

    def matches_outline(self, words: str) -> bool:
        """Whether a sentence of an outline is of this phrase, before its columns are filled in."""
        return words.startswith(self.start) and re.fullmatch(self.outline, words) is not None


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step of the vocabulary: its golden key, the type of its parameters, and its Gherkin phrases.

    A step is equal only to itself.

    `apply` gets the `Given` for a Given or When step, the builder of the expectation for a Then step, and
    then the decoded parameters. For a When step it returns the action. It raises StepError. `function` is the
    function that defines the step.
    """

    keyword: str  # given, when or then
    key: str
    kind: Any
    phrases: tuple[Phrase, ...]
    apply: Callable[[Any, Any], Any]
    function: Callable[[Any, Any], Any]


Decorator = Callable[[Callable[[Any, Any], Any] | Step], Step]


def given(sentence: str | Phrase, read: Read | Json = None, **fields: str) -> Decorator:
    """Define a Given step by a function that gets the `Given` and the parameters; see `phrase`.

    `read` converts the sentence with its table and doc string to golden parameters. A constant is merged with
    the matched fields. Without it, the parameters are the matched fields by name or, if the step has a single
    value as parameter, the value of the only field, True if there is none.
    A step with several sentences has several decorators.
    """
    return _decorator("given", sentence, read, fields)


def when(sentence: str | Phrase, read: Read | Json = None, **fields: str) -> Decorator:
    """Define a When step by a function that returns the action; see `given`."""
    return _decorator("when", sentence, read, fields)


def then(sentence: str | Phrase, read: Read | Json = None, **fields: str) -> Decorator:
    """Define a Then step by a function that gets the builder of the expectation; see `given`."""
    return _decorator("then", sentence, read, fields)


def _decorator(
    keyword: str, sentence: str | Phrase, read: Read | Json, fields: Mapping[str, str]
) -> Decorator:
    def decorate(defined: Callable[[Any, Any], Any] | Step) -> Step:
        if isinstance(defined, Step):
            step = defined
        else:
            hints = get_type_hints(defined)
            kind = hints[defined.__code__.co_varnames[1]]
            step = Step(keyword, member(defined.__name__), kind, (), defined, defined)
        if isinstance(sentence, Phrase):
            new = sentence
        else:
            new = phrase(sentence, read if callable(read) else _reader(step.kind, read), **fields)
        return replace(step, phrases=(new, *step.phrases))

    return decorate


def _reader(kind: Any, constant: Json) -> Read:
    """Return what reads the fields of a sentence as the parameters of a type, merged with a constant."""
    has_members = isinstance(kind, type) and issubclass(kind, Params)

    def read(match: re.Match[str], _: Table, __: str) -> UncheckedJson:
        matched = {name: text for name, text in match.groupdict().items() if text is not None}
        if has_members:
            types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
            params = {
                member(name): int(text) if types.get(member(name)) is int else text
                for name, text in matched.items()
            }
            return {**params, **(constant or {})}
        if constant is not None or not matched:
            return True if constant is None else constant
        [value] = matched.values()
        return int(value) if kind is int else value

    return read


def phrase(words: str, params: Read, **fields: str) -> Phrase:
    """Return a phrase from words such as `ResourceClaim "{claim}" is allocated {count} device[s]`.

    `"{name}"` is any quoted string, `{name}` matches the regular expression in `fields`, `[...]` is optional.
    """
    start = re.split(r'["{\[]', words, maxsplit=1)[0]
    pattern = re.escape(words).replace(r"\ ", " ").replace(r"\[", "(?:").replace(r"\]", ")?")
    pattern = re.sub(r'"\\\{(\w+)\\\}"', r'"(?P<\1>[^"]*)"', pattern)
    outline = pattern
    for name, expression in fields.items():
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P<{name}>{expression})")
        outline = outline.replace(rf"\{{{name}\}}", f"(?:{expression}|<[^<>]+>)")
    return Phrase(words, start, pattern, outline, params)


def action_of(kind: type[_A], tag: str, params: Mapping[str, Json]) -> _A:
    """Return the action of a When step by its type, tag and members; raises StepError for a wrong member."""
    try:
        return msgspec.convert({"do": tag, **params}, kind)
    except msgspec.ValidationError as error:
        raise StepError(str(error)) from None


def listed(text: str) -> list[str]:
    """Return the items of a list such as `a, b`."""
    return [part.strip() for part in text.split(",") if part.strip()]


def amounts(text: str) -> dict[str, str]:
    """Return the quantities of `3 of "bw" and 1Gi of "mem"` by name."""
    return {name: amount for amount, name in re.findall(r'(\S+) of "([^"]+)"', text)}


AMOUNTS = r'\S+ of "[^"]+"(?:(?: and|,) \S+ of "[^"]+")*'
"""The regular expression of the words that `amounts` reads."""

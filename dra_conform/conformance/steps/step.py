"""A step: its golden key, its Gherkin sentences, and its effect on a case."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

Json = Any
Table = Sequence[Mapping[str, str]]
"""A Gherkin data table: its rows as maps from column to cell."""


class StepError(ValueError):
    """A step that is well-formed and makes no sense here; the text says what was expected."""


Amount = Any
"""A quantity as written: a text or a number. The objects made of it are checked as a whole."""


def member(name: str) -> str:
    """The member of a golden file for a field such as `share_id`: `shareID`."""
    first, *others = name.split("_")
    return first + "".join("ID" if word == "id" else word.capitalize() for word in others)


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=member):
    """The parameters of a step as a golden file writes them."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A Gherkin way to say a step: `pattern` must match the whole text, `words` shows it to people.

    `params` makes the golden parameters of the match, the data table's rows and the doc string.
    """

    words: str
    pattern: re.Pattern[str]
    params: Callable[[re.Match[str], Table, str], Json]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the vocabulary: its golden key with the type of its parameters, and its Gherkin phrases.

    `apply` gets the checked parameters and, before them, the `Given` in a given or when step (a when step
    returns the action that is asked), the builder of the expectation in a then step. It raises StepError.
    """

    keyword: str  # given, when or then
    key: str
    kind: Any
    phrases: tuple[Phrase, ...]
    apply: Callable[[Any, Any], Json]


def phrase(words: str, params: Callable[[re.Match[str], Table, str], Json], **fields: str) -> Phrase:
    """A phrase in words such as `ResourceClaim "{claim}" is allocated {count} device[s]`.

    `"{name}"` is any quoted text, `{name}` matches the expression given for it, `[...]` may be left out.
    """
    pattern = re.escape(words).replace(r"\ ", " ").replace(r"\[", "(?:").replace(r"\]", ")?")
    pattern = re.sub(r'"\\\{(\w+)\\\}"', r'"(?P<\1>[^"]*)"', pattern)
    for name, expression in fields.items():
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P<{name}>{expression})")
    return Phrase(words, re.compile(pattern), params)


def listed(text: str) -> list[str]:
    """`a, b` as a list."""
    return [part.strip() for part in text.split(",") if part.strip()]


def amounts(text: str) -> dict[str, str]:
    """`3 of "bw" and 1Gi of "mem"` as amounts by capacity name."""
    return {name: amount for amount, name in re.findall(r'(\S+) of "([^"]+)"', text)}


AMOUNTS = r'\S+ of "[^"]+"(?:(?: and|,) \S+ of "[^"]+")*'
"""The words that `amounts` reads."""

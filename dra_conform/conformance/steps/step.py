"""A step: its golden key, its Gherkin sentences, and its effect on a case."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json

Table = Sequence[Mapping[str, str]]
"""A Gherkin data table: rows as maps from column to cell."""


class StepError(ValueError):
    """A step that is well-formed, but invalid in its case. The message says what is expected."""


Amount = Any
"""A quantity as written: a string or a number. Objects are validated after they are built."""


def member(name: str) -> str:
    """Return the member of a golden file for a field: `shareID` for `share_id`."""
    first, *others = name.split("_")
    return first + "".join("ID" if word == "id" else word.capitalize() for word in others)


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=member):
    """The parameters of a step in a golden file."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A Gherkin sentence of a step: `pattern` must match all of it, `words` shows it in messages.

    `params` converts the match, the rows of the data table and the doc string to golden parameters.
    """

    words: str
    pattern: re.Pattern[str]
    params: Callable[[re.Match[str], Table, str], Json]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the vocabulary: its golden key, the type of its parameters, and its Gherkin phrases.

    `apply` gets the `Given` for a Given or When step, the builder of the expectation for a Then step, and
    then the decoded parameters. For a When step it returns the action. It raises StepError.
    """

    keyword: str  # given, when or then
    key: str
    kind: Any
    phrases: tuple[Phrase, ...]
    apply: Callable[[Any, Any], Any]


def phrase(words: str, params: Callable[[re.Match[str], Table, str], Json], **fields: str) -> Phrase:
    """Return a phrase from words such as `ResourceClaim "{claim}" is allocated {count} device[s]`.

    `"{name}"` is any quoted string, `{name}` matches the regular expression in `fields`, `[...]` is optional.
    """
    pattern = re.escape(words).replace(r"\ ", " ").replace(r"\[", "(?:").replace(r"\]", ")?")
    pattern = re.sub(r'"\\\{(\w+)\\\}"', r'"(?P<\1>[^"]*)"', pattern)
    for name, expression in fields.items():
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P<{name}>{expression})")
    return Phrase(words, re.compile(pattern), params)


def listed(text: str) -> list[str]:
    """Return the items of a list such as `a, b`."""
    return [part.strip() for part in text.split(",") if part.strip()]


def amounts(text: str) -> dict[str, str]:
    """Return the quantities of `3 of "bw" and 1Gi of "mem"` by name."""
    return {name: amount for amount, name in re.findall(r'(\S+) of "([^"]+)"', text)}


AMOUNTS = r'\S+ of "[^"]+"(?:(?: and|,) \S+ of "[^"]+")*'
"""The regular expression of the words that `amounts` reads."""

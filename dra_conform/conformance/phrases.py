"""How a step is said in Gherkin: a phrase with places, and what stands below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dra_conform.conformance.steps_cells import Table

Json = Any

_PLACES = {
    "amounts": r'\S+ of "[^"]+"(?: and \S+ of "[^"]+")*',
    "count": r"[0-9]+",
    "category": r"\w+",
    "state": r"on|off",
}
_PLACE = re.compile(r'"\{(\w+)\}"|\{(\w+)\}')


class Below(StrEnum):
    """What stands below the step's line."""

    NOTHING = "nothing"
    TABLE = "a table"
    TEXT = "a doc string"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One wording of a step. `read` makes the step's golden value of the places and what stands below."""

    wording: str
    below: Below
    read: Callable[[Mapping[str, str], Any], Json]
    pattern: re.Pattern[str]

    def match(self, text: str) -> Mapping[str, str] | None:
        """The texts in the phrase's places, None where the text is another step."""
        found = self.pattern.fullmatch(text)
        return found.groupdict() if found else None


def plain(wording: str, read: Callable[[Mapping[str, str]], Json]) -> Phrase:
    """A step of one line."""
    return Phrase(wording, Below.NOTHING, lambda places, _: read(places), _pattern(wording))


def tabled(wording: str, read: Callable[[Mapping[str, str], Table], Json]) -> Phrase:
    """A step with a table below."""
    return Phrase(wording, Below.TABLE, read, _pattern(wording))


def quoting(wording: str, read: Callable[[Mapping[str, str], str], Json]) -> Phrase:
    """A step with a doc string below."""
    return Phrase(wording, Below.TEXT, read, _pattern(wording))


def _pattern(wording: str) -> re.Pattern[str]:
    pattern, end = "", 0
    for place in _PLACE.finditer(wording):
        quoted, bare = place.groups()
        pattern += re.escape(wording[end : place.start()])
        pattern += f'"(?P<{quoted}>[^"]+)"' if quoted else f"(?P<{bare}>{_PLACES[bare]})"
        end = place.end()
    return re.compile(pattern + re.escape(wording[end:]))

"""The language of titles, statements and reasons: what a reader must understand at the first reading.

A title names its subject, then says under which condition what happens. CONTRIBUTING.md has the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

LONGEST_TITLE = 90
_MOST_NUMBERS = 3

STANDARD_TERMS: Mapping[str, str] = {
    r"refus(?:e|es|ed|al|als)": "rejected (a write), or cannot be allocated",
    r"gets? nothing|(?:is|are) not had": "cannot be allocated",
    r"given back|gives? back": "released",
    r"dedicated": "exclusive",
    r"special claims?": "extended-resource claim",
    r"stands? for": "maps to",
    r"departures?|departs?": "deviation",
    r"the former|the latter": "the name of the thing",
    r"beside": "together with",
    r"alike": "equal",
    r"amounts?": "quantity, or requested, consumed or remaining capacity",
    r"strangers?": "independent",
    r"(?<!user )stor(?:y|ies)": "multi-step scenario",
    r"misreadings?": "faulty implementation",
    r"likewise": "what is the same, said again",
}
"""Words that are out of use (patterns), with the standard term."""

_OUT_OF_USE = re.compile("|".join(rf"\b(?:{words})\b" for words in STANDARD_TERMS), re.IGNORECASE)
_FIELD = re.compile(r"[a-z]+(?:[A-Z.][A-Za-z]+)+\b")
"""A field of the API, such as `adminAccess` or `metadata.generation`, which keeps its small letter."""
_NUMBER = re.compile(r"(?<![\w.])\d[\w.]*")
_PLURAL = (
    "apply are block can cannot cause change conflict consume count cover differ do draw end exceed fail "
    "find fit get have hold keep leave limit lose make match may must need pass reach release remain request "
    "require return run satisfy select share start stay take tolerate use"
)
"""Verbs as they stand after a subject in the plural."""
_VERB = re.compile(rf"(?<= )(?:{_PLURAL.replace(' ', '|')}|\w+(?:s|ed))\b")


def wrong_title(title: str) -> Iterator[str]:
    """What is wrong with the title of a case."""
    if len(title) > LONGEST_TITLE:
        yield f"the title has {len(title)} characters, expected at most {LONGEST_TITLE}"
    if title[:1].islower() and not _FIELD.match(title):
        yield "the title begins with a small letter, expected its subject with a capital letter"
    if title.endswith("."):
        yield "the title ends with a period, expected none"
    if len(_NUMBER.findall(title)) > _MOST_NUMBERS or re.search(r"[\[\]{}|<>]", title):
        yield f"the title holds data, expected a sentence with at most {_MOST_NUMBERS} numbers"
    if not _VERB.search(title):
        yield "the title has no verb, expected what happens"
    yield from (f"the title says {problem}" for problem in wrong_words(title))


def wrong_words(text: str) -> Iterator[str]:
    """Each word that is out of use, with the standard term."""
    for found in dict.fromkeys(match.group().lower() for match in _OUT_OF_USE.finditer(text)):
        term = next(term for words, term in STANDARD_TERMS.items() if re.search(rf"^(?:{words})$", found))
        yield f'"{found}", expected the standard term: {term}'

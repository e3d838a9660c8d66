"""The checks of language: of titles, rules, statements and reasons.

A title has a subject, a condition and an outcome. CONTRIBUTING.md has the rules.
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
"""Deprecated words (patterns) with their standard terms."""

_OUT_OF_USE = re.compile("|".join(rf"\b(?:{words})\b" for words in STANDARD_TERMS), re.IGNORECASE)
_FIELD = re.compile(r"[a-z]+(?:[A-Z.][A-Za-z]+)+\b")
"""A field of the API, such as `adminAccess` or `metadata.generation`, which may begin a title."""
_NUMBER = re.compile(r"(?<![\w.])\d[\w.]*")
_PLURAL = (
    "apply are block can cannot cause change conflict consume count cover differ do draw end exceed fail "
    "find fit get have hold keep leave limit lose make match may must need pass reach release remain request "
    "require return run satisfy select share start stay take tolerate use"
)
"""Verbs in the form for a plural subject."""
_VERB = re.compile(rf"(?<= )(?:{_PLURAL.replace(' ', '|')}|\w+(?:s|ed))\b")


def wrong_title(title: str) -> Iterator[str]:
    """Yield the problems of the title of a case."""
    if len(title) > LONGEST_TITLE:
        yield f"the title has {len(title)} characters, expected at most {LONGEST_TITLE}"
    if title[:1].islower() and not _FIELD.match(title):
        yield "the title begins with a lower-case letter, expected its subject with a capital letter"
    if title.endswith("."):
        yield "the title ends with a period, expected none"
    if len(_NUMBER.findall(title)) > _MOST_NUMBERS or re.search(r"[\[\]{}|<>]", title):
        yield f"the title has data, expected a sentence with at most {_MOST_NUMBERS} numbers and no brackets"
    if not _VERB.search(title):
        yield "the title has no verb, expected a sentence with an outcome"
    yield from (f"the title has {problem}" for problem in wrong_words(title))


def wrong_words(text: str) -> Iterator[str]:
    """Yield each deprecated word with its standard term."""
    for found in dict.fromkeys(match.group().lower() for match in _OUT_OF_USE.finditer(text)):
        term = next(term for words, term in STANDARD_TERMS.items() if re.search(rf"^(?:{words})$", found))
        yield f'"{found}", expected the standard term: {term}'

"""The language checks of titles, rules, statements and reasons.

A title has a subject, a condition and an outcome. CONTRIBUTING.md has the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

LONGEST_TITLE = 90
"""The most characters of a title, with the values of a table row filled in."""
_MOST_NUMBERS = 3

STANDARD_TERMS: Mapping[str, str] = {
    r"refus(?:e|es|ed|al(?!\s+categor)|als)": "rejected (a write), or cannot be allocated",
    r"gets?\s+nothing|(?:is|are)\s+not\s+had": "cannot be allocated",
    r"given\s+back|gives?\s+back": "released",
    r"dedicated": "exclusive",
    r"special\s+claims?": "extended-resource claim",
    r"stands?\s+for": "maps to",
    r"departures?|departs?": "deviation",
    r"the\s+former(?!\s+(?:ids?|words?|names?|suite))|the\s+latter": "the name of the thing",
    r"beside": "together with",
    r"alike": "equal",
    r"amounts?": "quantity, or requested, consumed or remaining capacity",
    r"strangers?": "independent",
    r"(?<!user )stor(?:y|ies)": "multi-step scenario",
    r"misreadings?": "faulty implementation",
    r"likewise": "a repetition of what is the same",
}
"""Discouraged words (patterns without groups), each with the standard term."""

_FIELD = re.compile(r"[a-z]+(?:[A-Z.][A-Za-z]+)+\b")
"""A field of the API, such as `adminAccess` or `metadata.generation`, which may begin a title."""
_NUMBER = re.compile(r"(?<![\w.])\d[\w.]*")
_PLURAL = (
    "apply are block can cannot cause change conflict consume count cover differ do draw end exceed exclude "
    "fail find fit get have hold keep leave limit lose make match may must need pass reach release remain "
    "request require return run satisfy select share start stay take tolerate use"
)
"""Verbs in the form for a plural subject."""
_VERB = re.compile(rf"(?<= )(?:{_PLURAL.replace(' ', '|')}|\w+(?:s|ed))\b")


class WordList:
    """Discouraged words, as patterns without groups, each with its standard term."""

    def __init__(self, terms: Mapping[str, str]) -> None:
        self._terms = tuple(terms.values())
        self._pattern = re.compile("|".join(rf"\b({words})\b" for words in terms), re.IGNORECASE)

    def problems(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield the position of each discouraged word, and a problem that names the standard term."""
        for match in self._pattern.finditer(text):
            term = self._terms[(match.lastindex or 0) - 1]
            words = " ".join(match.group().lower().split())
            yield match.start(), f'"{words}", expected the standard term: {term}'


_WORDS = WordList(STANDARD_TERMS)


def wrong_title(title: str) -> Iterator[str]:
    """Yield the problems of the title of a case, except its length."""
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
    """Yield one problem for each distinct discouraged word."""
    yield from dict.fromkeys(problem for _, problem in _WORDS.problems(text))

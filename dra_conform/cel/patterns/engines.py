"""Regular expressions that always end: the syntax of RE2, searched by one of two engines.

Python's engine is quick to call but tries alternatives one after the other, which may take forever where
repetitions stand within repetitions. Such patterns go to the engine of polars, which walks a text once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dra_conform.cel.patterns.re2_syntax import to_python
from dra_conform.cel.values.cel_errors import EvaluationError


@dataclass(frozen=True, slots=True)
class Backtracking:
    """A pattern that Python's engine searches in bearable time."""

    pattern: re.Pattern[str]

    def search(self, text: str) -> str | None:
        """The leftmost match, None if there is none."""
        found = self.pattern.search(text)
        return found[0] if found else None

    def all(self, text: str) -> Iterator[str]:
        """All matches that do not overlap, without an empty one right behind another."""
        end_of_last = -1
        for found in self.pattern.finditer(text):
            if not found.start() == found.end() == end_of_last:
                end_of_last = found.end()
                yield found[0]


@dataclass(frozen=True, slots=True)
class Walking:
    """A pattern for the engine of polars, in its syntax."""

    pattern: str

    def search(self, text: str) -> str | None:
        """The leftmost match, None if there is none."""
        return next(self.all(text), None)

    def all(self, text: str) -> Iterator[str]:
        """As those of `Backtracking`. Raises EvaluationError for a pattern this engine refuses."""
        import polars as pl  # noqa: PLC0415 -- few patterns need it, and it takes its time to load

        try:
            yield from pl.Series([text]).str.extract_all(self.pattern).to_list()[0]
        except pl.exceptions.ComputeError as e:
            raise EvaluationError(f"error parsing regexp: {e}") from None


Pattern = Backtracking | Walking


@lru_cache(maxsize=1024)
def compile_regex(pattern: str) -> Pattern:
    """The compiled pattern. Raises EvaluationError as Go's regexp words it."""
    translated = to_python(pattern)
    try:
        compiled = re.compile(translated.pattern)
    except (re.error, OverflowError, RecursionError) as e:
        raise EvaluationError(f"error parsing regexp: {e}") from None
    if not translated.explosive:
        return Backtracking(compiled)
    return Walking(translated.pattern.replace(r"\Z", r"\z").replace("(?a:", "(?-u:"))

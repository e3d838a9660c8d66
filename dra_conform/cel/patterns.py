"""Regular expressions in the syntax of RE2, for `matches` and the functions of the regex library.

The engine is RE2, so the time is linear in the length of the string for every pattern. Error messages have
the wording of Go's `regexp`, which CEL uses in Kubernetes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from dra_conform.cel.values.cel_errors import EvaluationError

_MEMORY = 64 << 20
"""Memory limit of a compiled pattern in bytes. RE2's default of 8 MiB rejects patterns that Go accepts."""
_WORDS = {
    "missing ]": "missing closing ]",
    "missing )": "missing closing )",
    "trailing \\": "trailing backslash at end of expression",
    "no argument for repetition operator": "missing argument to repetition operator",
    "invalid repetition size": "invalid repeat count",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid named capture group": "invalid named capture",
}
"""RE2's error messages, and those of Go for the same error."""
_QUOTED = re.compile(r"\\Q.*?(?:\\E|\Z)|\\[^C]", re.DOTALL)
_NAME = re.compile(r"\(\?P?<([^>]*)>")
_HUGE_COUNT = re.compile(r"\{(?:[1-9][0-9]{8,}(?:,[0-9]*)?|[0-9]+,[1-9][0-9]{8,})\}")
"""Repetition counts that RE2 reads as literal characters, and Go rejects."""
_GO_NAME = re.compile(r"[A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern. It searches strings in their UTF-8 form."""

    compiled: Any

    def search(self, text: str) -> str | None:
        """Return the leftmost match, None if there is none."""
        return next(self.all(text), None)

    def all(self, text: str) -> Iterator[str]:
        """Yield all matches that do not overlap, but no empty match directly after another match."""
        content = text.encode()
        end_of_last = -1
        for match in self.compiled.finditer(content):
            start, end = match.span()
            if start == end and (end == end_of_last or _within_character(content, start)):
                continue
            end_of_last = end
            yield match[0].decode()


@lru_cache(maxsize=1024)
def compile_regex(pattern: str) -> Pattern:
    """Return the compiled pattern. Raise EvaluationError with the message of Go's regexp."""
    bare = _QUOTED.sub("", pattern)
    if "\\C" in bare:
        raise _error("invalid escape sequence", "\\C")
    for name in _NAME.finditer(bare):
        if not _GO_NAME.fullmatch(name[1]):
            raise _error("invalid named capture", name[0])
    huge = _HUGE_COUNT.search(bare)
    if huge:
        raise _error("invalid repeat count", huge[0])
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    try:
        return Pattern(re2.compile(pattern.encode(), options))
    except re2.error as e:
        message = e.args[0].decode(errors="replace") if isinstance(e.args[0], bytes) else str(e)
        words, _, where = message.partition(": ")
        raise _error(_WORDS.get(words, words), where) from None


def _error(words: str, where: str) -> EvaluationError:
    return EvaluationError(f"error parsing regexp: {words}: `{where}`")


def _within_character(content: bytes, place: int) -> bool:
    """Whether a position is inside a multi-byte character, where RE2 matches `\\B` but Go does not."""
    return place < len(content) and content[place] & 0xC0 == 0x80

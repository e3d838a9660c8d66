"""Regular expressions in the syntax of RE2, for `matches` and the functions of the regex library.

The engine is RE2 itself: the time it takes grows with the length of the text, whatever the pattern. Its
errors get the words of Go's `regexp`, which CEL uses in Kubernetes.
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
"""Bytes that a compiled pattern may take; Go has patterns that need more than the 8 MiB of RE2's default."""
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
"""What Go says for what RE2 says."""
_QUOTED = re.compile(r"\\Q.*?(?:\\E|\Z)|\\[^C]", re.DOTALL)
_NAME = re.compile(r"\(\?P?<([^>]*)>")
_HUGE_COUNT = re.compile(r"\{(?:[1-9][0-9]{8,}(?:,[0-9]*)?|[0-9]+,[1-9][0-9]{8,})\}")
"""RE2 takes such a repetition for literal text."""
_GO_NAME = re.compile(r"[A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern. Texts are searched as UTF-8."""

    compiled: Any

    def search(self, text: str) -> str | None:
        """The leftmost match, None if there is none."""
        return next(self.all(text), None)

    def all(self, text: str) -> Iterator[str]:
        """All matches that do not overlap, without an empty one right behind another."""
        content = text.encode()
        end_of_last = -1
        for found in self.compiled.finditer(content):
            start, end = found.span()
            if start == end and (end == end_of_last or _within_character(content, start)):
                continue
            end_of_last = end
            yield found[0].decode()


@lru_cache(maxsize=1024)
def compile_regex(pattern: str) -> Pattern:
    """The compiled pattern. Raises EvaluationError as Go's regexp words it."""
    bare = _QUOTED.sub("", pattern)
    if "\\C" in bare:
        raise _refused("invalid escape sequence", "\\C")
    for name in _NAME.finditer(bare):
        if not _GO_NAME.fullmatch(name[1]):
            raise _refused("invalid named capture", name[0])
    huge = _HUGE_COUNT.search(bare)
    if huge:
        raise _refused("invalid repeat count", huge[0])
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    try:
        return Pattern(re2.compile(pattern.encode(), options))
    except re2.error as e:
        said = e.args[0].decode(errors="replace") if isinstance(e.args[0], bytes) else str(e)
        words, _, where = said.partition(": ")
        raise _refused(_WORDS.get(words, words), where) from None


def _refused(words: str, where: str) -> EvaluationError:
    return EvaluationError(f"error parsing regexp: {words}: `{where}`")


def _within_character(content: bytes, place: int) -> bool:
    """RE2 finds `\\B` between the bytes of a character as well."""
    return place < len(content) and content[place] & 0xC0 == 0x80

"""The syntax of RE2, which CEL's regular expressions have, translated to that of Python.

Groups capture nothing, because no CEL function can see them. Look-around, back-references and possessive
repetition do not exist; scripts such as `\\p{Greek}` are not known, general categories such as `\\p{Lu}` are.
What comes out means the same to Rust's engine, but for `\\Z` and `(?a:\\b)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dra_conform.cel.patterns.character_sets import literal, spelled
from dra_conform.cel.patterns.character_syntax import bracketed, escaped_character, escaped_set, syntax_error
from dra_conform.cel.values.cel_errors import EvaluationError

_MOST_REPEATS = 1000
_DEEPEST = 150
_REPEAT = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_LONGEST_COUNT = 9  # digits
_NAME = re.compile(r"\?P?<([A-Za-z0-9_]+)>")
_FLAGS = re.compile(r"\?([imsU]*)(-[imsU]+)?([:)])")


@dataclass(frozen=True, slots=True)
class PythonPattern:
    """A pattern as Python has it, and whether trying it by backtracking may take forever."""

    pattern: str
    explosive: bool


def to_python(pattern: str) -> PythonPattern:
    """The pattern in Python's syntax. Raises EvaluationError as Go's regexp words it."""
    reader = _Reader(pattern)
    return PythonPattern(reader.whole(), reader.explosive)


class _Reader:
    """One pass over a pattern, from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.names: set[str] = set()
        self.choices = 0
        self.explosive = False

    def whole(self) -> str:
        """The whole pattern in Python's syntax."""
        result = self._alternatives("", 0)
        if self.at < len(self.pattern):
            raise syntax_error("unexpected )", self.pattern)
        return result

    def _alternatives(self, flags: str, depth: int) -> str:
        """Everything to the end or to the parenthesis that closes the group; flags may change on the way."""
        if depth > _DEEPEST:
            raise syntax_error("expression nests too deeply", self.pattern)
        out: list[str] = []
        repeatable = False
        chosen = False
        last_repeat = ""
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            if char == ")":
                break
            if char == "|":
                self.at += 1
                out.append("|")
                self.choices += 1
                repeatable, last_repeat = False, ""
                continue
            repeat = self._repeat(char)
            if repeat is not None:
                text, least = repeat
                if last_repeat:
                    raise syntax_error("invalid nested repetition operator", last_repeat + text)
                if not repeatable:
                    raise syntax_error("missing argument to repetition operator", text)
                written_lazy = text != least
                out.append(least + ("?" if written_lazy is not ("U" in flags) else ""))
                last_repeat = text
                self.choices += 1
                self.explosive = self.explosive or (chosen and least != "?")
                continue
            last_repeat = ""
            if self.pattern.startswith("\\Q", self.at):
                quoted = self._quotation()
                out += [f"(?:{_fold(literal(ord(c)), flags)})" for c in quoted]
                repeatable, chosen = repeatable or bool(quoted), False
                continue
            if char == "(":
                changed = self._flags(flags)
                if changed is not None:
                    flags = changed
                    continue
                before = self.choices
                out.append(self._group(flags, depth))
                chosen = self.choices > before
            else:
                out.append(f"(?:{self._atom(char, flags)})")
                chosen = False
            repeatable = True
        return "".join(out)

    def _repeat(self, char: str) -> tuple[str, str] | None:
        """A repetition as written and as Python has it without its laziness, None if there is none here."""
        start = self.at
        if char in "*+?":
            operator = char
            self.at += 1
        else:
            found = _REPEAT.match(self.pattern, self.at) if char == "{" else None
            if not found:
                return None
            if max(len(found[1]), len(found[3] or "")) > _LONGEST_COUNT:
                raise syntax_error("invalid repeat count", found[0])
            least, most = int(found[1]), int(found[3]) if found[3] else None
            if least > _MOST_REPEATS or (most is not None and (most > _MOST_REPEATS or most < least)):
                raise syntax_error("invalid repeat count", found[0])
            operator = found[0]
            self.at = found.end()
        if self.pattern.startswith("?", self.at):
            self.at += 1
        return self.pattern[start : self.at], operator

    def _quotation(self) -> str:
        """What stands between `\\Q` and `\\E`; a repetition behind it concerns its last character."""
        start = self.at + 2
        end = self.pattern.find("\\E", start)
        self.at = end + 2 if end >= 0 else len(self.pattern)
        return self.pattern[start : end if end >= 0 else None]

    def _flags(self, flags: str) -> str | None:
        """The flags after `(?i)` and the like; None if no such thing is here."""
        found = _FLAGS.match(self.pattern, self.at + 1)
        if not found or found[3] != ")" or not (found[1] or found[2]):
            return None
        self.at = found.end()
        return _with_flags(flags, found)

    def _group(self, flags: str, depth: int) -> str:
        start = self.at
        self.at += 1
        if self.pattern.startswith("?", self.at):
            name = _NAME.match(self.pattern, self.at)
            marked = _FLAGS.match(self.pattern, self.at)
            if name:
                if name[1] in self.names:
                    raise syntax_error("duplicate capture group name", name[1])
                self.names.add(name[1])
                self.at = name.end()
            elif marked and marked[3] == ":":
                flags = _with_flags(flags, marked)
                self.at = marked.end()
            elif self.pattern.startswith(("?P<", "?<"), self.at) and self.pattern[self.at + 2] not in "=!":
                raise syntax_error("invalid named capture", self.pattern[start:])
            else:
                raise syntax_error("invalid or unsupported Perl syntax", self.pattern[start : start + 3])
        inner = self._alternatives(flags, depth + 1)
        if not self.pattern.startswith(")", self.at):
            raise syntax_error("missing closing )", self.pattern)
        self.at += 1
        return f"(?:{inner})"

    def _atom(self, char: str, flags: str) -> str:
        if char == "[":
            text, self.at = bracketed(self.pattern, self.at)
            return _fold(text, flags)
        self.at += 1
        if char == ".":
            return "(?s:.)" if "s" in flags else r"[^\n]"
        if char == "^":
            return "(?m:^)" if "m" in flags else r"\A"
        if char == "$":
            return "(?m:$)" if "m" in flags else r"\Z"
        if char == "\\":
            return self._escape(flags)
        return _fold(literal(ord(char)), flags)

    def _escape(self, flags: str) -> str:
        letter = self.pattern[self.at : self.at + 1]
        if not letter:
            raise EvaluationError("error parsing regexp: trailing backslash at end of expression: ``")
        simple = {"A": r"\A", "z": r"\Z", "b": r"(?a:\b)", "B": r"(?a:\B)"}.get(letter)
        if simple:
            self.at += 1
            return simple
        escaped = escaped_set(self.pattern, self.at)
        if escaped is not None:
            ranges, self.at = escaped
            return _fold(f"[{spelled(ranges)}]", flags)
        code, self.at = escaped_character(self.pattern, self.at)
        return _fold(literal(code), flags)


def _with_flags(flags: str, found: re.Match[str]) -> str:
    cleared = found[2] or ""
    return "".join(f for f in "imsU" if (f in flags or f in found[1]) and f not in cleared)


def _fold(text: str, flags: str) -> str:
    return f"(?i:{text})" if "i" in flags else text

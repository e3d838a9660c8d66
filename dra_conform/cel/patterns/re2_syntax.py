"""The syntax of RE2, which CEL's regular expressions have, translated to that of Python.

Groups capture nothing, because no CEL function can see them. Look-around, back-references and possessive
repetition do not exist; scripts such as `\\p{Greek}` are not known, general categories such as `\\p{Lu}` are.
What comes out means the same to Rust's engine, but for `\\Z` and `(?a:\\b)`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from dra_conform.cel.values.cel_errors import EvaluationError

Ranges = list[tuple[int, int]]

_LAST = 0x10FFFF
_MOST_REPEATS = 1000
_DEEPEST = 150
_DIGIT: Ranges = [(48, 57)]
_UPPER: Ranges = [(65, 90)]
_LOWER: Ranges = [(97, 122)]
_ALPHA = _UPPER + _LOWER
_WORD = [*_DIGIT, *_UPPER, (95, 95), *_LOWER]
_PERL = {"d": _DIGIT, "w": _WORD, "s": [(9, 10), (12, 13), (32, 32)]}
_POSIX = {
    "alnum": _DIGIT + _ALPHA,
    "alpha": _ALPHA,
    "ascii": [(0, 127)],
    "blank": [(9, 9), (32, 32)],
    "cntrl": [(0, 31), (127, 127)],
    "digit": _DIGIT,
    "graph": [(33, 126)],
    "lower": _LOWER,
    "print": [(32, 126)],
    "punct": [(33, 47), (58, 64), (91, 96), (123, 126)],
    "space": [(9, 13), (32, 32)],
    "upper": _UPPER,
    "word": _WORD,
    "xdigit": [*_DIGIT, (65, 70), (97, 102)],
}
_CONTROL = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_REPEAT = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_LONGEST_COUNT = 9  # digits
_NAME = re.compile(r"\?P?<([A-Za-z0-9_]+)>")
_FLAGS = re.compile(r"\?([imsU]*)(-[imsU]+)?([:)])")


@dataclass(frozen=True, slots=True)
class Translated:
    """A pattern as Python has it, and whether trying it by backtracking may take forever."""

    pattern: str
    explosive: bool


def translate(pattern: str) -> Translated:
    """The pattern in Python's syntax. Raises EvaluationError as Go's regexp words it."""
    work = _Translation(pattern)
    return Translated(work.whole(), work.explosive)


def _error(what: str, text: str) -> EvaluationError:
    return EvaluationError(f"error parsing regexp: {what}: `{text}`")


class _Translation:
    """One pass over a pattern, from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.names: set[str] = set()
        self.choices = 0
        self.explosive = False

    def whole(self) -> str:
        result = self._alternatives("", 0)
        if self.at < len(self.pattern):
            raise _error("unexpected )", self.pattern)
        return result

    def _alternatives(self, flags: str, depth: int) -> str:
        """Everything to the end or to the parenthesis that closes the group; flags may change on the way."""
        if depth > _DEEPEST:
            raise _error("expression nests too deeply", self.pattern)
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
                    raise _error("invalid nested repetition operator", last_repeat + text)
                if not repeatable:
                    raise _error("missing argument to repetition operator", text)
                written_lazy = text != least
                out.append(least + ("?" if written_lazy is not ("U" in flags) else ""))
                last_repeat = text
                self.choices += 1
                self.explosive = self.explosive or (chosen and least != "?")
                continue
            last_repeat = ""
            if self.pattern.startswith("\\Q", self.at):
                quoted = self._quotation()
                out += [f"(?:{_fold(_literal(ord(c)), flags)})" for c in quoted]
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
                raise _error("invalid repeat count", found[0])
            least, most = int(found[1]), int(found[3]) if found[3] else None
            if least > _MOST_REPEATS or (most is not None and (most > _MOST_REPEATS or most < least)):
                raise _error("invalid repeat count", found[0])
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
                    raise _error("duplicate capture group name", name[1])
                self.names.add(name[1])
                self.at = name.end()
            elif marked and marked[3] == ":":
                flags = _with_flags(flags, marked)
                self.at = marked.end()
            elif self.pattern.startswith(("?P<", "?<"), self.at) and self.pattern[self.at + 2] not in "=!":
                raise _error("invalid named capture", self.pattern[start:])
            else:
                raise _error("invalid or unsupported Perl syntax", self.pattern[start : start + 3])
        inner = self._alternatives(flags, depth + 1)
        if not self.pattern.startswith(")", self.at):
            raise _error("missing closing )", self.pattern)
        self.at += 1
        return f"(?:{inner})"

    def _atom(self, char: str, flags: str) -> str:
        if char == "[":
            return _fold(self._class(), flags)
        self.at += 1
        if char == ".":
            return "(?s:.)" if "s" in flags else r"[^\n]"
        if char == "^":
            return "(?m:^)" if "m" in flags else r"\A"
        if char == "$":
            return "(?m:$)" if "m" in flags else r"\Z"
        if char == "\\":
            return self._escape(flags)
        return _fold(_literal(ord(char)), flags)

    def _escape(self, flags: str) -> str:
        letter = self.pattern[self.at : self.at + 1]
        if not letter:
            raise EvaluationError("error parsing regexp: trailing backslash at end of expression: ``")
        simple = {"A": r"\A", "z": r"\Z", "b": r"(?a:\b)", "B": r"(?a:\B)"}.get(letter)
        if simple:
            self.at += 1
            return simple
        ranges = self._class_escape()
        if ranges is not None:
            return _fold(f"[{_spell(ranges)}]", flags)
        return _fold(_literal(self._character()), flags)

    def _class_escape(self) -> Ranges | None:
        """The set behind a backslash at `at`; None if a single character is meant."""
        letter = self.pattern[self.at : self.at + 1]
        if letter and letter in "dswDSW":
            self.at += 1
            ranges = _PERL[letter.lower()]
            return _complement(ranges) if letter.isupper() else ranges
        if not letter or letter not in "pP":
            return None
        found = re.compile(r"[pP](?:\{(\^?)([^}]*)\}|([A-Z]))").match(self.pattern, self.at)
        ranges = _category(found[2] or found[3] or "") if found else []
        if not found or not ranges:
            raise _error("invalid character class range", "\\" + (found[0] if found else letter))
        self.at = found.end()
        return _complement(ranges) if (letter == "P") is not bool(found[1]) else ranges

    def _character(self) -> int:
        """The code point of an escape at `at`, behind the backslash."""
        letter = self.pattern[self.at]
        octal = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}").match(self.pattern, self.at)
        code = re.compile(r"x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})").match(self.pattern, self.at)
        if octal:
            self.at = octal.end()
            return int(octal[0], 8)
        if code and int(code[1] or code[2], 16) <= _LAST:
            self.at = code.end()
            return int(code[1] or code[2], 16)
        if letter in _CONTROL or (letter.isascii() and not letter.isalnum()):
            self.at += 1
            return _CONTROL.get(letter, ord(letter))
        raise _error("invalid escape sequence", "\\" + letter)

    def _class(self) -> str:
        start = self.at
        self.at += 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        ranges: Ranges = []
        first = True
        while first or not self.pattern.startswith("]", self.at):
            if self.at >= len(self.pattern):
                raise _error("missing closing ]", self.pattern[start:])
            first = False
            ranges += self._posix() or self._class_item(start)
        self.at += 1
        return f"[{'^' if negated else ''}{_spell(ranges)}]"

    def _posix(self) -> Ranges | None:
        found = re.compile(r"\[:(\^?)([A-Za-z]*):\]").match(self.pattern, self.at)
        if not found:
            return None
        if found[2] not in _POSIX:
            raise _error("invalid character class range", found[0])
        self.at = found.end()
        return _complement(_POSIX[found[2]]) if found[1] else _POSIX[found[2]]

    def _class_item(self, start: int) -> Ranges:
        begin = self.at
        if self.pattern.startswith("\\", self.at):
            self.at += 1
            ranges = self._class_escape()
            if ranges is not None:
                return ranges
            self.at -= 1
        low = high = self._class_character(start)
        if self.pattern.startswith("-", self.at) and not self.pattern.startswith("-]", self.at):
            self.at += 1
            high = self._class_character(start)
        if high < low:
            raise _error("invalid character class range", self.pattern[begin : self.at])
        return [(low, high)]

    def _class_character(self, start: int) -> int:
        char = self.pattern[self.at : self.at + 1]
        if not char or (char == "\\" and self.at + 1 == len(self.pattern)):
            raise _error("missing closing ]", self.pattern[start:])
        self.at += 1
        return self._character() if char == "\\" else ord(char)


def _with_flags(flags: str, found: re.Match[str]) -> str:
    cleared = found[2] or ""
    return "".join(f for f in "imsU" if (f in flags or f in found[1]) and f not in cleared)


def _fold(text: str, flags: str) -> str:
    return f"(?i:{text})" if "i" in flags else text


def _literal(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and char.isalnum() else f"\\U{code:08x}"


def _spell(ranges: Ranges) -> str:
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


def _complement(ranges: Ranges) -> Ranges:
    gaps: Ranges = []
    start = 0
    for low, high in sorted(ranges):
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= _LAST:
        gaps.append((start, _LAST))
    return gaps


@lru_cache(maxsize=64)
def _category(name: str) -> Ranges:
    """The characters of a general category or group of categories, none if there is no such category."""
    if name == "Any":
        return [(0, _LAST)]
    if not re.fullmatch(r"[A-Z][a-z]?", name):
        return []
    ranges: Ranges = []
    for code in range(_LAST + 1):
        if unicodedata.category(chr(code)).startswith(name):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1] = (ranges[-1][0], code)
            else:
                ranges.append((code, code))
    return ranges

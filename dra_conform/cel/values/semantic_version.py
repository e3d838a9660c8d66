"""Semantic versions: strict semver 2.0.0, with the precedence of its section 11."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache, total_ordering
from typing import ClassVar

from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import Type, opaque

SEMVER = opaque("kubernetes.Semver")

_DIGITS = frozenset("0123456789")
_WORD = _DIGITS | frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-")
_UINT64 = 2**64


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Semver:
    """A version. Equality and order ignore build metadata."""

    cel_type: ClassVar[Type] = SEMVER

    major: int
    minor: int
    patch: int
    prerelease: tuple[int | str, ...] = ()
    build: tuple[str, ...] = ()
    precedence: tuple[object, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        identifiers = tuple((0, i, "") if isinstance(i, int) else (1, 0, i) for i in self.prerelease)
        released = not self.prerelease
        object.__setattr__(self, "precedence", (self.major, self.minor, self.patch, released, identifiers))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Semver) and self.precedence == other.precedence

    def __lt__(self, other: Semver) -> bool:
        return self.precedence < other.precedence

    def __hash__(self) -> int:
        return hash(self.precedence)

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.prerelease:
            text += "-" + ".".join(map(str, self.prerelease))
        return text + ("+" + ".".join(self.build) if self.build else "")


@lru_cache(maxsize=4096)
def parse(text: str) -> Semver:
    """Parse a version. Raise EvaluationError for anything that is not strict semver 2.0.0."""
    if not text:
        raise EvaluationError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise EvaluationError("No Major.Minor.Patch elements found")
    rest, plus, build = parts[2].partition("+")
    patch, minus, prerelease = rest.partition("-")
    return Semver(
        _number(parts[0], "major", "Major"),
        _number(parts[1], "minor", "Minor"),
        _number(patch, "patch", "Patch"),
        tuple(map(_identifier, prerelease.split("."))) if minus else (),
        tuple(map(_metadata, build.split("."))) if plus else (),
    )


def normalize(text: str) -> str:
    """Turn a lax version into a strict one: no leading `v`, no leading zeros, minor and patch default to 0.

    Raises EvaluationError for a shortened version with a prerelease or build part.
    """
    parts = text.removeprefix("v").split(".", 2)
    for i, part in enumerate(parts):
        if len(part) > 1:
            stripped = part.lstrip("0")
            parts[i] = stripped if stripped[:1] in _DIGITS else "0" + stripped
    if len(parts) < 3:
        if "+" in parts[-1] or "-" in parts[-1]:
            raise EvaluationError("short version cannot contain PreRelease/Build meta data")
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _number(text: str, name: str, title: str) -> int:
    if not _DIGITS.issuperset(text):
        raise EvaluationError(f'Invalid character(s) found in {name} number "{text}"')
    if len(text) > 1 and text[0] == "0":
        raise EvaluationError(f'{title} number must not contain leading zeroes "{text}"')
    return _uint(text)


def _uint(text: str) -> int:
    if not text:
        raise EvaluationError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 20 or int(text) >= _UINT64:
        raise EvaluationError(f'strconv.ParseUint: parsing "{text}": value out of range')
    return int(text)


def _identifier(text: str) -> int | str:
    if not text:
        raise EvaluationError("Prerelease is empty")
    if _DIGITS.issuperset(text):
        if len(text) > 1 and text[0] == "0":
            raise EvaluationError(f'Numeric PreRelease version must not contain leading zeroes "{text}"')
        return _uint(text)
    if not _WORD.issuperset(text):
        raise EvaluationError(f'Invalid character(s) found in prerelease "{text}"')
    return text


def _metadata(text: str) -> str:
    if not text:
        raise EvaluationError("Build meta data is empty")
    if not _WORD.issuperset(text):
        raise EvaluationError(f'Invalid character(s) found in build meta data "{text}"')
    return text

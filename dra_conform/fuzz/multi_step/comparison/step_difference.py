"""The difference of two implementations at one action of a scenario."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Json = Any

_BRACKETS = re.compile(r"\[[^\]]*\]")
_NAME = re.compile("[A-Za-z][A-Za-z0-9]*")

MISSING = "nothing"
"""What is said of a field that is not there."""


class StoryDifferenceKind(StrEnum):
    """What sort of difference."""

    OUTCOME = "outcome"
    """One takes a write, the other refuses it, or there is something to read for one only."""
    REFUSAL = "refusal"
    """Both refuse, with another reason or with other errors."""
    OBJECT = "object"
    """What is stored, or read, is another object."""
    STATE = "state"
    """At rest, the clusters have other objects."""
    CHOICE = "choice"
    """At rest, claims have other devices, or pods other nodes, and both are right."""
    INVALID = "invalid"
    """What was observed breaks an invariant."""
    FAULT = "fault"
    """One does not tell the story at all: a crash, a timeout, a broken protocol."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One place, and what each of the two says there.

    `path` is that of a field, or of an error; `of` is the object, as `kind namespace/name`, where a state
    differs.
    """

    path: str
    first: Json
    second: Json
    of: str = ""

    @property
    def place(self) -> str:
        """The path without what is in brackets, and with the kind alone."""
        return f"{self.of.partition(' ')[0]} {_BRACKETS.sub('[]', self.path)}".strip()


@dataclass(frozen=True, slots=True)
class StoryDifference:
    """A difference at the action `act`; `verb` and `about` are what is done there and to which kind.

    `agreed` are the errors that both name where both refuse, as `TYPE at PATH`.
    """

    kind: StoryDifferenceKind
    act: int
    verb: str
    about: str
    disagreements: tuple[Disagreement, ...]
    agreed: tuple[str, ...] = ()

    @property
    def signature(self) -> tuple[str, ...]:
        """What two differences with probably one cause have in common."""
        places = sorted({one.place for one in self.disagreements})
        return (self.kind.value, self.about, *places[:3])

    @property
    def diverges(self) -> bool:
        """Whether the two clusters are not in the same state any more."""
        counts_only = {one.path for one in self.disagreements} == {"metadata.generation"}
        return self.kind is not StoryDifferenceKind.REFUSAL and not counts_only

    def lines(self, names: tuple[str, str]) -> Iterator[str]:
        """In words."""
        yield f"act {self.act}, {self.verb} {self.about}: {self.kind.value}"
        for one in self.disagreements[:6]:
            told = f"{names[0]} {_short(one.first)}, {names[1]} {_short(one.second)}"
            yield f"  {f'{one.of} {one.path}'.strip()}: {told}"


def _short(value: Json) -> str:
    text = str(value)
    return text if len(text) <= 160 else f"{text[:157]}..."


def disagreements(first: Json, second: Json, of: str = "", path: str = "") -> Iterator[Disagreement]:
    """Where two values differ, each place at its deepest; lists of other lengths differ as a whole."""
    if isinstance(first, dict) and isinstance(second, dict):
        for name in sorted({*first, *second}):
            here = f"{path}.{name}" if _NAME.fullmatch(name) else f"{path}[{name}]"
            one, other = first.get(name, MISSING), second.get(name, MISSING)
            yield from disagreements(one, other, of, here.removeprefix("."))
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for number, (one, other) in enumerate(zip(first, second, strict=True)):
            yield from disagreements(one, other, of, f"{path}[{number}]")
    elif first != second:
        yield Disagreement(path, first, second, of)

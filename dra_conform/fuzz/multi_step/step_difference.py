"""The difference of two implementations at one action of a scenario."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from dra_conform.kube.json_values import Json

_BRACKETS = re.compile(r"\[[^\]]*\]")
_NAME = re.compile("[A-Za-z][A-Za-z0-9]*")

MISSING = "nothing"
"""The value of an absent field."""


class StepDifferenceKind(StrEnum):
    """The kind of a difference."""

    OUTCOME = "outcome"
    """Only one cluster admits a write, or has the object of a read."""
    REJECTION = "rejection"
    """Both clusters reject a write, with different reasons or errors."""
    OBJECT = "object"
    """The stored or read objects differ."""
    STATE = "state"
    """In a steady state, the clusters have different objects."""
    CHOICE = "choice"
    """In a steady state, claims have different devices or pods different nodes; both are valid."""
    INVALID = "invalid"
    """An observation violates an invariant."""
    FAULT = "fault"
    """One implementation does not complete the scenario: a crash, a timeout, or a protocol error."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One path with its value on each side.

    `path` is the path of a field or of an error. If a state differs, `of` is the object as `kind
    namespace/name`.
    """

    path: str
    first: Json
    second: Json
    of: str = ""

    @property
    def place(self) -> str:
        """Return the path without list indexes and with the kind instead of the object."""
        return f"{self.of.partition(' ')[0]} {_BRACKETS.sub('[]', self.path)}".strip()


@dataclass(frozen=True, slots=True)
class StepDifference:
    """A difference at the action with index `step`. `verb` and `about` are its verb and its kind.

    If both reject the write, `agreed` has the errors that both report, as `TYPE at PATH`.
    """

    kind: StepDifferenceKind
    step: int
    verb: str
    about: str
    disagreements: tuple[Disagreement, ...]
    agreed: tuple[str, ...] = ()

    @property
    def signature(self) -> tuple[str, ...]:
        """Return the parts that suggest one cause of two differences if they are equal."""
        places = sorted({disagreement.place for disagreement in self.disagreements})
        return (self.kind.value, self.about, *places[:3])

    @property
    def diverges(self) -> bool:
        """Whether the clusters have different states after this difference."""
        counts_only = {disagreement.path for disagreement in self.disagreements} == {"metadata.generation"}
        return self.kind is not StepDifferenceKind.REJECTION and not counts_only

    def lines(self, names: tuple[str, str]) -> Iterator[str]:
        """Yield the difference in words; steps count from 1."""
        yield f"step {self.step + 1}, {self.verb} {self.about}: {self.kind.value}"
        for disagreement in self.disagreements[:6]:
            values = f"{names[0]} {_short(disagreement.first)}, {names[1]} {_short(disagreement.second)}"
            where = f"{disagreement.of} {disagreement.path}".strip()
            yield f"  {where}: {values}" if where else f"  {values}"


def _short(value: Json) -> str:
    text = str(value)
    return text if len(text) <= 160 else f"{text[:157]}..."


def disagreements(first: Json, second: Json, of: str = "", path: str = "") -> Iterator[Disagreement]:
    """Yield the innermost paths at which two values differ; lists of different lengths differ as a whole."""
    if isinstance(first, dict) and isinstance(second, dict):
        for name in sorted({*first, *second}):
            inner_path = f"{path}.{name}" if _NAME.fullmatch(name) else f"{path}[{name}]"
            left, right = first.get(name, MISSING), second.get(name, MISSING)
            yield from disagreements(left, right, of, inner_path.removeprefix("."))
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for number, (left, right) in enumerate(zip(first, second, strict=True)):
            yield from disagreements(left, right, of, f"{path}[{number}]")
    elif first != second:
        yield Disagreement(path, first, second, of)

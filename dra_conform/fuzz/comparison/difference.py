"""The results of a comparison: equal, a choice, a disagreement, or not comparable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from dra_conform.conformance.allocate.answer import AllocationAnswer
from dra_conform.conformance.implementation import Reply, Status
from dra_conform.conformance.verdict import Finding


class DifferenceKind(StrEnum):
    """The kind of a difference."""

    OUTCOME = "outcome"
    """Only one allocates, or one says that no allocation is possible and the other ends in an error."""
    INVALID = "invalid"
    """An allocation violates an invariant. Equal allocations are checked too."""
    DETAIL = "detail"
    """In the profile of a release, the devices are equal but other fields differ, such as tolerations."""
    CHOICE = "choice"
    """Both answers are right: different devices, or an error that only one order of search reaches.

    With several pools, any difference is a choice if the release searches pools in any order.
    """
    FAULT = "fault"
    """No answer: a crash, a timeout, a protocol error, or a changed input."""


@dataclass(frozen=True, slots=True)
class Side:
    """The answer of one implementation; `findings` are the invariants that its allocation violates.

    `parts` are the fields that differ from the other answer, if the devices are equal.
    """

    reply: Reply
    findings: tuple[Finding, ...] = ()
    parts: frozenset[str] = frozenset()

    @property
    def says(self) -> str:
        """Return the outcome, or the status of an exchange that failed."""
        answer = self.answer
        return self.reply.status.value if answer is None else answer.outcome.value

    @property
    def answer(self) -> AllocationAnswer | None:
        """Return the answer, None if the exchange failed."""
        return self.reply.answer if self.reply.status is Status.OK else None

    @property
    def rules(self) -> frozenset[str]:
        """Return the names of the violated invariants."""
        return frozenset(finding.rule for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between two answers. `wrong` has the indexes (0, 1) of the answers that are certainly
    wrong."""

    kind: DifferenceKind
    sides: tuple[Side, Side]
    wrong: frozenset[int] = frozenset()

    @property
    def parts(self) -> frozenset[str]:
        """Return the fields that differ, if the devices are equal."""
        return self.sides[0].parts

    @property
    def signature(self) -> tuple[str, ...]:
        """Return kind, fields, outcomes and violated invariants; equal signatures suggest one cause."""
        sides = (f"{side.says}: {', '.join(sorted(side.rules))}" for side in self.sides)
        return (self.kind.value, *sorted(self.parts), *sides)

    def shows(self, other: Difference) -> bool:
        """Whether this difference equals another one, or has only some of its fields and findings."""
        if (self.kind, self.wrong) != (other.kind, other.wrong) or not self.parts <= other.parts:
            return False
        return all(
            mine.says == theirs.says and mine.rules <= theirs.rules and bool(mine.rules) == bool(theirs.rules)
            for mine, theirs in zip(self.sides, other.sides, strict=True)
        )


class NoComparison(Enum):
    """The reason why two replies are not compared."""

    UNSUPPORTED = "unsupported"
    """One of the two implementations does not support the scenario."""


Comparison = Difference | NoComparison | None
"""The result of a scenario; None means that the answers agree."""

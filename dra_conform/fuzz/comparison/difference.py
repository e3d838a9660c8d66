"""The results of a comparison: equal, another choice, a disagreement, or not comparable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from dra_conform.conformance.allocate.answer import AllocationAnswer
from dra_conform.conformance.implementation import Reply, Status
from dra_conform.conformance.verdict import Finding


class DifferenceKind(StrEnum):
    """What sort of difference."""

    OUTCOME = "outcome"
    """One allocates and the other does not, or one refuses and the other ends in an error."""
    INVALID = "invalid"
    """An allocation breaks an invariant (both are looked at, also where they are equal)."""
    DETAIL = "detail"
    """The same devices in a release's profile, and something else beside them, such as other tolerations."""
    CHOICE = "choice"
    """Both are right: other devices, or an error met on the way that the other's way does not meet; anything
    where there are several pools and the release goes through them in any order."""
    FAULT = "fault"
    """No answer: a crash, a timeout, a broken protocol, a changed input."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one implementation said; `findings` are the invariants that its allocation breaks.

    `parts` are the fields in which it differs from the other one, which took the same devices.
    """

    reply: Reply
    findings: tuple[Finding, ...] = ()
    parts: frozenset[str] = frozenset()

    @property
    def says(self) -> str:
        """The outcome, or how the exchange failed."""
        answer = self.answer
        return self.reply.status.value if answer is None else answer.outcome.value

    @property
    def answer(self) -> AllocationAnswer | None:
        """The answer, None where the exchange failed."""
        return self.reply.answer if self.reply.status is Status.OK else None

    @property
    def rules(self) -> frozenset[str]:
        """The invariants that the allocation breaks, by name."""
        return frozenset(finding.rule for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference. `wrong` are the sides, 0 and 1, of which the judge can tell that they are wrong."""

    kind: DifferenceKind
    sides: tuple[Side, Side]
    wrong: frozenset[int] = frozenset()

    @property
    def parts(self) -> frozenset[str]:
        """The fields that differ, where the devices are the same."""
        return self.sides[0].parts

    @property
    def signature(self) -> tuple[str, ...]:
        """What two differences with probably one cause have in common."""
        said = (f"{side.says}: {', '.join(sorted(side.rules))}" for side in self.sides)
        return (self.kind.value, *sorted(self.parts), *said)

    def shows(self, other: Difference) -> bool:
        """Whether this is the other difference or a part of it: it breaks no rule that the other does not."""
        if (self.kind, self.wrong) != (other.kind, other.wrong) or not self.parts <= other.parts:
            return False
        return all(
            mine.says == theirs.says and mine.rules <= theirs.rules and bool(mine.rules) == bool(theirs.rules)
            for mine, theirs in zip(self.sides, other.sides, strict=True)
        )


class NoComparison(Enum):
    """Why two replies are not compared."""

    UNSUPPORTED = "unsupported"
    """One of the two implementations cannot answer."""


Comparison = Difference | NoComparison | None
"""What came of a scenario; None is agreement."""

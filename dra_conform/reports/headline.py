"""The headline figures of a run: correctness, breadth, requirements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dra_conform.conformance.features import profile_of
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.reports import figures
from dra_conform.reports.figures import RequirementResults, Tally, percent
from dra_conform.reports.runs import Run


@dataclass(frozen=True, slots=True)
class Share:
    """One headline figure: its name, its value such as `83.8 %`, and its meaning in words."""

    name: str
    figure: str
    meaning: str

    def __str__(self) -> str:
        return f"{self.name.lower()} {self.figure} ({self.meaning})"


@dataclass(frozen=True, slots=True)
class Headline:
    """The counts of cases and requirements from which the headline figures follow.

    `right` of the `judged` cases have a right answer. `declined` cases are applicable but unsupported by the
    implementation. `beyond` cases are not applicable: they need a feature gate that the release of the
    profile does not have.
    """

    right: int
    judged: int
    declined: int
    beyond: int
    requirements: Tally

    @property
    def offered(self) -> int:
        """Return the number of applicable cases."""
        return self.judged + self.declined

    @property
    def correctness(self) -> Share:
        """Return the percentage of right answers among the judged cases."""
        meaning = f"{self.right} of {self.judged} judged cases are right"
        return Share("Correctness", percent(self.right, self.judged), meaning)

    @property
    def breadth(self) -> Share:
        """Return the percentage of judged cases among the applicable cases."""
        meaning = f"{self.judged} of {self.offered} applicable cases were judged"
        return Share("Breadth", percent(self.judged, self.offered), meaning)

    @property
    def shares(self) -> tuple[Share, Share, Share]:
        """Return correctness, breadth and passed requirements."""
        known = self.requirements
        meaning = f"covered requirements passed, of {known.total} requirements in total"
        met = Share("Requirements", f"{known.passed} of {known.covered}", meaning)
        return self.correctness, self.breadth, met


def headline(run: Run, rows: Iterable[RequirementResults] | None = None) -> Headline:
    """Return the headline of a run; pass `rows` if the requirements are known already."""
    right = sum(result.verdict is Verdict.PASS for result in run.results)
    unsupported = [result for result in run.results if result.verdict is Verdict.UNSUPPORTED]
    beyond = sum(map(beyond_release, unsupported))
    return Headline(
        right=right,
        judged=right + len(figures.failures(run.results)),
        declined=len(unsupported) - beyond,
        beyond=beyond,
        requirements=figures.tally(figures.requirement_results(run) if rows is None else rows),
    )


def beyond_release(result: CaseResult) -> bool:
    """Whether a case needs a feature gate that the release of its profile does not have."""
    return result.verdict is Verdict.UNSUPPORTED and bool(profile_of(result.case, result.profile)[1])

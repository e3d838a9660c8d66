"""The headline figures of a run: correctness, breadth, requirements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dra_conform.conformance.features import profile_of
from dra_conform.conformance.requirement import MUST
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

    `right` of the `judged` cases have a right answer, `must_right` of the `must_judged` cases that test MUST
    requirements. A case that only shows that MAY behavior is not provided is not judged. `declined` cases are
    applicable but unsupported by the implementation. `beyond` cases are not applicable: they need a feature
    gate that the release of the profile does not have.
    """

    right: int
    judged: int
    must_right: int
    must_judged: int
    declined: int
    beyond: int
    requirements: Tally

    @property
    def offered(self) -> int:
        """Return the number of applicable cases, judged or not."""
        return self.judged + self.declined

    @property
    def correctness(self) -> Share:
        """Return the percentage of right answers among the judged cases of MUST requirements."""
        meaning = f"{self.must_right} of {self.must_judged} judged cases are right"
        others = self.judged - self.must_judged
        if others:
            meaning += f", and {self.right - self.must_right} of {others} of recommendations (SHOULD)"
        return Share("Correctness", percent(self.must_right, self.must_judged), meaning)

    @property
    def breadth(self) -> Share:
        """Return the percentage of judged cases among the applicable cases."""
        meaning = f"{self.judged} of {self.offered} applicable cases were judged"
        return Share("Breadth", percent(self.judged, self.offered), meaning)

    @property
    def shares(self) -> tuple[Share, Share, Share]:
        """Return correctness, breadth and passed requirements."""
        known = self.requirements
        declined = f"{known.declined} declined, " if known.declined else ""
        meaning = f"judged requirements pass; {declined}{known.total} in total"
        met = Share("Requirements", f"{known.passed} of {known.taken_on}", meaning)
        return self.correctness, self.breadth, met


def headline(run: Run, rows: Iterable[RequirementResults] | None = None) -> Headline:
    """Return the headline of a run; pass `rows` if the requirements are known already."""
    passing = [result for result in run.results if result.verdict is Verdict.PASS]
    failing = figures.failures(run.results)
    must_right = sum(map(_is_must, passing))
    unsupported = [result for result in run.results if result.verdict is Verdict.UNSUPPORTED]
    beyond = sum(map(beyond_release, unsupported))
    return Headline(
        right=len(passing),
        judged=len(passing) + len(failing),
        must_right=must_right,
        must_judged=must_right + sum(map(_is_must, failing)),
        declined=len(unsupported) - beyond,
        beyond=beyond,
        requirements=figures.tally(figures.requirement_results(run) if rows is None else rows),
    )


def _is_must(result: CaseResult) -> bool:
    return result.case.level_in(result.profile) == MUST


def beyond_release(result: CaseResult) -> bool:
    """Whether a case needs a feature gate that the release of its profile does not have."""
    return result.verdict is Verdict.UNSUPPORTED and bool(profile_of(result.case, result.profile)[1])

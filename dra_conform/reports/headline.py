"""The headline figures of a run: correctness, breadth, requirements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dra_conform.conformance.case_profiles import profile_of
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.reports import figures
from dra_conform.reports.figures import Shown, Tally, percent
from dra_conform.reports.runs import Run


@dataclass(frozen=True, slots=True)
class Share:
    """One figure: its name, the figure itself, and in words what it is a share of."""

    name: str
    figure: str
    meaning: str

    def __str__(self) -> str:
        return f"{self.name.lower()} {self.figure} ({self.meaning})"


@dataclass(frozen=True, slots=True)
class Headline:
    """Cases by what they say of an implementation, and its requirements.

    `right` of the `judged` are right. It `declined` cases that it could have been asked. What needs something
    that the release of the profile does not have counts as `beyond`: nobody is asked that.
    """

    right: int
    judged: int
    declined: int
    beyond: int
    requirements: Tally

    @property
    def offered(self) -> int:
        return self.judged + self.declined

    @property
    def correctness(self) -> Share:
        meaning = f"{self.right} of {self.judged} judged cases are right"
        return Share("Correctness", percent(self.right, self.judged), meaning)

    @property
    def breadth(self) -> Share:
        meaning = f"{self.judged} of {self.offered} cases were taken on"
        return Share("Breadth", percent(self.judged, self.offered), meaning)

    @property
    def shares(self) -> tuple[Share, Share, Share]:
        known = self.requirements
        meaning = f"covered requirements have only passing cases; {known.total} are known"
        met = Share("Requirements", f"{known.passed} of {known.covered}", meaning)
        return self.correctness, self.breadth, met


def headline(run: Run, rows: Iterable[Shown] | None = None) -> Headline:
    """The figures of a run; `rows` are its requirements where they are known already."""
    right = sum(result.verdict is Verdict.PASS for result in run.results)
    unsupported = [result for result in run.results if result.verdict is Verdict.UNSUPPORTED]
    beyond = sum(map(beyond_release, unsupported))
    return Headline(
        right=right,
        judged=right + len(figures.failures(run.results)),
        declined=len(unsupported) - beyond,
        beyond=beyond,
        requirements=figures.tally(figures.shown(run) if rows is None else rows),
    )


def beyond_release(result: CaseResult) -> bool:
    """Whether the case needs a feature gate that the release of its profile does not have."""
    return result.verdict is Verdict.UNSUPPORTED and bool(profile_of(result.case, result.profile)[1])

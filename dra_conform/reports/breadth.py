"""The breadth that a run must have: `--min-breadth`, `--require`, and what a ledger records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dra_conform.conformance.events import Event
from dra_conform.conformance.features import RESULT_PARTS
from dra_conform.conformance.verdict import JUDGED, CaseResult, Verdict
from dra_conform.kube.listing import counted
from dra_conform.reports.figures import percent
from dra_conform.reports.headline import beyond_release
from dra_conform.reports.runs import Run, RunCollector


@dataclass(frozen=True, slots=True)
class Breadth:
    """How many of the applicable cases that were run were judged, and how many cases were not run.

    Cases that were not run do not count: they say nothing about the implementation. A run with such cases is
    incomplete, for which `run` has exit codes that are more severe than that of a small breadth.
    """

    judged: int
    applicable: int
    not_run: int = 0

    @classmethod
    def of(cls, results: Sequence[CaseResult]) -> Breadth:
        """Count results. A case that the release of the profile cannot have is not applicable."""
        judged = sum(result.verdict in JUDGED for result in results)
        declined = sum(
            result.verdict is Verdict.UNSUPPORTED and not beyond_release(result) for result in results
        )
        not_run = sum(result.verdict is Verdict.NOT_RUN for result in results)
        return cls(judged, judged + declined, not_run)

    @property
    def share(self) -> Fraction:
        """Return the exact share of judged cases, 0 if no case is applicable."""
        return Fraction(self.judged, self.applicable) if self.applicable else Fraction(0)

    def __str__(self) -> str:
        rest = f", {self.not_run} not run" if self.not_run else ""
        cases = f"{self.judged} of {counted(self.applicable, 'case')}{rest}"
        return f"{percent(self.judged, self.applicable)} ({cases})"


class BreadthCheck:
    """A handler that finds runs in which too few cases are judged.

    `least`: the least share of judged cases, of all cases and of the cases of each required feature.
    `required`: features, or result parts, of which at least one case must be judged.
    """

    def __init__(self, least: Fraction, required: Sequence[str]) -> None:
        self._least = least
        self._required = required
        self._collector = RunCollector()

    def handle(self, event: Event) -> None:
        self._collector.add(event)

    def close(self) -> None:
        """Do nothing, because the runs are compared only on request."""

    def problems(self) -> tuple[str, ...]:
        """Return a line for each run with too few judged cases and each required feature without any."""
        return tuple(problem for run in self._collector.runs() for problem in self._problems(run))

    def _problems(self, run: Run) -> Iterator[str]:
        name = f"{run.name}, profile {run.started.profile}"
        whole = Breadth.of(run.results)
        if whole.share < self._least:
            yield f"{name}: breadth is {whole}, expected at least {_percent(self._least)}"
        for feature in self._required:
            if run.started.implementation.features.get(feature) == "none":
                yield f"{name}: {feature} is declared as not supported, but required"
                continue
            if feature in RESULT_PARTS:
                continue
            part = Breadth.of([result for result in run.results if feature in result.case.features])
            if not part.judged:
                yield f"{name}: no case of the required feature {feature} was judged"
            elif part.share < self._least:
                yield f"{name}: breadth of {feature} is {part}, expected at least {_percent(self._least)}"


def _percent(share: Fraction) -> str:
    return percent(share.numerator, share.denominator)

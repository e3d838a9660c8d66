"""The content of the HTML report, as values for the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.printable import printable
from dra_conform.reports import figures
from dra_conform.reports.comparison import Comparison, compare
from dra_conform.reports.figures import Shown
from dra_conform.reports.headline import Headline, beyond_release, headline
from dra_conform.reports.page_failures import CauseBlock, blocks
from dra_conform.reports.page_requirements import NOTHING, DocumentChapter, documents
from dra_conform.reports.runs import Run

REASONS = 30
"""So many reasons are told why cases were not taken on."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One run: its figures, its failures by cause, what was not judged, and where its profile departs."""

    anchor: str
    run: Run
    links: tuple[tuple[str, str], ...]
    headline: Headline
    counts: tuple[tuple[Verdict, int], ...]
    blocks: tuple[CauseBlock, ...]
    declined: tuple[tuple[str, int], ...]
    beyond: tuple[tuple[str, int], ...]
    departures: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def failures(self) -> int:
        return sum(len(block.failures) for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Page:
    """All runs; `comparison` is None for a single one."""

    chapters: tuple[Chapter, ...]
    comparison: Comparison | None
    documents: tuple[DocumentChapter, ...]


def page(runs: Sequence[Run]) -> Page:
    """The page of some runs, at least one."""
    shown = [_shown(run) for run in runs]
    chapters = tuple(
        _chapter(run, rows, index) for index, (run, rows) in enumerate(zip(runs, shown, strict=True))
    )
    return Page(
        chapters=chapters,
        comparison=compare(runs) if len(runs) > 1 else None,
        documents=documents(shown, [chapter.blocks for chapter in chapters]),
    )


def _shown(run: Run) -> tuple[Shown, ...]:
    rows = figures.shown(run)
    loose = tuple(result for result in run.results if not result.case.requirements)
    return (*rows, Shown(NOTHING, loose, figures.state_of(NOTHING, loose))) if loose else rows


def _chapter(run: Run, rows: Sequence[Shown], index: int) -> Chapter:
    unsupported = [result for result in run.results if result.verdict is Verdict.UNSUPPORTED]
    return Chapter(
        anchor=f"run-{index + 1}",
        run=run,
        links=_links(run),
        headline=headline(run, [row for row in rows if row.requirement is not NOTHING]),
        counts=tuple((verdict, count) for verdict, count in figures.counts(run.results).items() if count),
        blocks=blocks(run, f"@{index + 1}" if index else ""),
        declined=_reasons([result for result in unsupported if not beyond_release(result)]),
        beyond=_reasons([result for result in unsupported if beyond_release(result)]),
        departures=departures(run.results),
    )


def departures(results: Sequence[CaseResult]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Why expectations depart from the documents, each reason with the cases that have it."""
    reasons: dict[str, list[str]] = {}
    for result in results:
        if result.departure:
            reasons.setdefault(printable(result.departure), []).append(printable(result.case.id))
    return tuple((reason, tuple(cases)) for reason, cases in reasons.items())


def _reasons(results: Sequence[CaseResult]) -> tuple[tuple[str, int], ...]:
    """Why cases were not taken on, the most frequent reason first."""
    found: dict[str, int] = {}
    for result in results:
        reason = printable(result.detail).split("\n", 1)[0] or "it gives no reason"
        found[reason] = found.get(reason, 0) + 1
    listed = sorted(found.items(), key=lambda entry: -entry[1])
    if len(listed) <= REASONS:
        return tuple(listed)
    rest = listed[REASONS:]
    return (*listed[:REASONS], (f"{len(rest)} more reasons", sum(count for _, count in rest)))


def _links(run: Run) -> tuple[tuple[str, str], ...]:
    """Addresses the implementation names; only web addresses become links."""
    identity = run.started.implementation
    named = (("homepage", identity.homepage), ("source", identity.source))
    return tuple((name, url) for name, url in named if url.startswith(("https://", "http://")))

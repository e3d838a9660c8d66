"""The content of the HTML report, as values for its template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.printable import printable
from dra_conform.reports import figures
from dra_conform.reports.comparison import Comparison, compare
from dra_conform.reports.feature_matrix import DocumentMatrix, document_matrix
from dra_conform.reports.figures import RequirementResults, StateTally
from dra_conform.reports.headline import Headline, beyond_release, headline
from dra_conform.reports.page_failures import CauseBlock, blocks
from dra_conform.reports.page_requirements import NO_REQUIREMENT, DocumentChapter, documents
from dra_conform.reports.runs import Run

MAIN_CAUSES = 5
"""The number of causes on the first screen; their examples are part of the page."""
REASONS = 12
"""The most reasons listed for unsupported cases."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One run: its figures, failures by cause, unsupported cases, and deviations of its profile."""

    anchor: str
    run: Run
    links: tuple[tuple[str, str], ...]
    headline: Headline
    counts: tuple[tuple[Verdict, int], ...]
    levels: tuple[StateTally, ...]
    matrix: DocumentMatrix
    blocks: tuple[CauseBlock, ...]
    declined: tuple[tuple[str, int], ...]
    beyond: tuple[tuple[str, int], ...]
    deviations: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def failures(self) -> int:
        return sum(len(block.failures) for block in self.blocks)

    @property
    def main_blocks(self) -> tuple[CauseBlock, ...]:
        """Return the causes that the page shows first."""
        return self.blocks[:MAIN_CAUSES]

    @property
    def folded_blocks(self) -> Mapping[str, tuple[CauseBlock, ...]]:
        """Return all other causes by document."""
        by_document: dict[str, list[CauseBlock]] = {}
        for block in self.blocks[MAIN_CAUSES:]:
            by_document.setdefault(block.document, []).append(block)
        return {document: tuple(found) for document, found in by_document.items()}


@dataclass(frozen=True, slots=True)
class Page:
    """All runs; `comparison` is None for a single run."""

    chapters: tuple[Chapter, ...]
    comparison: Comparison | None
    documents: tuple[DocumentChapter, ...]


def page(runs: Sequence[Run]) -> Page:
    """Make the page of at least one run."""
    rows_of_runs = [_requirement_results(run) for run in runs]
    chapters = tuple(
        _chapter(run, rows, index) for index, (run, rows) in enumerate(zip(runs, rows_of_runs, strict=True))
    )
    return Page(
        chapters=chapters,
        comparison=compare(runs) if len(runs) > 1 else None,
        documents=documents(rows_of_runs, [chapter.blocks for chapter in chapters]),
    )


def _requirement_results(run: Run) -> tuple[RequirementResults, ...]:
    rows = figures.requirement_results(run)
    others = tuple(result for result in run.results if not result.case.requirements)
    if not others:
        return rows
    return (*rows, RequirementResults(NO_REQUIREMENT, others, figures.state_of(NO_REQUIREMENT, others)))


def _chapter(run: Run, rows: Sequence[RequirementResults], index: int) -> Chapter:
    unsupported = [result for result in run.results if result.verdict is Verdict.UNSUPPORTED]
    known = [row for row in rows if row.requirement is not NO_REQUIREMENT]
    return Chapter(
        anchor=f"run-{index + 1}",
        run=run,
        links=_links(run),
        headline=headline(run, known),
        levels=figures.by_level(known),
        matrix=document_matrix(run),
        counts=tuple((verdict, count) for verdict, count in figures.counts(run.results).items() if count),
        blocks=blocks(run, f"@{index + 1}" if index else ""),
        declined=_reasons([result for result in unsupported if not beyond_release(result)]),
        beyond=_reasons([result for result in unsupported if beyond_release(result)]),
        deviations=deviations(run.results),
    )


def deviations(results: Sequence[CaseResult]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the reasons why expectations deviate from the specification, each with its cases."""
    reasons: dict[str, list[str]] = {}
    for result in results:
        if result.deviation:
            reasons.setdefault(printable(result.deviation), []).append(printable(result.case.id))
    return tuple((reason, tuple(cases)) for reason, cases in reasons.items())


def _reasons(results: Sequence[CaseResult]) -> tuple[tuple[str, int], ...]:
    """Return the most frequent reasons why cases are unsupported, and the sum of the others."""
    listed = figures.reasons_unsupported(results)
    if len(listed) <= REASONS:
        return tuple(listed)
    rest = listed[REASONS:]
    return (*listed[:REASONS], (f"{len(rest)} more reasons", sum(count for _, count in rest)))


def _links(run: Run) -> tuple[tuple[str, str], ...]:
    """Return the addresses that the implementation names; only web addresses become links."""
    identity = run.started.implementation
    named = (("homepage", identity.homepage), ("source", identity.source))
    return tuple((name, url) for name, url in named if url.startswith(("https://", "http://")))

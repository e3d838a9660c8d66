"""The summary page: the result of each run on one sheet of A4, for readers who do not debug it."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.conformance.requirement import MUST
from dra_conform.kube.printable import printable
from dra_conform.reports import figures
from dra_conform.reports.failure_explanation import run_command
from dra_conform.reports.feature_matrix import feature_rows
from dra_conform.reports.page import Chapter, page
from dra_conform.reports.page_templates import PageTemplates
from dra_conform.reports.runs import Run

FEATURES_SHOWN = 18
"""The most rows of the table of features."""


def render(runs: Sequence[Run]) -> str:
    """Render a sheet for each run. Printed on A4, a run takes one page."""
    chapters = page(runs).chapters
    text = PageTemplates().rendered(
        "summary.html.jinja",
        chapters=chapters,
        verdicts=[_verdict(chapter) for chapter in chapters],
        documents=[
            figures.state_tallies(figures.by_document(figures.requirement_results(run))) for run in runs
        ],
        features=[feature_rows([run])[:FEATURES_SHOWN] for run in runs],
        commands=[run_command(run.started) for run in runs],
    )
    return printable(text)


def _verdict(chapter: Chapter) -> str:
    """Return the result in one sentence."""
    known = chapter.headline
    if not known.judged:
        return "No case was judged."
    if not chapter.failures:
        return f"All {known.judged} judged cases are right."
    broken = sum(level.failed for level in chapter.levels if level.name == MUST)
    requirements = "1 MUST requirement fails" if broken == 1 else f"{broken} MUST requirements fail"
    return f"{chapter.failures} of {known.judged} judged cases fail, and {requirements}."

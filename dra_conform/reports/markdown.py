"""The Markdown report for the page of a CI job: figures, and collapsed failures."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.printable import printable
from dra_conform.kube.profile import Profile
from dra_conform.reports import failure_explanation, figures
from dra_conform.reports.advice import advice
from dra_conform.reports.causes import Cause, causes
from dra_conform.reports.headline import headline
from dra_conform.reports.markdown_matrix import comparison_tables
from dra_conform.reports.markdown_text import code, escaped
from dra_conform.reports.runs import Run

CAUSES_SHOWN = 50
"""The most causes on the page, so that CI systems accept it (1 MiB on GitHub)."""
CASES_LISTED = 20
"""The most cases listed after the example of a cause."""
LONGEST = 8_000


def render(runs: Sequence[Run]) -> str:
    """Render the runs as one page: a comparison if there are several, then a chapter for each run."""
    parts = ["# DRA conformance", ""]
    if len(runs) > 1:
        parts += comparison_tables(runs)
    for run in runs:
        parts += _chapter(run)
    return printable("\n".join(parts))


def _chapter(run: Run) -> Iterable[str]:
    failed = figures.failures(run.results)
    rows = figures.requirement_results(run)
    yield f"## {escaped(run.name)}"
    yield ""
    yield from (f"- **{share.name} {share.figure}**: {share.meaning}" for share in headline(run, rows).shares)
    yield (
        f"- Profile {Profile.named(run.started.profile).title} · level {run.started.level} "
        f"· suite {escaped(run.started.suite.version)} "
        f"`{run.started.suite.fingerprint.removeprefix('sha256:')[:12]}` · {escaped(run.started.started)}"
    )
    yield ""
    if run.aborted:
        yield f"**Incomplete:** {escaped(run.aborted)}"
        yield ""
    yield from _failures(run, failed)
    yield from _table(run, rows)
    yield from _deviations(run.results)


def _table(run: Run, rows: Iterable[figures.RequirementResults]) -> Iterable[str]:
    catalogue = {requirement.id: requirement for requirement in run.started.catalogue}
    results: dict[tuple[str, str], list[CaseResult]] = {}
    for result in run.results:
        results.setdefault(figures.place(result.case, catalogue), []).append(result)
    requirements: dict[tuple[str, str], list[figures.RequirementResults]] = {}
    for row in rows:
        requirements.setdefault((row.requirement.document, row.requirement.area), []).append(row)
    yield "| document | area | cases | pass | fail | other | requirements passed / covered |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for key in sorted(results):
        of_area = results[key]
        passed = sum(result.verdict is Verdict.PASS for result in of_area)
        failed = sum(result.verdict in CONFORMANCE_FAILURES for result in of_area)
        tally = figures.tally(requirements.get(key, ()))
        yield (
            f"| {escaped(key[0])} | {escaped(key[1])} | {len(of_area)} | {passed} | {failed} "
            f"| {len(of_area) - passed - failed} | {tally.passed} / {tally.covered} |"
        )
    yield ""


def _failures(run: Run, failed: Sequence[CaseResult]) -> Iterable[str]:
    if not failed:
        return
    grouped = causes(run.results)
    yield f"### {len(failed)} cases failed, for {len(grouped)} {'cause' if len(grouped) == 1 else 'causes'}"
    yield ""
    if recommended := figures.only_recommended(failed):
        yield f"{recommended} of them test only recommendations (SHOULD)."
        yield ""
    for cause in grouped[:CAUSES_SHOWN]:
        yield from _cause(cause, run)
    if len(grouped) > CAUSES_SHOWN:
        rest = sum(len(cause.results) for cause in grouped[CAUSES_SHOWN:])
        others = f"{rest} more failures of {len(grouped) - CAUSES_SHOWN} causes"
        yield f"… and {others}; the JSON and HTML reports have all of them."
        yield ""


def _cause(cause: Cause, run: Run) -> Iterable[str]:
    """Yield the failures of one cause: the example in full, then a line for each other case."""
    catalogue = {requirement.id: requirement for requirement in run.started.catalogue}
    explanation = failure_explanation.explain_failure(
        cause.example, catalogue, run.started.implementation.spec
    )
    message = html.escape(printable(cause.message or cause.verdict))
    verdict = html.escape(explanation.verdict)
    yield f"<details><summary><b>{len(cause.results)}</b> {message} <i>{verdict}</i></summary>"
    yield ""
    if what_to_do := advice(cause, run):
        yield escaped(what_to_do)
        yield ""
    for requirement in explanation.requirements:
        source = (
            f" ([{escaped(requirement.document)}, {escaped(requirement.section)}]({requirement.link}))"
            if requirement.link
            else ""
        )
        yield f"> **{escaped(requirement.id)}** {escaped(requirement.statement)}{source}"
        yield ""
    if explanation.rule:
        yield f"- Rule: {escaped(explanation.rule)}"
    yield f"- {escaped(explanation.title)} ({code(explanation.case)}, {code(explanation.source)})"
    yield from (
        f"- {escaped(text)}"
        for text in (explanation.deviation, explanation.detail, *explanation.findings)
        if text
    )
    yield ""
    yield from _fenced("\n".join(explanation.scenario), "gherkin")
    if explanation.diff.lines:
        yield from _fenced(str(explanation.diff), "diff")
    why = "\n".join((*explanation.why, *([explanation.log] if explanation.log else ())))
    if why:
        yield from _fenced(why, "text")
    yield from _fenced(explanation.command, "sh")
    yield from _other_cases(cause)
    yield "</details>"
    yield ""


def _other_cases(cause: Cause) -> Iterable[str]:
    others = cause.results[1:]
    if not others:
        return
    yield "Other cases with this cause:"
    yield ""
    for result in others[:CASES_LISTED]:
        message = failure_explanation.headline(result)
        more = f": {escaped(message)}" if message and message != cause.message else ""
        yield f"- {code(result.case.id)}{more}"
    if len(others) > CASES_LISTED:
        yield f"- … and {len(others) - CASES_LISTED} more"
    yield ""


def _deviations(results: Iterable[CaseResult]) -> Iterable[str]:
    deviating = [result for result in results if result.deviation]
    if not deviating:
        return
    yield "### Deviations of this profile from the specification"
    yield ""
    reasons: dict[str, list[str]] = {}
    for result in deviating:
        reasons.setdefault(result.deviation, []).append(result.case.id)
    for reason, cases in reasons.items():
        yield f"- {escaped(reason)} ({len(cases)} cases, such as {code(cases[0])})"
    yield ""


def _fenced(text: str, language: str) -> Iterable[str]:
    """Yield a code block whose fence does not occur in the text."""
    if len(text) > LONGEST:
        text = text[:LONGEST].rsplit("\n", 1)[0] + "\n  (cut)"
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    yield f"{fence}{language}"
    yield text
    yield fence
    yield ""

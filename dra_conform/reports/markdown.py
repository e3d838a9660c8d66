"""The Markdown summary for the page of a CI job: figures, and failures to unfold."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.printable import printable
from dra_conform.kube.profile import Profile
from dra_conform.reports import failure_explanation, figures
from dra_conform.reports.causes import Cause, causes
from dra_conform.reports.headline import headline
from dra_conform.reports.markdown_matrix import comparison_tables
from dra_conform.reports.markdown_text import code, escaped
from dra_conform.reports.runs import Run

TOLD = 50
"""Causes that are told, so that the page stays within what CI systems accept (1 MiB on GitHub)."""
ALIKE = 20
"""Of failures alike, so many are named behind the first."""
LONGEST = 8_000


def render(runs: Sequence[Run]) -> str:
    """The page: several runs side by side first, then one chapter for each run."""
    parts = ["# DRA conformance", ""]
    if len(runs) > 1:
        parts += comparison_tables(runs)
    for run in runs:
        parts += _chapter(run)
    return printable("\n".join(parts))


def _chapter(run: Run) -> Iterable[str]:
    failed = figures.failures(run.results)
    rows = figures.shown(run)
    yield f"## {escaped(run.name)}"
    yield ""
    yield from (f"- **{one.name} {one.figure}**: {one.meaning}" for one in headline(run, rows).shares)
    yield (
        f"- Profile {Profile.named(run.started.profile).title} · suite {escaped(run.started.suite.version)} "
        f"`{run.started.suite.fingerprint.removeprefix('sha256:')[:12]}` · {escaped(run.started.started)}"
    )
    yield ""
    if run.aborted:
        yield f"**Incomplete:** {escaped(run.aborted)}"
        yield ""
    yield from _failures(run, failed)
    yield from _table(run, rows)
    yield from _departures(run.results)


def _table(run: Run, rows: Iterable[figures.Shown]) -> Iterable[str]:
    catalogue = {one.id: one for one in run.started.catalogue}
    results: dict[tuple[str, str], list[CaseResult]] = {}
    for result in run.results:
        results.setdefault(figures.place(result.case, catalogue), []).append(result)
    requirements: dict[tuple[str, str], list[figures.Shown]] = {}
    for row in rows:
        requirements.setdefault((row.requirement.document, row.requirement.area), []).append(row)
    yield "| document | area | cases | pass | fail | other | requirements passed / covered |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for key in sorted(results):
        found = results[key]
        passed = sum(result.verdict is Verdict.PASS for result in found)
        failed = sum(result.verdict in CONFORMANCE_FAILURES for result in found)
        tally = figures.tally(requirements.get(key, ()))
        yield (
            f"| {escaped(key[0])} | {escaped(key[1])} | {len(found)} | {passed} | {failed} "
            f"| {len(found) - passed - failed} | {tally.passed} / {tally.covered} |"
        )
    yield ""


def _failures(run: Run, failed: Sequence[CaseResult]) -> Iterable[str]:
    if not failed:
        return
    found = causes(failed)
    yield f"### {len(failed)} failed, for {len(found)} {'cause' if len(found) == 1 else 'causes'}"
    yield ""
    for cause in found[:TOLD]:
        yield from _cause(cause, run)
    if len(found) > TOLD:
        rest = sum(len(cause.results) for cause in found[TOLD:])
        others = f"{rest} more failures of {len(found) - TOLD} causes"
        yield f"… and {others}; the JSON and HTML reports hold all of them."
        yield ""


def _cause(cause: Cause, run: Run) -> Iterable[str]:
    """Failures of one cause: the first told, the others with what is wrong in a line each."""
    catalogue = {one.id: one for one in run.started.catalogue}
    told = failure_explanation.tell(cause.example, catalogue, run.started.implementation.spec)
    said = html.escape(printable(cause.said or cause.verdict))
    yield f"<details><summary><b>{len(cause.results)}</b> {said} <i>{html.escape(told.verdict)}</i></summary>"
    yield ""
    for one in told.requirements:
        source = f" ([{escaped(one.document)}, {escaped(one.section)}]({one.link}))" if one.link else ""
        yield f"> **{escaped(one.id)}** {escaped(one.statement)}{source}"
        yield ""
    if told.rule:
        yield f"- Rule: {escaped(told.rule)}"
    yield f"- {escaped(told.title)} ({code(told.case)}, {code(told.source)})"
    yield from (f"- {escaped(text)}" for text in (told.departure, told.detail, *told.findings) if text)
    yield ""
    yield from _fenced("\n".join(told.scenario), "gherkin")
    if told.diff.lines:
        yield from _fenced(str(told.diff), "diff")
    why = "\n".join((*told.why, *([told.log] if told.log else ())))
    if why:
        yield from _fenced(why, "text")
    yield from _fenced(told.command, "sh")
    yield from _likewise(cause)
    yield "</details>"
    yield ""


def _likewise(cause: Cause) -> Iterable[str]:
    others = cause.results[1:]
    if not others:
        return
    yield "Likewise:"
    yield ""
    for result in others[:ALIKE]:
        said = failure_explanation.headline(result)
        more = f": {escaped(said)}" if said and said != cause.said else ""
        yield f"- {code(result.case.id)}{more}"
    if len(others) > ALIKE:
        yield f"- … and {len(others) - ALIKE} more"
    yield ""


def _departures(results: Iterable[CaseResult]) -> Iterable[str]:
    departing = [result for result in results if result.departure]
    if not departing:
        return
    yield "### Deviations of this profile from the documents"
    yield ""
    reasons: dict[str, list[str]] = {}
    for result in departing:
        reasons.setdefault(result.departure, []).append(result.case.id)
    for reason, cases in reasons.items():
        yield f"- {escaped(reason)} ({len(cases)} cases, such as {code(cases[0])})"
    yield ""


def _fenced(text: str, language: str) -> Iterable[str]:
    """A code block that its own text cannot end."""
    if len(text) > LONGEST:
        text = text[:LONGEST].rsplit("\n", 1)[0] + "\n  (cut)"
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    yield f"{fence}{language}"
    yield text
    yield fence
    yield ""

"""A summary in Markdown, for the page of a CI job: figures by document and area, failures to unfold."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence

from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.printable import one_line, printable
from dra_conform.kube.profile import Profile
from dra_conform.reports import figures, story
from dra_conform.reports.runs import Run

TOLD = 50
"""Failures told in full, so that the page stays within what CI systems accept (1 MiB on GitHub)."""
LONGEST = 8_000


def render(runs: Sequence[Run]) -> str:
    """The page, one chapter for each run."""
    return printable("# DRA conformance\n\n" + "\n".join("\n".join(_chapter(run)) for run in runs))


def _chapter(run: Run) -> Iterable[str]:
    failed = figures.failures(run.results)
    passed = sum(result.verdict is Verdict.PASS for result in run.results)
    tally = figures.tally(figures.shown(run))
    yield f"## {_escaped(run.name)}: {passed} of {len(run.results)} cases pass"
    yield ""
    yield (
        f"Profile {Profile.named(run.started.profile).title} · suite {_escaped(run.started.suite.version)} "
        f"`{run.started.suite.fingerprint.removeprefix('sha256:')[:12]}` · {_escaped(run.started.started)}"
    )
    yield ""
    yield f"Requirements: {tally.passed} of {tally.covered} covered ones pass ({tally.total} known)."
    yield ""
    if run.aborted:
        yield f"**Incomplete:** {_escaped(run.aborted)}"
        yield ""
    yield from _table(run)
    yield from _failures(run, failed)
    yield from _departures(run.results)


def _table(run: Run) -> Iterable[str]:
    catalogue = {one.id: one for one in run.started.catalogue}
    results: dict[tuple[str, str], list[CaseResult]] = {}
    for result in run.results:
        results.setdefault(figures.place(result.case, catalogue), []).append(result)
    requirements: dict[tuple[str, str], list[figures.Shown]] = {}
    for row in figures.shown(run):
        requirements.setdefault((row.requirement.document, row.requirement.area), []).append(row)
    yield "| document | area | cases | pass | fail | other | requirements passed / covered |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for key in sorted(results):
        found = results[key]
        passed = sum(result.verdict is Verdict.PASS for result in found)
        failed = sum(result.verdict in CONFORMANCE_FAILURES for result in found)
        tally = figures.tally(requirements.get(key, ()))
        yield (
            f"| {_escaped(key[0])} | {_escaped(key[1])} | {len(found)} | {passed} | {failed} "
            f"| {len(found) - passed - failed} | {tally.passed} / {tally.covered} |"
        )
    yield ""


def _failures(run: Run, failed: Sequence[CaseResult]) -> Iterable[str]:
    if not failed:
        return
    catalogue = {one.id: one for one in run.started.catalogue}
    yield "### Failures"
    yield ""
    for result in failed[:TOLD]:
        yield from _failure(result, catalogue)
    if len(failed) > TOLD:
        yield f"… and {len(failed) - TOLD} more; the JSON and HTML reports hold all of them."
        yield ""


def _failure(result: CaseResult, catalogue: Mapping[str, Requirement]) -> Iterable[str]:
    told = story.tell(result, catalogue)
    case = html.escape(one_line(told.case))
    yield f"<details><summary><code>{case}</code>: {html.escape(told.verdict)}</summary>"
    yield ""
    for one in told.requirements:
        yield f"- **{_escaped(one.id)}** {_escaped(one.statement)}"
    yield f"- {_escaped(told.title)} ({_code(told.source)})"
    yield from (f"- {_escaped(text)}" for text in (told.detail, *told.findings) if text)
    yield ""
    if told.diff.lines:
        yield from _fenced(str(told.diff), "diff")
    why = "\n".join((*told.why, *([told.log] if told.log else ())))
    if why:
        yield from _fenced(why, "text")
    yield "</details>"
    yield ""


def _departures(results: Iterable[CaseResult]) -> Iterable[str]:
    departing = [result for result in results if result.departure]
    if not departing:
        return
    yield "### Departures of this profile from the documents"
    yield ""
    reasons: dict[str, list[str]] = {}
    for result in departing:
        reasons.setdefault(result.departure, []).append(result.case.id)
    for reason, cases in reasons.items():
        yield f"- {_escaped(reason)} ({len(cases)} cases, such as {_code(cases[0])})"
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


def _code(text: str) -> str:
    """One line of text as code; an element, since backquotes in the text could end what backquotes begin."""
    return f"<code>{_escaped(one_line(text))}</code>"


def _escaped(text: str) -> str:
    """One line of text in which Markdown and HTML find nothing to do."""
    line = " ".join(printable(text).split())
    return re.sub(r"([\\`*_\[\]|~#])", r"\\\1", html.escape(line, quote=False))

"""The Markdown report for the page of a CI job: figures, and collapsed failures. Also appended to
`GITHUB_STEP_SUMMARY`."""

from __future__ import annotations

import html
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dra_conform.conformance.events import Event
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.listing import counted
from dra_conform.kube.printable import printable
from dra_conform.kube.profile import Profile
from dra_conform.reports import failure_explanation, figures
from dra_conform.reports.advice import advice
from dra_conform.reports.causes import Cause, causes_of
from dra_conform.reports.comparison import comparison_tables
from dra_conform.reports.headline import headline
from dra_conform.reports.markdown_text import code, escaped
from dra_conform.reports.runs import KnownFailures, Run, RunCollector

LIMIT = 20_000
"""The largest size of the page in bytes."""
CASES_LISTED = 5
"""The most cases listed after the example of a cause."""
FINDINGS_LISTED = 10
"""The most findings of an example."""
LONGEST_FINDING = 500
"""The longest finding of an example, in characters."""
LONGEST = 1_500
"""The most characters of a code block."""
DEVIATIONS = 4_000
"""The most bytes of the deviations of a profile."""
AREAS_SHOWN = 40
"""The most rows of the table of areas; with more areas it has a row for each document."""


def render(runs: Sequence[Run], link: str = "") -> str:
    """Render the runs as one page: a comparison if there are several, then a chapter for each run.

    The page has at most `LIMIT` bytes: each run has an equal part of it for the examples of its causes.
    `link` is the address of the HTML report, empty if there is none.
    """
    parts = ["# DRA conformance", ""]
    if link:
        parts += [f"[The whole report](<{escaped(link)}>)", ""]
    if len(runs) > 1:
        parts += _within(comparison_tables(runs), LIMIT // 2, "")
    chapters = [list(_chapter(run)) for run in runs]
    left = LIMIT - _size(parts) - sum(map(_size, chapters))
    for run, chapter in zip(runs, chapters, strict=True):
        failures = _failures(run, max(left, 0) // len(runs), link)
        parts += [line for part in chapter for line in (failures if part is None else [part])]
    return printable("\n".join(_within(parts, LIMIT, link)))


def _size(lines: Iterable[str | None]) -> int:
    return sum(len(line.encode()) + 1 for line in lines if line is not None)


def _within(lines: Iterable[str], budget: int, link: str) -> Iterable[str]:
    """Yield the lines that fit into the budget in bytes, then a note if there are more."""
    left = budget - 200
    for line in lines:
        left -= len(line.encode()) + 1
        if left < 0:
            yield ""
            yield f"… and more: {_whole(link)}"
            yield ""
            return
        yield line


def _whole(link: str) -> str:
    return f"[the whole report](<{escaped(link)}>)" if link else "the HTML report (`--html`) has all"


def _chapter(run: Run) -> Iterable[str | None]:
    """Yield the lines of a run without its failures, whose place is marked by None."""
    rows = figures.requirement_results(run)
    yield f"## {escaped(run.name)}"
    yield ""
    yield from (f"- **{share.name} {share.figure}**: {share.meaning}" for share in headline(run, rows).shares)
    yield (
        f"- Profile {Profile.named(run.started.profile).title} · level {run.started.level} "
        f"· suite {escaped(run.started.suite.version)} "
        f"`{run.started.suite.fingerprint.removeprefix('sha256:')[:12]}` · {escaped(run.started.started)}"
    )
    if run.known_failures:
        yield f"- {escaped(run.known_failures)}"
    yield ""
    if run.aborted:
        yield f"**Incomplete:** {escaped(run.aborted)}"
        yield ""
    yield None
    yield from _table(run, rows)
    yield from _within(_deviations(run.results), DEVIATIONS, "")


def _table(run: Run, rows: Iterable[figures.RequirementResults]) -> Iterable[str]:
    catalogue = {requirement.id: requirement for requirement in run.started.catalogue}
    places = [figures.place(result.case, catalogue) for result in run.results]
    by_area = len(set(places)) <= AREAS_SHOWN
    results: dict[tuple[str, str], list[CaseResult]] = {}
    for (document, area), result in zip(places, run.results, strict=True):
        results.setdefault((document, area if by_area else "all"), []).append(result)
    requirements: dict[tuple[str, str], list[figures.RequirementResults]] = {}
    for row in rows:
        of_row = (row.requirement.document, row.requirement.area if by_area else "all")
        requirements.setdefault(of_row, []).append(row)
    tallies = {key: figures.tally(of_area) for key, of_area in requirements.items()}
    yield "| document | area | cases | pass | fail | other | requirements passed / covered |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for key in sorted(results.keys() | {key for key, tally in tallies.items() if tally.covered}):
        of_area = results.get(key, [])
        passed = sum(result.verdict is Verdict.PASS for result in of_area)
        failed = sum(result.verdict in CONFORMANCE_FAILURES for result in of_area)
        tally = tallies.get(key, figures.tally(()))
        yield (
            f"| {escaped(key[0])} | {escaped(key[1])} | {len(of_area)} | {passed} | {failed} "
            f"| {len(of_area) - passed - failed} | {tally.passed} / {tally.covered} |"
        )
    yield ""


def _failures(run: Run, budget: int, link: str) -> Iterator[str]:
    """Yield the causes of failures whose examples fit into the budget in bytes."""
    failed = figures.failures(run.results)
    if not failed:
        return
    grouped = causes_of(run)
    yield f"### {counted(len(failed), 'case')} failed, for {counted(len(grouped), 'cause')}"
    yield ""
    if recommended := figures.only_recommended(failed):
        yield f"{recommended}."
        yield ""
    left = budget - 400
    for index, cause in enumerate(grouped):
        lines = list(_cause(cause, run))
        left -= _size(lines)
        if left < 0:
            rest = sum(len(of_rest.results) for of_rest in grouped[index:])
            more = f"{counted(rest, 'more failure')} of {counted(len(grouped) - index, 'cause')}"
            yield f"… and {more}: {_whole(link)}"
            yield ""
            return
        yield from lines


def _cause(cause: Cause, run: Run) -> Iterable[str]:
    """Yield the failures of one cause: the example in full, then a line for each other case."""
    catalogue = {requirement.id: requirement for requirement in run.started.catalogue}
    again = failure_explanation.again_of(run.started)
    explanation = failure_explanation.explain_failure(cause.example, catalogue, again)
    message = ("known: " if cause.known else "") + html.escape(printable(cause.message or cause.verdict))
    verdict = html.escape(explanation.verdict)
    yield f"<details><summary><b>{len(cause.results)}</b> {message} <i>{verdict}</i></summary>"
    yield ""
    if what_to_do := advice(cause, run):
        yield escaped(what_to_do)
        yield ""
    for requirement in explanation.requirements:
        source = (
            f" ([{escaped(requirement.document)}, {escaped(requirement.section)}]"
            f"(<{escaped(requirement.link)}>))"
            if requirement.link
            else ""
        )
        yield f"> **{escaped(requirement.id)}** {escaped(requirement.statement)}{source}"
        yield ""
    if explanation.rule:
        yield f"- Rule: {escaped(explanation.rule)}"
    yield f"- {escaped(explanation.title)} ({code(explanation.case)}, {code(explanation.source)})"
    texts = [text for text in (explanation.deviation, explanation.detail, *explanation.findings) if text]
    yield from (f"- {escaped(_cut(text))}" for text in texts[:FINDINGS_LISTED])
    if len(texts) > FINDINGS_LISTED:
        yield f"- … and {len(texts) - FINDINGS_LISTED} more"
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
        message = cause.message_of(result)
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
        yield f"- {escaped(reason)} ({counted(len(cases), 'case')}, such as {code(cases[0])})"
    yield ""


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_FINDING else f"{text[:LONGEST_FINDING]}..."


def _fenced(text: str, language: str) -> Iterable[str]:
    """Yield a code block whose fence does not occur in the text."""
    if len(text) > LONGEST:
        text = text[:LONGEST].rsplit("\n", 1)[0] + "\n  (cut)"
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    yield f"{fence}{language}"
    yield text
    yield fence
    yield ""


STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


class StepSummary:
    """A handler that appends the report to the step summary after the last run.

    If the file cannot be written, a message is printed and the run continues.
    """

    def __init__(self, path: str, known: KnownFailures = lambda _: frozenset()) -> None:
        self._path = Path(path)
        self._collector = RunCollector(known)

    def handle(self, event: Event) -> None:
        self._collector.add(event)

    def close(self) -> None:
        runs = self._collector.runs()
        if not runs:
            return
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(render(runs, _job()) + "\n")
        except OSError as error:
            sys.stderr.write(f"{STEP_SUMMARY}: {self._path}: cannot be written: {error.strerror}\n")


def _job() -> str:
    """Return the address of the workflow run, which has the reports as artifacts; empty if it is unknown."""
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, run = (os.environ.get(name, "") for name in names)
    return f"{server}/{repository}/actions/runs/{run}" if server and repository and run else ""

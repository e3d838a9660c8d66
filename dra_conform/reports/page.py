"""What the HTML report shows, as values: the template only lays them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.printable import printable
from dra_conform.reports import figures, story
from dra_conform.reports.figures import RequirementState, Shown, Tally, percent
from dra_conform.reports.runs import Run
from dra_conform.reports.story import Story

STORIES = 900_000
"""Characters spent on stories of failures; later failures get a bare line, so that the page stays small."""
TITLES = 300_000
"""Likewise for the titles of cases."""
LOG = 2_000
WHY = 60
DIFF = 400
LISTED = 100


@dataclass(frozen=True, slots=True)
class Row:
    """One case below a requirement. A failure has its anchor where it is told, a `target` elsewhere."""

    verdict: Verdict
    text: str
    case: str
    title: str
    anchor: str = ""
    target: str = ""
    headline: str = ""
    story: Story | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One requirement with its state and its cases."""

    requirement: Requirement
    state: RequirementState
    anchor: str
    rows: tuple[Row, ...]
    counted: str


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class DocumentChapter:
    """One document: its sections with covered requirements, and the requirements no case shows."""

    name: str
    anchor: str
    tally: Tally
    states: tuple[tuple[str, int], ...]
    sections: tuple[Section, ...]
    uncovered: tuple[tuple[Requirement, str], ...]


@dataclass(frozen=True, slots=True)
class Share:
    """A headline figure: its name, the figure, and what it is a share of."""

    name: str
    figure: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """One run."""

    anchor: str
    run: Run
    links: tuple[tuple[str, str], ...]
    shares: tuple[Share, ...]
    counts: tuple[tuple[Verdict, int], ...]
    failed: tuple[Row, ...]
    failures: int
    untold: int
    departures: tuple[tuple[str, tuple[str, ...]], ...]
    documents: tuple[DocumentChapter, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """State by requirement (rows, grouped by document) and implementation (columns)."""

    names: tuple[str, ...]
    documents: tuple[tuple[str, tuple[tuple[str, tuple[tuple[RequirementState, str], ...]], ...]], ...]


@dataclass
class _Teller:
    """Gives every case its row, and its story once, while there is room."""

    catalogue: Mapping[str, Requirement]
    suffix: str
    room: int
    titles: int
    told: dict[str, Row] = field(default_factory=dict)
    untold: int = 0

    def row(self, result: CaseResult, previous: str) -> Row:
        name = result.case.id
        if name in self.told:
            first = self.told[name]
            return replace(first, anchor="", target=first.anchor, story=None, title="")
        row = self._first(result)
        self.told[name] = row
        if row.title == previous or self.titles <= 0:
            return replace(row, title="")
        self.titles -= len(row.title)
        return row

    def _first(self, result: CaseResult) -> Row:
        title = printable(result.case.title)
        row = Row(result.verdict, story.verdict_text(result), printable(result.case.id), title)
        if result.verdict is Verdict.PASS:
            return row
        if self.room <= 0:
            self.untold += 1
            return row
        row = replace(row, headline=story.headline(result), anchor=f"case:{row.case}{self.suffix}")
        told = _cut(story.tell(result, self.catalogue))
        self.room -= len(story.as_text(told)) + 60 * len(told.diff.lines) + 900
        return replace(row, story=told)


def chapter(run: Run, index: int = 0, *, of: int = 1) -> Chapter:
    """One run for the page. `index` counts the `of` runs from 0; they share the room."""
    suffix = _anchor("", index)
    catalogue = {one.id: one for one in run.started.catalogue}
    teller = _Teller(catalogue, suffix, STORIES // of, TITLES // of)
    rows = figures.shown(run)
    loose = tuple(result for result in run.results if not result.case.requirements)
    if loose:
        nothing = Requirement("cases-without-a-requirement", "Other", "", "", "", "", "")
        rows = (*rows, Shown(nothing, loose, figures.state_of(nothing, loose)))
    documents = tuple(
        _document(name, of_document, teller) for name, of_document in figures.by_document(rows).items()
    )
    failed = figures.failures(run.results)
    return Chapter(
        anchor=f"run-{index + 1}",
        run=run,
        links=_links(run),
        shares=_shares(run, rows),
        counts=tuple((verdict, count) for verdict, count in figures.counts(run.results).items() if count),
        failed=tuple(teller.told[result.case.id] for result in failed[: LISTED // of]),
        failures=len(failed),
        untold=teller.untold,
        departures=_departures(run.results),
        documents=documents,
    )


def chapters(runs: Sequence[Run]) -> tuple[Chapter, ...]:
    """All runs, each with its share of the room."""
    return tuple(chapter(run, index, of=len(runs)) for index, run in enumerate(runs))


def matrix(runs: Sequence[Run]) -> Matrix:
    """Who passes what, for the requirements that some run covers."""
    shown = [figures.shown(run) for run in runs]
    states = [{row.requirement.id: row.state for row in rows} for rows in shown]
    missing = RequirementState.UNCOVERED
    documents: dict[str, dict[str, tuple[tuple[RequirementState, str], ...]]] = {}
    for requirement in (row.requirement for rows in shown for row in rows if row.results):
        documents.setdefault(requirement.document, {})[requirement.id] = tuple(
            (state, "" if state is missing else _anchor(requirement.id, index))
            for index, state in enumerate(of_run.get(requirement.id, missing) for of_run in states)
        )
    return Matrix(
        tuple(printable(run.name) for run in runs),
        tuple((document, tuple(rows.items())) for document, rows in documents.items()),
    )


def _anchor(name: str, index: int) -> str:
    """The anchor of something in the run of that index; those of the first run are the plain names."""
    return f"{name}@{index + 1}" if index else name


def _document(name: str, rows: Sequence[Shown], teller: _Teller) -> DocumentChapter:
    sections: dict[str, list[Entry]] = {}
    for row in rows:
        if row.state is not RequirementState.UNCOVERED:
            sections.setdefault(row.requirement.section, []).append(_entry(row, teller))
    states = [row.state for row in rows]
    return DocumentChapter(
        name=name,
        anchor=f"document:{name}{teller.suffix}",
        tally=figures.tally(rows),
        states=tuple((state.value, count) for state in RequirementState if (count := states.count(state))),
        sections=tuple(Section(section, tuple(entries)) for section, entries in sections.items()),
        uncovered=tuple(
            (row.requirement, f"{row.requirement.id}{teller.suffix}")
            for row in rows
            if row.state is RequirementState.UNCOVERED
        ),
    )


def _entry(row: Shown, teller: _Teller) -> Entry:
    anchor = f"{row.requirement.id}{teller.suffix}"
    counted = [f"{count} {verdict}" for verdict, count in figures.counts(row.results).items() if count]
    cases = "1 case" if len(row.results) == 1 else f"{len(row.results)} cases"
    return Entry(
        row.requirement,
        row.state,
        anchor,
        tuple(_rows(row.results, teller)),
        f"{cases}: {', '.join(counted)}",
    )


def _rows(results: Iterable[CaseResult], teller: _Teller) -> Iterator[Row]:
    """Failures first; a title is written once for neighbours that share it."""
    previous = ""
    for result in sorted(
        results, key=lambda one: (one.verdict not in CONFORMANCE_FAILURES, one.verdict == "pass")
    ):
        yield teller.row(result, previous)
        previous = printable(result.case.title)


def _shares(run: Run, rows: Sequence[Shown]) -> tuple[Share, ...]:
    passed = sum(result.verdict is Verdict.PASS for result in run.results)
    judged = passed + len(figures.failures(run.results))
    total, tally = len(run.results), figures.tally(rows)
    return (
        Share("Correctness", percent(passed, judged), f"{passed} of {judged} judged cases are right"),
        Share("Breadth", percent(judged, total), f"{judged} of {total} cases were taken on and judged"),
        Share(
            "Requirements",
            f"{tally.passed} of {tally.covered}",
            f"covered requirements have only passing cases; {tally.total} are known",
        ),
    )


def _departures(results: Iterable[CaseResult]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    reasons: dict[str, list[str]] = {}
    for result in results:
        if result.departure:
            reasons.setdefault(printable(result.departure), []).append(printable(result.case.id))
    return tuple((reason, tuple(cases)) for reason, cases in reasons.items())


def _links(run: Run) -> tuple[tuple[str, str], ...]:
    """Addresses the implementation names; only web addresses become links."""
    identity = run.started.implementation
    named = (("homepage", identity.homepage), ("source", identity.source))
    return tuple((name, url) for name, url in named if url.startswith(("https://", "http://")))


def _cut(told: Story) -> Story:
    """The story at a length that a page bears: the end of the log, the beginning of everything else."""
    log = told.log if len(told.log) <= LOG else "(cut)\n" + told.log[-LOG:].split("\n", 1)[-1]
    why = told.why if len(told.why) <= WHY else (*told.why[:WHY], f"... and {len(told.why) - WHY} more lines")
    lines = told.diff.lines
    if len(lines) > DIFF:
        more = replace(lines[0], mark=" ", text=f"# {len(lines) - DIFF} more lines")
        told = replace(told, diff=replace(told.diff, lines=(*lines[:DIFF], more), paths=told.diff.paths[:20]))
    return replace(told, log=log, why=why, detail=told.detail[:LOG])

"""The requirements in the HTML report, each with its result in each run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.listing import counted
from dra_conform.kube.printable import printable
from dra_conform.reports import figures
from dra_conform.reports.figures import RequirementResults, RequirementState, Tally
from dra_conform.reports.page_failures import CauseBlock


@dataclass(frozen=True, slots=True)
class CasesOfVerdict:
    """Cases with one verdict.

    The rows of one Examples table are grouped: their common id, then the part in brackets of each row.
    """

    verdict: Verdict
    count: int
    cases: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of one requirement in one run. `causes` has anchor and message of each cause of failures."""

    state: RequirementState
    counted: str
    causes: tuple[tuple[str, str], ...]
    rows: tuple[CasesOfVerdict, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One requirement with its result in each run. `states` has each state once."""

    requirement: Requirement
    results: tuple[RunResult, ...]
    states: tuple[RequirementState, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a document, with its covered requirements."""

    name: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class DocumentChapter:
    """One document: its sections with covered requirements, and the requirements that no run covers."""

    name: str
    tallies: tuple[Tally, ...]
    sections: tuple[Section, ...]
    uncovered: tuple[Requirement, ...]


NO_REQUIREMENT = Requirement("cases-without-a-requirement", "Other", "", "", "", "", "")
"""Placeholder for cases that name no requirement."""


def documents(
    runs: Sequence[Sequence[RequirementResults]], blocks: Sequence[Sequence[CauseBlock]]
) -> tuple[DocumentChapter, ...]:
    """Return the documents with the results of each run. Cases are listed only for a single run."""
    causes_of_runs = [_causes_of(blocks_of_run) for blocks_of_run in blocks]
    by_run = [{row.requirement.id: row for row in rows} for rows in runs]
    known = {row.requirement.id: row for rows in runs for row in rows}
    grouped = figures.by_document(known.values())
    return tuple(
        DocumentChapter(
            name=name,
            tallies=tuple(figures.tally(_of(rows, of_document)) for rows in by_run),
            sections=_sections([_entry(row, by_run, causes_of_runs) for row in of_document]),
            uncovered=tuple(
                row.requirement for row in of_document if set(_states(row, by_run)) == {_UNCOVERED}
            ),
        )
        for name, of_document in grouped.items()
    )


_UNCOVERED = RequirementState.UNCOVERED


def _of(
    rows: Mapping[str, RequirementResults], of_document: Iterable[RequirementResults]
) -> list[RequirementResults]:
    names = [row.requirement.id for row in of_document]
    return [rows[name] for name in names if name in rows]


def _causes_of(blocks: Sequence[CauseBlock]) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the causes of failures by requirement."""
    by_requirement: dict[str, dict[str, str]] = {}
    for block in blocks:
        for failure in block.failures:
            for name in failure.result.case.requirements or (NO_REQUIREMENT.id,):
                by_requirement.setdefault(name, {})[block.anchor] = block.message or block.verdict
    return {name: tuple(causes.items()) for name, causes in by_requirement.items()}


def _states(
    row: RequirementResults, by_run: Sequence[Mapping[str, RequirementResults]]
) -> Iterator[RequirementState]:
    for rows in by_run:
        row_of_run = rows.get(row.requirement.id)
        yield row_of_run.state if row_of_run else _UNCOVERED


def _entry(
    row: RequirementResults,
    by_run: Sequence[Mapping[str, RequirementResults]],
    causes_of_runs: Sequence[Mapping[str, tuple[tuple[str, str], ...]]],
) -> Entry:
    name = row.requirement.id
    results = tuple(
        _result(rows[name].state if name in rows else _UNCOVERED,
              rows[name].results if name in rows else (),
              causes.get(name, ()),
              listed=len(by_run) == 1)
        for rows, causes in zip(by_run, causes_of_runs, strict=True)
    )  # fmt: skip
    return Entry(row.requirement, results, tuple(dict.fromkeys(result.state for result in results)))


def _result(
    state: RequirementState,
    results: Sequence[CaseResult],
    causes: tuple[tuple[str, str], ...],
    *,
    listed: bool,
) -> RunResult:
    counts = [f"{count} {verdict}" for verdict, count in figures.counts(results).items() if count]
    cases = counted(len(results), "case")
    rows = tuple(_rows(results)) if listed else ()
    return RunResult(state, f"{cases}: {', '.join(counts)}" if results else "no case", causes, rows)


def _rows(results: Sequence[CaseResult]) -> Iterator[CasesOfVerdict]:
    for verdict in Verdict:
        if verdict in CONFORMANCE_FAILURES:
            continue
        stems: dict[str, list[str]] = {}
        for result in results:
            if result.verdict is verdict:
                stem, bracket, row = printable(result.case.id).partition("[")
                stems.setdefault(stem, []).append(bracket + row)
        if stems:
            listed = tuple((stem, tuple(row for row in rows if row)) for stem, rows in stems.items())
            yield CasesOfVerdict(verdict, sum(map(len, stems.values())), listed)


def _sections(entries: Iterable[Entry]) -> tuple[Section, ...]:
    sections: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.states != (_UNCOVERED,):
            sections.setdefault(entry.requirement.section, []).append(entry)
    return tuple(Section(name, tuple(found)) for name, found in sections.items())

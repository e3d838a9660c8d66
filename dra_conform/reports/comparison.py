"""Comparison of several runs: totals, areas, and the state of each requirement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dra_conform.conformance.requirement import Requirement
from dra_conform.kube.printable import printable
from dra_conform.reports import figures
from dra_conform.reports.figures import RequirementState, Shown
from dra_conform.reports.headline import Headline, headline
from dra_conform.reports.runs import Run


@dataclass(frozen=True, slots=True)
class Total:
    """One run as a row: who, by what profile, its figures, and how many cases fail."""

    name: str
    profile: str
    headline: Headline
    failed: int


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """A requirement with its state in each run."""

    requirement: Requirement
    states: tuple[RequirementState, ...]

    @property
    def differs(self) -> bool:
        return len(set(self.states)) > 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """`areas` have `passed/covered` of each run, `-` where it covers none; `rows` are what some run shows."""

    totals: tuple[Total, ...]
    areas: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[RequirementRow, ...]

    @property
    def differences(self) -> tuple[RequirementRow, ...]:
        return tuple(row for row in self.rows if row.differs)

    @property
    def by_document(self) -> Mapping[str, tuple[RequirementRow, ...]]:
        found: dict[str, list[RequirementRow]] = {}
        for row in self.rows:
            found.setdefault(row.requirement.document, []).append(row)
        return {document: tuple(rows) for document, rows in found.items()}


def compare(runs: Sequence[Run]) -> Comparison:
    """The runs side by side, in their order."""
    shown = [{row.requirement.id: row for row in figures.shown(run)} for run in runs]
    names = list(dict.fromkeys(name for rows in shown for name in rows))
    areas = dict.fromkeys(name.rpartition("/")[0] for name in names)
    counted = [(area, tuple(_passed(rows, area) for rows in shown)) for area in areas]
    rows = [_row(name, shown) for name in names]
    return Comparison(
        totals=tuple(
            Total(
                printable(run.name),
                run.started.profile,
                headline(run, rows.values()),
                len(figures.failures(run.results)),
            )
            for run, rows in zip(runs, shown, strict=True)
        ),
        areas=tuple((area, cells) for area, cells in counted if set(cells) != {"-"}),
        rows=tuple(row for row in rows if set(row.states) != {RequirementState.UNCOVERED}),
    )


def _row(name: str, shown: Sequence[Mapping[str, Shown]]) -> RequirementRow:
    requirement = next(rows[name].requirement for rows in shown if name in rows)
    states = (rows[name].state if name in rows else RequirementState.UNCOVERED for rows in shown)
    return RequirementRow(requirement, tuple(states))


def _passed(rows: Mapping[str, Shown], area: str) -> str:
    tally = figures.tally(row for name, row in rows.items() if name.rpartition("/")[0] == area)
    return f"{tally.passed}/{tally.covered}" if tally.covered else "-"

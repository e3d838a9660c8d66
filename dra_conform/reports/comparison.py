"""The comparison of several runs, as values, as plain text and in Markdown: headline figures, requirements by
area, and the state of each requirement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.conformance.requirement import Requirement
from dra_conform.kube.printable import printable
from dra_conform.reports import figures
from dra_conform.reports.figures import RequirementResults, RequirementState
from dra_conform.reports.headline import Headline, headline
from dra_conform.reports.markdown_text import code, escaped
from dra_conform.reports.runs import Run


@dataclass(frozen=True, slots=True)
class Total:
    """The totals of one run: implementation, profile, headline figures, and the number of failed cases."""

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
        """Whether the requirement has different states in the runs."""
        return len(set(self.states)) > 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several runs compared.

    `areas` has `passed/covered` requirements for each run, `-` if the run covers none. `rows` has the
    requirements that at least one run covers.
    """

    totals: tuple[Total, ...]
    areas: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[RequirementRow, ...]

    @property
    def differences(self) -> tuple[RequirementRow, ...]:
        """Return the requirements with different states."""
        return tuple(row for row in self.rows if row.differs)

    @property
    def by_document(self) -> Mapping[str, tuple[RequirementRow, ...]]:
        """Return the requirements by document, in the order of first appearance."""
        by_document: dict[str, list[RequirementRow]] = {}
        for row in self.rows:
            by_document.setdefault(row.requirement.document, []).append(row)
        return {document: tuple(rows) for document, rows in by_document.items()}


def compare(runs: Sequence[Run]) -> Comparison:
    """Compare runs, in the given order."""
    by_id = [{row.requirement.id: row for row in figures.requirement_results(run)} for run in runs]
    names = list(dict.fromkeys(name for rows in by_id for name in rows))
    areas = dict.fromkeys(map(figures.area_of, names))
    counted = [(area, tuple(_passed(rows, area) for rows in by_id)) for area in areas]
    rows = [_row(name, by_id) for name in names]
    return Comparison(
        totals=tuple(
            Total(
                printable(run.name),
                run.started.profile,
                headline(run, rows.values()),
                len(figures.failures(run.results)),
            )
            for run, rows in zip(runs, by_id, strict=True)
        ),
        areas=tuple((area, cells) for area, cells in counted if set(cells) != {"-"}),
        rows=tuple(row for row in rows if set(row.states) != {RequirementState.UNCOVERED}),
    )


def _row(name: str, by_id: Sequence[Mapping[str, RequirementResults]]) -> RequirementRow:
    requirement = next(rows[name].requirement for rows in by_id if name in rows)
    states = (rows[name].state if name in rows else RequirementState.UNCOVERED for rows in by_id)
    return RequirementRow(requirement, tuple(states))


def _passed(rows: Mapping[str, RequirementResults], area: str) -> str:
    tally = figures.tally(row for name, row in rows.items() if figures.area_of(name) == area)
    return f"{tally.passed}/{tally.covered}" if tally.covered else "-"


_WORDS = {RequirementState.UNCOVERED: "-"}


def matrix_lines(runs: Sequence[Run]) -> Iterator[str]:
    """Yield tables with a column for each run: headline, requirements by area, differing requirements.

    Columns are numbered, and the numbered runs are listed first.
    """
    comparison = compare(runs)
    for number, total in enumerate(comparison.totals, 1):
        yield f"  [{number}] {total.name}, profile {total.profile}"
    shares = [total.headline.shares for total in comparison.totals]
    figures = [
        (of_name[0].name.lower(), [share.figure for share in of_name])
        for of_name in zip(*shares, strict=True)
    ]
    figures.append(("failed cases", [str(total.failed) for total in comparison.totals]))
    different = [
        (row.requirement.id, [_word(state) for state in row.states]) for row in comparison.differences
    ]
    width = max(len(first) for first, _ in (*figures, *comparison.areas, *different))
    for title, rows in (
        ("", figures),
        ("passed of covered, by area", comparison.areas),
        ("requirements that differ", different),
    ):
        if rows:
            yield ""
            yield from _text_table(title, rows, width, len(runs))


def _text_table(
    title: str, rows: Sequence[tuple[str, Sequence[str]]], width: int, count: int
) -> Iterator[str]:
    yield f"  {title:{width}}" + "".join(f"  {f'[{number}]':>11}" for number in range(1, count + 1))
    for first, cells in rows:
        yield f"  {printable(first):{width}}" + "".join(f"  {cell:>11}" for cell in cells)


def _word(state: RequirementState) -> str:
    return _WORDS.get(state, state.value)


def comparison_tables(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the comparison tables, with a column for each implementation."""
    comparison = compare(runs)
    shares = [share.name for share in comparison.totals[0].headline.shares]
    yield from _markdown_table(
        f"{len(runs)} implementations",
        ["implementation", "profile", *map(str.lower, shares), "failed"],
        [
            [
                escaped(total.name),
                escaped(total.profile),
                *(share.figure for share in total.headline.shares),
                str(total.failed),
            ]
            for total in comparison.totals
        ],
        left=2,
    )
    names = [escaped(total.name) for total in comparison.totals]
    areas = [[escaped(area), *cells] for area, cells in comparison.areas]
    yield from _markdown_table("Passed of covered requirements, by area", ["area", *names], areas, left=1)
    differing = [[code(row.requirement.id), *row.states] for row in comparison.differences]
    if differing:
        yield from _markdown_table(
            "Requirements that differ", ["requirement", *names], differing, left=len(names) + 1
        )


def _markdown_table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, left: int
) -> Iterator[str]:
    """Yield a table with a heading; the columns after the first `left` ones are right-aligned."""
    yield f"## {title}"
    yield ""
    yield f"| {' | '.join(head)} |"
    yield "|" + "".join("---|" if at < left else "--:|" for at in range(len(head)))
    yield from (f"| {' | '.join(cells)} |" for cells in rows)
    yield ""

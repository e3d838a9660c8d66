"""Several implementations side by side in plain text: areas as counts, then requirements that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.kube.printable import printable
from dra_conform.reports import figures
from dra_conform.reports.figures import RequirementState, Shown
from dra_conform.reports.runs import Run

_WORDS = {RequirementState.UNCOVERED: "-"}


def matrix_lines(runs: Sequence[Run]) -> Iterator[str]:
    """A table with a column for each run: passed of covered requirements by area, and each requirement whose
    state is not the same everywhere. Numbers stand for the implementations, which are listed first."""
    rows = [{row.requirement.id: row for row in figures.shown(run)} for run in runs]
    for number, run in enumerate(runs, 1):
        yield f"  [{number}] {printable(run.name)}, profile {run.started.profile}"
    names = list(dict.fromkeys(name for one in rows for name in one))
    areas = list(dict.fromkeys(name.rpartition("/")[0] for name in names))
    cells = [(area, [_passed(one, area) for one in rows]) for area in areas]
    covered = [(area, counts) for area, counts in cells if any(count != "-" for count in counts)]
    different = [
        (name, states) for name in names if len(set(states := [_state(one.get(name)) for one in rows])) > 1
    ]
    width = max((len(first) for first, _ in (*covered, *different)), default=0)
    yield ""
    yield from _table("passed of covered, by area", covered, width, len(runs))
    if different:
        yield ""
        yield from _table("requirements that differ", different, width, len(runs))


def _table(title: str, rows: Sequence[tuple[str, Sequence[str]]], width: int, count: int) -> Iterator[str]:
    yield f"  {title:{width}}" + "".join(f"  {f'[{number}]':>11}" for number in range(1, count + 1))
    for first, cells in rows:
        yield f"  {printable(first):{width}}" + "".join(f"  {cell:>11}" for cell in cells)


def _passed(rows: dict[str, Shown], area: str) -> str:
    tally = figures.tally(row for name, row in rows.items() if name.rpartition("/")[0] == area)
    return f"{tally.passed}/{tally.covered}" if tally.covered else "-"


def _state(row: Shown | None) -> str:
    state = RequirementState.UNCOVERED if row is None else row.state
    return _WORDS.get(state, state.value)

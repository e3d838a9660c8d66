"""The comparison of several implementations as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.kube.printable import printable
from dra_conform.reports.comparison import compare
from dra_conform.reports.figures import RequirementState
from dra_conform.reports.runs import Run

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
            yield from _table(title, rows, width, len(runs))


def _table(title: str, rows: Sequence[tuple[str, Sequence[str]]], width: int, count: int) -> Iterator[str]:
    yield f"  {title:{width}}" + "".join(f"  {f'[{number}]':>11}" for number in range(1, count + 1))
    for first, cells in rows:
        yield f"  {printable(first):{width}}" + "".join(f"  {cell:>11}" for cell in cells)


def _word(state: RequirementState) -> str:
    return _WORDS.get(state, state.value)

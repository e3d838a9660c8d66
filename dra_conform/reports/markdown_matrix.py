"""The comparison of several implementations in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.reports.comparison import compare
from dra_conform.reports.markdown_text import code, escaped
from dra_conform.reports.runs import Run


def comparison_tables(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the comparison tables, with a column for each implementation."""
    comparison = compare(runs)
    shares = [share.name for share in comparison.totals[0].headline.shares]
    yield from _table(
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
    yield from _table("Passed of covered requirements, by area", ["area", *names], areas, left=1)
    differing = [[code(row.requirement.id), *row.states] for row in comparison.differences]
    if differing:
        yield from _table("Requirements that differ", ["requirement", *names], differing, left=len(names) + 1)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> Iterator[str]:
    """Yield a table with a heading; the columns after the first `left` ones are right-aligned."""
    yield f"## {title}"
    yield ""
    yield f"| {' | '.join(head)} |"
    yield "|" + "".join("---|" if at < left else "--:|" for at in range(len(head)))
    yield from (f"| {' | '.join(cells)} |" for cells in rows)
    yield ""

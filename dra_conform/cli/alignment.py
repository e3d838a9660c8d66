"""Aligned tables on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def aligned(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table; each column is as wide as its longest cell."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

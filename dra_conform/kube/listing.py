"""Lists, counts and tables in messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

_MOST = 4
_LONGEST = 40
_ROW = re.compile(r"\s*\|(?:[^\\|]*\|)+\s*")
"""The pattern of a table row without escaped bars."""


def listed(names: Sequence[str]) -> str:
    """Return the names as `a, b`, or as `a, b, c and 97 more` if there are more than four names."""
    if len(names) <= _MOST:
        return ", ".join(names)
    return f"{', '.join(names[: _MOST - 1])} and {len(names) - _MOST + 1} more"


def quoted(text: str) -> str:
    """Return a text in quotes; of more than 40 characters the first, with dots after the quotes."""
    return repr(text) if len(text) <= _LONGEST else f"{text[:_LONGEST]!r}..."


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as `1 device`, `2,000 devices` or `2 DeviceClasses`."""
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def aligned_tables(lines: Sequence[str]) -> list[str]:
    """Align the columns of successive table rows such as `| a | b |`; other lines stay unchanged."""
    aligned: list[str] = []
    for is_table, group in groupby(lines, key=lambda line: _ROW.fullmatch(line) is not None):
        rows = list(group)
        aligned += _aligned(rows) if is_table else rows
    return aligned


def _aligned(rows: list[str]) -> list[str]:
    cells = [[cell.strip() for cell in row.strip()[1:-1].split("|")] for row in rows]
    if len({len(row) for row in cells}) != 1:
        return rows
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    padded = [" | ".join(map(str.ljust, row, widths)) for row in cells]
    indents = [row[: len(row) - len(row.lstrip())] for row in rows]
    return [f"{indent}| {row} |" for indent, row in zip(indents, padded, strict=True)]

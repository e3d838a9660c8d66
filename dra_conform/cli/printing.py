"""Printing of text from manifests, suites and arguments, with control characters escaped, and of tables."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, cast

from dra_conform.kube.printable import PrintableStream


def print_notes(notes: Sequence[str]) -> None:
    """Print the notes on stderr."""
    print("\n".join(notes), end="\n" if notes else "", file=sys.stderr)


@contextlib.contextmanager
def printable_streams() -> Iterator[None]:
    """Escape control characters in everything that is printed inside this context."""
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names in manifests can contain any character
    sys.stdout, sys.stderr = (cast("TextIO", PrintableStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def aligned(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table; each column is as wide as its longest cell."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

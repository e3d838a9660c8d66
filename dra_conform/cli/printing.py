"""Printing: text from manifests, suites and arguments with control characters escaped, tables, and a progress
line on stderr."""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic
from typing import Any, TextIO, cast

from dra_conform.kube.printable import PrintableStream, printable, unfiltered


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
    out, err = map(_without_commands, before)
    sys.stdout = cast("TextIO", PrintableStream(out))
    sys.stderr = cast("TextIO", _Diagnostics(err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _without_commands(stream: TextIO) -> TextIO:
    """Return a stream for the log of a GitHub Actions job, and any other stream as it is."""
    is_log = os.environ.get("GITHUB_ACTIONS") == "true" and not _is_file(stream)
    return cast("TextIO", WorkflowLog(stream)) if is_log else stream


def _is_file(stream: TextIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, AttributeError):
        return False


_COMMAND = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE)


class WorkflowLog:
    """A wrapper of the log of a GitHub Actions job that escapes commands in what is printed.

    The runner obeys a line such as `::add-mask::x`, also an indented one, and `##[error]` anywhere. Messages
    of implementations and strings of suites must not control the job.
    """

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw
        self._blank = True
        """Whether the current line, which may be written in parts, is blank so far."""

    def write(self, text: str) -> int:
        before = "" if self._blank else "-"
        safe = _COMMAND.sub(r"\1\\x3a", before + text)[len(before) :]
        self.raw.write(safe.replace("##[", "#\\u0023["))
        self._blank = (self._blank or "\n" in text) and not text.rpartition("\n")[2].strip()
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


class _Diagnostics(PrintableStream):
    """Standard error. What cannot be written, as on a full disk, is dropped: it is not the result."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            raise
        except OSError:
            discard_if_stuck(self.raw)
            return len(text)


def discard_if_stuck(stream: TextIO) -> None:
    """Flush the stream. If that fails, discard its output, so that Python does not flush it at exit."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def aligned(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table; each column is as wide as its longest cell."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


_EVERY = 0.1
_EVERY_IN_FILES = 60.0
"""Seconds between two lines: on a terminal, which overwrites them, and in a file."""


class ProgressLine:
    """A live line on a terminal, otherwise one line each minute, so that short commands print no progress."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._stream = unfiltered(stream or sys.stderr)
        self._live = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._clock = clock
        self._next = clock() + (_EVERY if self._live else _EVERY_IN_FILES)
        self._drawn = False

    def __call__(self, what: str, done: int, total: int) -> None:
        """Print the progress: `done` of `total`."""
        if self._clock() < self._next:
            return
        self._next = self._clock() + (_EVERY if self._live else _EVERY_IN_FILES)
        line = printable(f"{what}: {done:,} of {total:,}")
        self._write(f"\r\x1b[2K{line}" if self._live else f"{line}\n")
        self._drawn = True

    def begin(self, what: str) -> None:
        """Print at once what begins, if the line is live."""
        if self._live:
            self._write(f"\r\x1b[2K{printable(what)}")
            self._drawn = True

    def close(self) -> None:
        """Erase the live line."""
        if self._live and self._drawn:
            self._write("\r\x1b[2K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

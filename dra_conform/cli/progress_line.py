"""A progress line on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO

_EVERY = 0.1
_EVERY_IN_FILES = 60.0
"""Seconds between two lines: on a terminal, which overwrites them, and in a file."""


class ProgressLine:
    """A live line on a terminal, otherwise one line each minute, so that short commands print no progress."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._clock = clock
        self._next = clock() + (_EVERY if self._live else _EVERY_IN_FILES)
        self._drawn = False

    def __call__(self, what: str, done: int, total: int) -> None:
        """Print the progress: `done` of `total`."""
        if self._clock() < self._next:
            return
        self._next = self._clock() + (_EVERY if self._live else _EVERY_IN_FILES)
        line = f"{what}: {done:,} of {total:,}"
        self._write(f"\r\x1b[2K{line}" if self._live else f"{line}\n")
        self._drawn = True

    def begin(self, what: str) -> None:
        """Print at once what begins, if the line is live."""
        if self._live:
            self._write(f"\r\x1b[2K{what}")
            self._drawn = True

    def close(self) -> None:
        """Erase the live line."""
        if self._live and self._drawn:
            self._write("\r\x1b[2K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

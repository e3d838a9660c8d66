"""Colours of the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, Verdict
from dra_conform.reports.diff import Line

_MARKS = {"-": "31", "+": "32"}


@dataclass(frozen=True, slots=True)
class Style:
    """Colours for text on a terminal; if `on` is false, all methods return the text unchanged."""

    on: bool

    def strong(self, text: str) -> str:
        return self._painted("1", text)

    def faint(self, text: str) -> str:
        return self._painted("2", text)

    def verdict(self, verdict: Verdict, text: str) -> str:
        if verdict is Verdict.PASS:
            return self._painted("32", text)
        return self._painted("31" if verdict in CONFORMANCE_FAILURES else "33", text)

    def diff(self, line: Line) -> str:
        """Return a line of a diff after its mark, with the colour of the mark."""
        text = f"{line.mark} {line.text}"
        return self._painted(_MARKS[line.mark], text) if line.mark in _MARKS else text

    def _painted(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on else text

"""A failure as lines of text with colours, for the terminal and for pytest."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.printable import printable
from dra_conform.reports import failure_explanation, figures
from dra_conform.reports.diff import Line
from dra_conform.reports.failure_explanation import Again, manifests

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


WIDTH = 100
LOG_LINES = 20
MANIFEST_LINES = 60


def failure_lines(
    result: CaseResult, catalogue: Iterable[Requirement], again: Again | None = None
) -> list[str]:
    """Return a failure as plain lines of at most 100 columns; diff lines keep their width."""
    known = {requirement.id: requirement for requirement in catalogue}
    return list(lines(result, known, Style(on=False), again or Again()))


def lines(
    result: CaseResult, catalogue: Mapping[str, Requirement], style: Style, again: Again
) -> Iterator[str]:
    """Return a failure for a terminal: requirements, case, setup, diff, findings, reasons, command."""
    explanation = failure_explanation.explain_failure(result, catalogue, again)
    for name in figures.cited(result):
        requirement = catalogue.get(name)
        level = f" ({requirement.level})" if requirement else ""
        first, *others = wrapped(f"{printable(name)}{level}", "")
        yield style.strong(first)
        yield from others
        if requirement:
            yield from wrapped(printable(requirement.statement), "  ")
            yield from (f"  {style.faint(line)}" for line in failure_explanation.source_lines(requirement))
    yield ""
    verdict = style.verdict(result.verdict, explanation.verdict)
    yield from wrapped(
        f"{verdict}  {explanation.case}", "  ", WIDTH + len(verdict) - len(explanation.verdict)
    )
    if explanation.rule:
        yield from wrapped(f"Rule: {explanation.rule}", "  ")
    yield from wrapped(explanation.title, "  ")
    yield f"  {style.faint(explanation.source)}"
    if explanation.deviation:
        yield from wrapped(explanation.deviation, "  ")
    yield from _block(style, "setup", explanation.given, wrap=False)
    yield from _block(style, "when", explanation.when, wrap=False)
    if explanation.diff.lines:
        title = "expected (-) and actual (+)" if explanation.diff else "actual"
        yield from _block(style, title, (style.diff(line) for line in explanation.diff.lines), wrap=False)
        if explanation.diff.paths:
            yield from wrapped("differs at " + ", ".join(explanation.diff.paths), "    ")
    yield from _block(style, "what happened", explanation.detail.split("\n") if explanation.detail else ())
    yield from _block(style, "findings", explanation.findings)
    yield from _block(style, "why: decisions of the built-in allocator", explanation.why)
    yield from _block(
        style, "log (last lines)", explanation.log.split("\n")[-LOG_LINES:] if explanation.log else ()
    )
    if any(line.startswith("Given the fixture ") for line in explanation.given):
        yield from _block(
            style, "setup as manifests", _first_lines(manifests(result.case), explanation.case), wrap=False
        )
    yield f"  {style.faint('run again')}"
    yield f"    {explanation.command}"


def _first_lines(text: str, case: str) -> list[str]:
    shown = printable(text).split("\n")
    if len(shown) <= MANIFEST_LINES:
        return shown
    rest = len(shown) - MANIFEST_LINES
    return [*shown[:MANIFEST_LINES], f"# {rest} more lines: dra-conform show --manifests '{case}'"]


def _block(style: Style, title: str, lines: Iterable[str], *, wrap: bool = True) -> Iterator[str]:
    first = True
    for line in lines:
        if first:
            yield f"  {style.faint(title)}"
            first = False
        if wrap or (len(line) > WIDTH - 4 and "\n" not in line):
            yield from wrapped(line, "    ")
        else:
            yield from (f"    {part}" for part in line.split("\n"))


def wrapped(text: str, indent: str, width: int = WIDTH) -> list[str]:
    """Wrap and indent the lines of a text; each line keeps its own indentation."""
    lines: list[str] = []
    for line in text.split("\n"):
        own = indent + line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(
            line.strip(),
            width,
            initial_indent=own,
            subsequent_indent=" " * len(own) + "  ",
            break_on_hyphens=False,
        ) or [""]
    return lines

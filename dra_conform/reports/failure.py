"""A failure as text lines, for the terminal and for pytest."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.printable import printable
from dra_conform.reports import failure_explanation
from dra_conform.reports.manifests import manifests
from dra_conform.reports.style import Style

WIDTH = 100
LOG_LINES = 20
MANIFEST_LINES = 60


def failure_lines(result: CaseResult, catalogue: Iterable[Requirement], spec: str = "") -> list[str]:
    """A failure as plain lines of at most 100 columns (a diff keeps its own width)."""
    return list(lines(result, {one.id: one for one in catalogue}, Style(on=False), spec))


def lines(
    result: CaseResult, catalogue: Mapping[str, Requirement], style: Style, spec: str = ""
) -> Iterator[str]:
    """A failure for a terminal: requirement, case, given, diff, findings, why, and how to run it again.

    `spec` is how the implementation is named on the command line.
    """
    told = failure_explanation.tell(result, catalogue, spec)
    for name in result.case.requirements:
        requirement = catalogue.get(name)
        level = f" ({requirement.level})" if requirement else ""
        yield style.strong(printable(name)) + level
        if requirement:
            yield from wrapped(printable(requirement.statement), "  ")
            yield from (f"  {style.faint(line)}" for line in failure_explanation.where(requirement))
    yield ""
    yield f"  {style.verdict(result.verdict, told.verdict)}  {told.case}"
    if told.rule:
        yield from wrapped(f"Rule: {told.rule}", "  ")
    yield from wrapped(told.title, "  ")
    yield f"  {style.faint(told.source)}"
    if told.departure:
        yield from wrapped(told.departure, "  ")
    yield from _block(style, "given", told.given, wrap=False)
    if any(line.startswith("Given the fixture ") for line in told.given):
        yield from _block(style, "as manifests", _beginning(manifests(result.case), told.case), wrap=False)
    yield from _block(style, "when", told.when)
    if told.diff.lines:
        title = "expected (-) and actual (+)" if told.diff else "actual"
        yield from _block(style, title, (style.diff(line) for line in told.diff.lines), wrap=False)
        if told.diff.paths:
            yield from wrapped("differs at " + ", ".join(told.diff.paths), "    ")
    yield from _block(style, "what happened", told.detail.split("\n") if told.detail else ())
    yield from _block(style, "findings", told.findings)
    yield from _block(style, "why, as the built-in allocator sees it", told.why)
    yield from _block(style, "log (its end)", told.log.split("\n")[-LOG_LINES:] if told.log else ())
    yield f"  {style.faint('again')}"
    yield f"    {told.command}"


def _beginning(applied: str, case: str) -> list[str]:
    told = printable(applied).split("\n")
    if len(told) <= MANIFEST_LINES:
        return told
    rest = len(told) - MANIFEST_LINES
    return [*told[:MANIFEST_LINES], f"# and {rest} more lines: dra-conform show --manifests '{case}'"]


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


def wrapped(text: str, indent: str) -> list[str]:
    """The lines of a text, wrapped and indented; what a line is indented by itself stays."""
    found: list[str] = []
    for line in text.split("\n"):
        own = indent + line[: len(line) - len(line.lstrip())]
        found += textwrap.wrap(
            line.strip(), WIDTH, initial_indent=own, subsequent_indent=own + "  ", break_on_hyphens=False
        ) or [""]
    return found

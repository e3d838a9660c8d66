"""The explanation of one failure, the same for every output: question, answer, and reason."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dra_conform.conformance.case import Case
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult, Finding
from dra_conform.kube.printable import printable
from dra_conform.kube.profile import KEP
from dra_conform.reports import diff
from dra_conform.reports.diff import Diff
from dra_conform.reports.recorded_results import verdict_text

_ROW = re.compile(r"\s*\|(?:[^\\|]*\|)+\s*")
"""A line of a table, in which no cell escapes a bar."""


@dataclass(frozen=True, slots=True)
class Story:
    """A failure in words. Every text is printable; empty parts have nothing to tell."""

    case: str
    title: str
    source: str
    verdict: str
    requirements: tuple[Requirement, ...]
    given: tuple[str, ...]
    rule: str
    when: tuple[str, ...]
    scenario: tuple[str, ...]
    """All steps in their order: what is given, then each act with what must follow."""
    diff: Diff
    findings: tuple[str, ...]
    why: tuple[str, ...]
    detail: str
    log: str
    departure: str
    command: str
    """What puts the case to the implementation again."""


UNNAMED = "IMPLEMENTATION"
"""Stands for an implementation of which nobody says how it is named on a command line."""


def tell(
    result: CaseResult, catalogue: Mapping[str, Requirement], spec: str = "", *, with_paths: bool = True
) -> Story:
    """The story of a result with the texts of its requirements; `spec` is how the implementation is named."""
    case = result.case
    steps = case.steps(result.profile)
    return Story(
        case=printable(case.id),
        title=printable(case.title),
        source=printable(str(case.source)),
        verdict=verdict_text(result),
        requirements=tuple(_printable(catalogue[name]) for name in case.requirements if name in catalogue),
        given=tuple(map(_step, case.given)),
        rule=printable(case.rule),
        when=tuple(map(printable, _when(case))),
        scenario=tuple(map(_step, _scenario(case, steps))),
        diff=diff.of(result, with_paths=with_paths),
        findings=tuple(_finding(finding, steps) for finding in result.findings),
        why=tuple(printable(line) for line in result.why),
        detail=printable(result.detail),
        log=printable(result.log).rstrip(),
        departure=printable(_departure(result)),
        command=printable(again(result, spec)),
    )


def again(result: CaseResult, spec: str = "") -> str:
    """The command that puts a case to an implementation again."""
    name, asked_again, _ = result.case.id.partition(" (")
    words = ["dra-conform", "run", "-i", spec or UNNAMED]
    if result.profile != KEP:
        words += ["--profile", result.profile]
    words += ["--ask-again"] if asked_again else []
    return shlex.join([*words, "--select", f"id:{name}"])


def _departure(result: CaseResult) -> str:
    if not result.departure:
        return ""
    if result.as_documented:
        return f"You do what the document says; {result.profile} does not: {result.departure}"
    return f"Judged by what {result.profile} does, which the document does not say: {result.departure}"


def headline(result: CaseResult) -> str:
    """What is wrong in one line."""
    first = result.findings[0].message if result.findings else result.detail
    line = printable(first).strip().split("\n", 1)[0]
    return line if len(line) <= 300 else f"{line[:297]}..."


def _printable(one: Requirement) -> Requirement:
    statement, reading = printable(one.statement), printable(one.reading)
    return replace(one, id=printable(one.id), statement=statement, reading=reading)


def _when(case: Case) -> tuple[str, ...]:
    """The question of a single act; what is asked at each act of a longer story."""
    if len(case.acts) == 1:
        return (OPERATIONS[case.operation].question(case.ask),)
    return tuple(act.words for act in case.acts)


def _scenario(case: Case, steps: Sequence[Sequence[str]]) -> Iterator[str]:
    yield from case.given
    for act, of_act in zip(case.acts, steps, strict=True):
        yield act.words
        yield from of_act


def _step(text: str) -> str:
    """A step whose table, if it has one, is aligned."""
    return "\n".join(aligned_table([printable(line) for line in text.split("\n")]))


def aligned_table(lines: Sequence[str]) -> list[str]:
    """Lines in which the columns of `| a | b |` are of one width; other lines stay as they are."""
    rows = {at: line.strip()[1:-1].split("|") for at, line in enumerate(lines) if _ROW.fullmatch(line)}
    if len({len(cells) for cells in rows.values()}) != 1:
        return list(lines)
    widths = [max(len(cell.strip()) for cell in column) for column in zip(*rows.values(), strict=True)]
    told = list(lines)
    for at, cells in rows.items():
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        padded = (f"{cell.strip():{width}}" for cell, width in zip(cells, widths, strict=True))
        told[at] = f"{indent}| {' | '.join(padded)} |"
    return told


def _finding(finding: Finding, steps: Sequence[Sequence[str]]) -> str:
    """The finding, with its act where there are several, and its step where it has one."""
    of_act = steps[finding.act] if finding.act < len(steps) else ()
    where = [f"act {finding.act + 1}"] if len(steps) > 1 else []
    if finding.step is not None and finding.step < len(of_act):
        first_line = of_act[finding.step].split("\n", 1)[0]
        where.append(f"step: {first_line}")
    told = f" (in {', '.join(where)})" if where else ""
    return printable(f"{finding.rule}: {finding.message}{told}")


def requirement_lines(one: Requirement) -> Iterator[str]:
    """A requirement for outputs that hold text: what the document says, and where."""
    yield f"{printable(one.id)} ({one.level}): {printable(one.statement)}"
    yield from (f"  {line}" for line in where(one))


def where(one: Requirement) -> Iterator[str]:
    """Where a requirement stands: document and section, and in a line of its own the address."""
    yield printable(", ".join(part for part in (one.document, one.section) if part))
    if one.link:
        yield printable(one.link)


def as_text(story: Story) -> str:
    """The story as plain text under headings, for outputs that hold text."""
    parts = [f"{story.case} ({story.source})", *([f"Rule: {story.rule}"] if story.rule else []), story.title]
    parts += [line for one in story.requirements for line in requirement_lines(one)]
    if story.departure:
        parts.append(story.departure)
    if story.detail:
        parts.append(story.detail)
    blocks = (
        ("given", "\n".join(story.given)),
        ("when", "\n".join(story.when)),
        ("expected (-) and actual (+)", str(story.diff)),
        ("findings", "\n".join(story.findings)),
        ("why, as the built-in allocator sees it", "\n".join(story.why)),
        ("log", story.log),
    )
    for title, body in blocks:
        if body:
            parts += ["", f"{title}:", *(f"  {line}" for line in body.split("\n"))]
    parts += ["", f"again: {story.command}"]
    return "\n".join(parts)

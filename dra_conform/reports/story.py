"""The story of one failure, the same for every output: what was asked, what came, and why it is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dra_conform.conformance.case import Case
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult, Finding
from dra_conform.kube.printable import printable
from dra_conform.reports import diff
from dra_conform.reports.diff import Diff


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
    then: tuple[str, ...]
    diff: Diff
    findings: tuple[str, ...]
    why: tuple[str, ...]
    detail: str
    log: str
    departure: str


def verdict_text(result: CaseResult) -> str:
    """The verdict, and the kind of a failure: `fail: wrong-result`."""
    return f"{result.verdict}: {result.kind}" if result.kind else str(result.verdict)


def tell(result: CaseResult, catalogue: Mapping[str, Requirement], *, with_paths: bool = True) -> Story:
    """The story of a result, with the texts of its requirements."""
    case = result.case
    steps = case.steps(result.profile)
    return Story(
        case=printable(case.id),
        title=printable(case.title),
        source=printable(str(case.source)),
        verdict=verdict_text(result),
        requirements=tuple(_printable(catalogue[name]) for name in case.requirements if name in catalogue),
        given=tuple(printable(line) for line in case.given),
        rule=printable(case.rule),
        when=tuple(map(printable, _when(case))),
        then=tuple(printable(step) for of_act in steps for step in of_act),
        diff=diff.of(result, with_paths=with_paths),
        findings=tuple(_finding(finding, steps) for finding in result.findings),
        why=tuple(printable(line) for line in result.why),
        detail=printable(result.detail),
        log=printable(result.log).rstrip(),
        departure=printable(result.departure),
    )


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


def _finding(finding: Finding, steps: Sequence[Sequence[str]]) -> str:
    """The finding, with its act where there are several, and its step where it has one."""
    of_act = steps[finding.act] if finding.act < len(steps) else ()
    where = [f"act {finding.act + 1}"] if len(steps) > 1 else []
    if finding.step is not None and finding.step < len(of_act):
        first_line = of_act[finding.step].split("\n", 1)[0]
        where.append(f"step: {first_line}")
    told = f" (in {', '.join(where)})" if where else ""
    return printable(f"{finding.rule}: {finding.message}{told}")


def as_text(story: Story) -> str:
    """The story as plain text under headings, for outputs that hold text."""
    parts = [f"{story.case} ({story.source})", *([f"Rule: {story.rule}"] if story.rule else []), story.title]
    parts += [f"{one.id}: {one.statement}" for one in story.requirements]
    if story.departure:
        parts.append(f"expectation departs from the document: {story.departure}")
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
    return "\n".join(parts)

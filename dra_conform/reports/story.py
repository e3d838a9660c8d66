"""The story of one failure, the same for every output: what was asked, what came, and why it is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult, Finding
from dra_conform.reports import diff
from dra_conform.reports.diff import Diff
from dra_conform.reports.printable import printable


@dataclass(frozen=True, slots=True)
class Story:
    """A failure in words. Every text is printable; empty parts have nothing to tell."""

    case: str
    title: str
    source: str
    verdict: str
    requirements: tuple[Requirement, ...]
    given: tuple[str, ...]
    when: str
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
    expectation = case.expected(result.profile)[0]
    return Story(
        case=printable(case.id),
        title=printable(case.title),
        source=str(case.source),
        verdict=verdict_text(result),
        requirements=tuple(catalogue[name] for name in case.requirements if name in catalogue),
        given=tuple(printable(line) for line in case.given),
        when=printable(_when(case.action.operation, case.action.ask)),
        then=tuple(printable(step) for step in expectation.steps),
        diff=diff.of(result, with_paths=with_paths),
        findings=tuple(_finding(finding, expectation.steps) for finding in result.findings),
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


def _when(operation: str, ask: Mapping[str, object]) -> str:
    if operation != "allocate":
        return operation
    claims = ask.get("claims")
    names = ", ".join(map(str, claims)) if isinstance(claims, (list, tuple)) else str(claims)
    node = ask.get("node")
    return f"allocate {names}" + (f" on {node}" if node else "")


def _finding(finding: Finding, steps: tuple[str, ...]) -> str:
    if finding.step is None or finding.step >= len(steps):
        return printable(f"{finding.rule}: {finding.message}")
    step = steps[finding.step].split("\n", 1)[0]
    return printable(f"{finding.rule}: {finding.message} (in step: {step})")


def as_text(story: Story) -> str:
    """The story as plain text under headings, for outputs that hold text."""
    parts = [f"{story.case} ({story.source})", story.title]
    parts += [f"{one.id}: {printable(one.statement)}" for one in story.requirements]
    if story.departure:
        parts.append(f"expectation departs from the document: {story.departure}")
    if story.detail:
        parts.append(story.detail)
    blocks = (
        ("given", "\n".join(story.given)),
        ("when", story.when),
        ("expected (-) and actual (+)", str(story.diff)),
        ("findings", "\n".join(story.findings)),
        ("why, as the built-in allocator sees it", "\n".join(story.why)),
        ("log", story.log),
    )
    for title, body in blocks:
        if body:
            parts += ["", f"{title}:", *(f"  {line}" for line in body.split("\n"))]
    return "\n".join(parts)

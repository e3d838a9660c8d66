"""The failures in the HTML report, grouped by cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.printable import printable
from dra_conform.reports import failure_explanation, figures
from dra_conform.reports.causes import Cause, causes, first_requirement
from dra_conform.reports.failure_explanation import Story
from dra_conform.reports.manifests import manifests
from dra_conform.reports.runs import Run

LOG = 2_000
WHY = 60
DIFF = 400
MANIFESTS = 12_000
REASON = 160
SHOWN_REQUIREMENTS = 5


@dataclass(frozen=True, slots=True)
class FailureEntry:
    """One failing case. `reason` and `title` are empty where they are those of the failure before it."""

    anchor: str
    case: str
    reason: str
    title: str
    result: CaseResult


@dataclass(frozen=True, slots=True)
class CauseBlock:
    """Failures of one cause. The first is the example; `more` requirements are shown besides those named."""

    anchor: str
    verdict: str
    said: str
    requirements: tuple[tuple[Requirement, int], ...]
    more: int
    failures: tuple[FailureEntry, ...]


def blocks(run: Run, suffix: str) -> tuple[CauseBlock, ...]:
    """The failures of a run by cause; anchors end with the suffix, which names the run."""
    catalogue = {one.id: one for one in run.started.catalogue}
    found: list[CauseBlock] = []
    used: dict[str, int] = {}
    for cause in causes(figures.failures(run.results)):
        name = _name(cause)
        used[name] = number = used.get(name, 0) + 1
        anchor = f"cause:{name}{f':{number}' if number > 1 else ''}{suffix}"
        found.append(_block(cause, anchor, suffix, catalogue))
    return tuple(found)


def in_order_of_need(found: Sequence[CauseBlock]) -> Iterator[FailureEntry]:
    """Every failure, first the example of each cause, then the second of each, and so on."""
    longest = max((len(block.failures) for block in found), default=0)
    for place in range(longest):
        for block in found:
            if place < len(block.failures):
                yield block.failures[place]


def told(failure: FailureEntry, run: Run, catalogue: Mapping[str, Requirement]) -> tuple[Story, str]:
    """The story of a failure and its manifests, at a length that a page bears."""
    result = failure.result
    applied = manifests(result.case)
    if len(applied) > MANIFESTS:
        beginning = applied[:MANIFESTS].rsplit("\n", 1)[0]
        applied = f"{beginning}\n# and more: dra-conform show --manifests '{result.case.id}'"
    return _cut(failure_explanation.tell(result, catalogue, run.started.implementation.spec)), printable(
        applied
    )


def _name(cause: Cause) -> str:
    example = cause.example
    return printable(f"{first_requirement(example)}:{example.kind or example.verdict}")


def _block(cause: Cause, anchor: str, suffix: str, catalogue: Mapping[str, Requirement]) -> CauseBlock:
    shown = cause.requirements
    named = tuple(
        (catalogue.get(name) or figures.unlisted(name), count) for name, count in shown[:SHOWN_REQUIREMENTS]
    )
    return CauseBlock(
        anchor=anchor,
        verdict=cause.verdict,
        said=cause.said,
        requirements=named,
        more=len(shown) - len(named),
        failures=tuple(_failures(cause, suffix)),
    )


def _failures(cause: Cause, suffix: str) -> Iterator[FailureEntry]:
    reason, title = cause.said, ""
    for result in cause.results:
        own_reason, own_title = failure_explanation.headline(result), printable(result.case.title)
        name = printable(result.case.id)
        yield FailureEntry(
            anchor=f"case:{name}{suffix}",
            case=name,
            reason="" if own_reason == reason else _shortened(own_reason),
            title="" if own_title == title else own_title,
            result=result,
        )
        reason, title = own_reason, own_title


def _shortened(text: str) -> str:
    return text if len(text) <= REASON else f"{text[: REASON - 3]}..."


def _cut(told: Story) -> Story:
    """The story at a length that a page bears: the end of the log, the beginning of everything else."""
    log = told.log if len(told.log) <= LOG else "(cut)\n" + told.log[-LOG:].split("\n", 1)[-1]
    why = told.why if len(told.why) <= WHY else (*told.why[:WHY], f"... and {len(told.why) - WHY} more lines")
    lines = told.diff.lines
    if len(lines) > DIFF:
        more = replace(lines[0], mark=" ", text=f"# {len(lines) - DIFF} more lines")
        told = replace(told, diff=replace(told.diff, lines=(*lines[:DIFF], more), paths=told.diff.paths[:20]))
    return replace(told, log=log, why=why, detail=told.detail[:LOG])

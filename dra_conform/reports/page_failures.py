"""The failures in the HTML report, grouped by cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.printable import printable
from dra_conform.reports import failure_explanation, figures
from dra_conform.reports.advice import advice
from dra_conform.reports.causes import Cause, causes_of
from dra_conform.reports.failure_explanation import FailureExplanation, manifests
from dra_conform.reports.runs import Run

LOG = 2_000
WHY = 60
DIFF = 400
MANIFESTS = 12_000
REASON = 160
REQUIREMENTS_LISTED = 5
"""The most characters, lines and entries of a failure on the page."""


@dataclass(frozen=True, slots=True)
class FailureEntry:
    """One failing case. `reason` and `title` are empty if equal to those of the previous failure."""

    anchor: str
    case: str
    reason: str
    title: str
    result: CaseResult


@dataclass(frozen=True, slots=True)
class CauseBlock:
    """Failures of one cause; the first is the example.

    `advice` is one sentence that says what to do, empty if there is none. `also` is the number of failures of
    other causes that have this cause, too. `more` is the number of requirements that are not listed.
    `title` is the title of the example if another cause has the same message, otherwise empty.
    """

    anchor: str
    document: str
    verdict: str
    message: str
    title: str
    advice: str
    also: int
    requirements: tuple[tuple[Requirement, int], ...]
    more: int
    failures: tuple[FailureEntry, ...]


def blocks(run: Run, suffix: str) -> tuple[CauseBlock, ...]:
    """Group the failures of a run by cause. Anchors end with the suffix, which identifies the run."""
    catalogue = {requirement.id: requirement for requirement in run.started.catalogue}
    cause_blocks: list[CauseBlock] = []
    used: dict[str, int] = {}
    found = causes_of(run)
    messages = Counter(cause.message for cause in found)
    for cause in found:
        name = _name(cause)
        used[name] = number = used.get(name, 0) + 1
        anchor = f"cause:{name}{f':{number}' if number > 1 else ''}{suffix}"
        title = printable(cause.example.case.title) if messages[cause.message] > 1 else ""
        cause_blocks.append(_block(cause, title, anchor, suffix, run, catalogue))
    return tuple(cause_blocks)


def shortened_explanation(
    failure: FailureEntry, run: Run, catalogue: Mapping[str, Requirement], *, in_full: bool
) -> tuple[FailureExplanation, str]:
    """Return the explanation of a failure and its manifests, both shortened for the page.

    Without `in_full`, changed paths and manifests are left out: together they cost most of the time and size.
    """
    result = failure.result
    text = manifests(result.case) if in_full else ""
    if len(text) > MANIFESTS:
        beginning = text[:MANIFESTS].rsplit("\n", 1)[0]
        text = f"{beginning}\n# and more: dra-conform show --manifests '{result.case.id}'"
    again = failure_explanation.again_of(run.started)
    explanation = failure_explanation.explain_failure(result, catalogue, again, with_paths=in_full)
    return _shortened_parts(explanation), printable(text)


def _name(cause: Cause) -> str:
    example = cause.example
    name = cause.requirement or next(iter(example.case.requirements), example.case.id)
    return printable(f"{name}:{cause.part or cause.feature or example.kind or example.verdict}")


def _block(
    cause: Cause, title: str, anchor: str, suffix: str, run: Run, catalogue: Mapping[str, Requirement]
) -> CauseBlock:
    requirements = cause.requirements
    named = tuple(
        (catalogue.get(name) or figures.unlisted(name), count)
        for name, count in requirements[:REQUIREMENTS_LISTED]
    )
    return CauseBlock(
        anchor=anchor,
        document=figures.place(cause.example.case, catalogue)[0],
        verdict=cause.verdict,
        message=f"known: {cause.message}" if cause.known else cause.message,
        title=title,
        advice=printable(advice(cause, run)),
        also=cause.also,
        requirements=named,
        more=len(requirements) - len(named),
        failures=tuple(_failures(cause, suffix)),
    )


def _failures(cause: Cause, suffix: str) -> Iterator[FailureEntry]:
    reason, title = cause.message, ""
    for result in cause.results:
        own_reason, own_title = cause.message_of(result), printable(result.case.title)
        name = printable(result.case.id)
        yield FailureEntry(
            anchor=f"case-{name}{suffix}",
            case=name,
            reason="" if own_reason == reason else _shortened(own_reason),
            title="" if own_title == title else own_title,
            result=result,
        )
        reason, title = own_reason, own_title


def _shortened(text: str) -> str:
    return text if len(text) <= REASON else f"{text[: REASON - 3]}..."


def _shortened_parts(explanation: FailureExplanation) -> FailureExplanation:
    """Shorten each part of an explanation: keep the end of the log and the beginning of other parts."""
    log = (
        explanation.log
        if len(explanation.log) <= LOG
        else "(cut)\n" + explanation.log[-LOG:].split("\n", 1)[-1]
    )
    why = (
        explanation.why
        if len(explanation.why) <= WHY
        else (*explanation.why[:WHY], f"... and {len(explanation.why) - WHY} more lines")
    )
    lines = explanation.diff.lines
    if len(lines) > DIFF:
        more = replace(lines[0], mark=" ", text=f"# {len(lines) - DIFF} more lines")
        explanation = replace(
            explanation,
            diff=replace(explanation.diff, lines=(*lines[:DIFF], more), paths=explanation.diff.paths[:20]),
        )
    return replace(explanation, log=log, why=why, detail=explanation.detail[:LOG])

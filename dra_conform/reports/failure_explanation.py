"""The explanation of one failure, equal in all reports: the case with its setup as manifests, the answer, and
the reason."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import yaml

from dra_conform.conformance.case import Case
from dra_conform.conformance.events import RunStarted
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.suite.deviations import decides_what_is_left_open
from dra_conform.conformance.verdict import CaseResult, Finding
from dra_conform.kube.listing import aligned_tables
from dra_conform.kube.printable import printable
from dra_conform.kube.profile import KEP
from dra_conform.reports import diff, figures
from dra_conform.reports.diff import Diff
from dra_conform.reports.plain import plain
from dra_conform.reports.recorded_results import verdict_text

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def manifests(case: Case) -> str:
    """Return the objects of a case as YAML documents in ASCII, in an order in which they can be applied."""
    documents = [
        yaml.dump(plain(item), Dumper=_DUMPER, sort_keys=False, allow_unicode=False).rstrip("\n")
        for objects in case.objects.values()
        for item in objects
    ]
    return "\n---\n".join(documents)


@dataclass(frozen=True, slots=True)
class FailureExplanation:
    """A failure in words. All strings are printable; a part without content is empty."""

    case: str
    title: str
    source: str
    verdict: str
    requirements: tuple[Requirement, ...]
    given: tuple[str, ...]
    rule: str
    when: tuple[str, ...]
    scenario: tuple[str, ...]
    """All steps in order: the setup, then each When with its Thens."""
    diff: Diff
    findings: tuple[str, ...]
    why: tuple[str, ...]
    detail: str
    log: str
    deviation: str
    """Why the profile deviates from the specification in this case, if it does."""
    command: str
    """The command that runs the case again."""


@dataclass(frozen=True, slots=True)
class Again:
    """What a command needs to run a case again.

    `spec`: the implementation as given on the command line, empty if unknown. `suite`: the folder of the
    suite, empty for the shipped suite. `options`: further words that affect verdicts (`RunStarted.options`).
    `test`: the id of a pytest test, if the case is in no suite.
    """

    spec: str = ""
    suite: str = ""
    options: tuple[str, ...] = ()
    test: str = ""


_PYTEST_OPTIONS = {"--deadline": "--dra-deadline", "--memory": "--dra-memory"}
"""The options of `run` that have another name in pytest."""

UNNAMED = "IMPLEMENTATION"
"""Placeholder for an implementation whose command-line spec is unknown."""


def explain_failure(
    result: CaseResult, catalogue: Mapping[str, Requirement], again: Again, *, with_paths: bool = True
) -> FailureExplanation:
    """Explain a case result with its requirements."""
    case = result.case
    steps = case.steps(result.profile)
    return FailureExplanation(
        case=printable(case.id),
        title=printable(case.title),
        source=printable(str(case.source)),
        verdict=verdict_text(result),
        requirements=tuple(
            _printable(catalogue[name]) for name in figures.cited(result) if name in catalogue
        ),
        given=tuple(map(_step, case.given)),
        rule=printable(case.rule),
        when=tuple(_step(step.words) for step in case.case_steps if step.words),
        scenario=tuple(map(_step, _scenario(case, steps))),
        diff=diff.of(result, with_paths=with_paths),
        findings=tuple(_finding(finding, steps) for finding in result.findings),
        why=tuple(printable(line) for line in result.why),
        detail=printable(result.detail),
        log=printable(result.log).rstrip(),
        deviation=printable(_deviation(result)),
        command=printable(rerun_command(result, again)),
    )


def rerun_command(result: CaseResult, again: Again) -> str:
    """Return the command that runs a case again on an implementation."""
    if again.test:
        profile = ["--profile", result.profile] if result.profile != KEP else []
        options = [_PYTEST_OPTIONS.get(word, word) for word in again.options]
        return shlex.join(["pytest", again.test, "--implementation", again.spec, *profile, *options])
    return case_command(result.case.id, result.profile, again)


def case_command(case: str, profile: str, again: Again) -> str:
    """Return the command that runs a case of a suite, by its id."""
    name, variant, _ = case.partition(" (")
    options = ["--ask-again"] if variant else []
    return shlex.join([*_run_words(again, profile), *options, "--select", f"id:{name}"])


def requirement_command(requirement: str, profile: str, again: Again) -> str:
    """Return the command that runs the cases of a requirement, by its id."""
    return shlex.join([*_run_words(again, profile), "--select", f"requirement:{requirement}"])


def run_command(started: RunStarted) -> str:
    """Return the command that repeats a run: its implementation, suite, profile, settings and cases."""
    return printable(shlex.join([*_run_words(again_of(started), started.profile), *started.selection]))


def again_of(started: RunStarted) -> Again:
    """Return what the commands of a run need to be run again."""
    return Again(started.implementation.spec, started.suite.folder, started.options)


def _run_words(again: Again, profile: str) -> list[str]:
    words = ["dra-conform", "run", "-i", again.spec or UNNAMED]
    words += ["--suite", again.suite] if again.suite else []
    words += ["--profile", profile] if profile != KEP else []
    return [*words, *again.options]


def _deviation(result: CaseResult) -> str:
    if not result.deviation:
        return ""
    if decides_what_is_left_open(result.deviation):
        what = "allows this answer" if result.as_documented else "leaves this open"
        return (
            f"The specification {what}, but the case expects what {result.profile} does: {result.deviation}"
        )
    if result.as_documented:
        return (
            f"The answer follows the specification, but {result.profile} deviates from it: {result.deviation}"
        )
    return f"{result.profile} deviates from the specification, and the case expects this: {result.deviation}"


def headline(result: CaseResult, part: str = "", requirement: str = "") -> str:
    """Return one line that says what is wrong, if possible with a result part and with a requirement."""
    findings = [finding for finding in result.findings if part in ("", finding.part)] or result.findings
    nearest = min(findings, key=lambda finding: _distance(finding, result, requirement), default=None)
    line = printable(nearest.message if nearest else result.detail).strip().split("\n", 1)[0]
    return line if len(line) <= 300 else f"{line[:297]}..."


def _distance(finding: Finding, result: CaseResult, requirement: str) -> int:
    """Return 0 for a finding about the requirement, 1 for its area, 2 for a case of it, and 3 for others."""
    if not requirement or finding.requirement == requirement:
        return 0
    if figures.area_of(finding.requirement) == figures.area_of(requirement):
        return 1
    return 2 if not finding.requirement and requirement in result.case.requirements else 3


def _printable(requirement: Requirement) -> Requirement:
    statement, interpretation = printable(requirement.statement), printable(requirement.interpretation)
    return replace(
        requirement, id=printable(requirement.id), statement=statement, interpretation=interpretation
    )


def _scenario(case: Case, steps: Sequence[Sequence[str]]) -> Iterator[str]:
    yield from case.given
    for step, thens in zip(case.case_steps, steps, strict=True):
        yield step.words
        yield from thens


def _step(text: str) -> str:
    """Return the text of a step with its table aligned."""
    return "\n".join(aligned_tables([printable(line) for line in text.split("\n")]))


def _finding(finding: Finding, steps: Sequence[Sequence[str]]) -> str:
    """Return a finding with the number of its step, if the case has several, and its Then, if it has one."""
    thens = steps[finding.case_step] if finding.case_step < len(steps) else ()
    number = f" {finding.case_step + 1}" if len(steps) > 1 else ""
    then = ""
    if finding.step is not None and finding.step < len(thens):
        then = ": " + thens[finding.step].split("\n", 1)[0]
    place = f" (in step{number}{then})" if number or then else ""
    return printable(f"{finding.rule}: {finding.message}{place}")


def requirement_lines(requirement: Requirement) -> Iterator[str]:
    """Return a requirement as plain text: its statement and its source."""
    yield f"{printable(requirement.id)} ({requirement.level}): {printable(requirement.statement)}"
    yield from (f"  {line}" for line in source_lines(requirement))


def source_lines(requirement: Requirement) -> Iterator[str]:
    """Return the source of a requirement: document and section, then the address on a line of its own."""
    yield printable(", ".join(part for part in (requirement.document, requirement.section) if part))
    if requirement.link:
        yield printable(requirement.link)


def as_text(explanation: FailureExplanation) -> str:
    """Return the explanation as plain text with headings."""
    parts = [
        f"{explanation.case} ({explanation.source})",
        *([f"Rule: {explanation.rule}"] if explanation.rule else []),
        explanation.title,
    ]
    parts += [line for requirement in explanation.requirements for line in requirement_lines(requirement)]
    if explanation.deviation:
        parts.append(explanation.deviation)
    if explanation.detail:
        parts.append(explanation.detail)
    blocks = (
        ("setup", "\n".join(explanation.given)),
        ("when", "\n".join(explanation.when)),
        ("expected (-) and actual (+)", str(explanation.diff)),
        ("findings", "\n".join(explanation.findings)),
        ("why: decisions of the built-in allocator", "\n".join(explanation.why)),
        ("log", explanation.log),
    )
    for title, body in blocks:
        if body:
            parts += ["", f"{title}:", *(f"  {line}" for line in body.split("\n"))]
    parts += ["", f"run again: {explanation.command}"]
    return "\n".join(parts)

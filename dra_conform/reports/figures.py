"""The figures of a run: counts by verdict, requirements by document and by area."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.suite.coverage import covered
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.reports.runs import Run


class RequirementState(StrEnum):
    """What a run says of one requirement."""

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    NOT_RUN = "not-run"
    UNCOVERED = "uncovered"
    """The cases of this run do not show it, or only in one of its polarities."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Requirements: how many there are, are covered by the run (`coverage.covered`), and passed."""

    total: int
    covered: int
    passed: int


@dataclass(frozen=True, slots=True)
class Shown:
    """One requirement, its results in the run, and what they say together."""

    requirement: Requirement
    results: tuple[CaseResult, ...]
    state: RequirementState


def state_of(requirement: Requirement, results: Sequence[CaseResult]) -> RequirementState:
    """What results say of a requirement: it is passed if they cover it and every one of its cases passes."""
    verdicts = {result.verdict for result in results}
    if verdicts & CONFORMANCE_FAILURES:
        return RequirementState.FAILED
    if not covered(requirement, (result.case for result in results)):
        return RequirementState.UNCOVERED
    if verdicts == {Verdict.PASS}:
        return RequirementState.PASSED
    return RequirementState.UNSUPPORTED if Verdict.UNSUPPORTED in verdicts else RequirementState.NOT_RUN


def shown(run: Run) -> tuple[Shown, ...]:
    """Every requirement of the catalogue in its order, then those only cases name."""
    results: dict[str, list[CaseResult]] = {}
    for result in run.results:
        for name in dict.fromkeys(result.case.requirements):
            results.setdefault(name, []).append(result)
    known = {one.id: one for one in run.started.catalogue}
    for name in results:
        known.setdefault(name, unlisted(name))
    return tuple(
        Shown(one, tuple(results.get(name, ())), state_of(one, results.get(name, ())))
        for name, one in known.items()
    )


def tally(rows: Iterable[Shown]) -> Tally:
    known = tuple(rows)
    shown_by_run = sum(covered(row.requirement, (result.case for result in row.results)) for row in known)
    return Tally(len(known), shown_by_run, sum(row.state is RequirementState.PASSED for row in known))


def by_document(rows: Iterable[Shown]) -> Mapping[str, tuple[Shown, ...]]:
    """The requirements of each document, in the order of their first appearance."""
    grouped: dict[str, list[Shown]] = {}
    for row in rows:
        grouped.setdefault(row.requirement.document, []).append(row)
    return {document: tuple(found) for document, found in grouped.items()}


def counts(results: Iterable[CaseResult]) -> Mapping[Verdict, int]:
    """How many of each verdict, every verdict named, in the order of the enum."""
    found = Counter(result.verdict for result in results)
    return {verdict: found[verdict] for verdict in Verdict}


def failures(results: Iterable[CaseResult]) -> tuple[CaseResult, ...]:
    return tuple(result for result in results if result.verdict in CONFORMANCE_FAILURES)


def place(case: Case, catalogue: Mapping[str, Requirement]) -> tuple[str, str]:
    """Document and area a case belongs to: those of its first requirement, else of its own path."""
    for name in case.requirements:
        requirement = catalogue.get(name) or unlisted(name)
        return requirement.document, requirement.area
    parts = case.id.split("/")
    return (parts[0] if len(parts) > 1 else "other"), (parts[1] if len(parts) > 2 else "other")


def percent(part: int, whole: int) -> str:
    """A share as a text such as `99.7 %`, rounded down, so that `100 %` is said only of all."""
    if whole == 0:
        return "-"
    tenths = 1000 * part // whole
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def unlisted(name: str) -> Requirement:
    """A requirement that only cases name."""
    parts = name.split("/")
    area = parts[1] if len(parts) > 2 else ""
    return Requirement(name, parts[0], area, "", "", "", "")

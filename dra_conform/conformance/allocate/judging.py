"""The judge of an allocation: turns an answer, a case and a profile into a verdict with findings.

It knows the documents' rules (`rules`, `invariants`) and the case's expectation, and nothing of any
implementation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.conformance.allocate.allocation_read import read_allocation
from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation, Check
from dra_conform.conformance.allocate.invariants.table import broken
from dra_conform.conformance.allocate.judged_answer import Decided
from dra_conform.conformance.allocate.judged_world import World
from dra_conform.conformance.allocate.matching import problem_with
from dra_conform.conformance.allocate.rules import Rules
from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.category import Category
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import AllocationResult

Json = Any


_COMPARED = {category.value for category in Category} - {Category.OTHER.value}


def judge(
    case: Case, profile: Profile, expectations: Expectations, answer: AllocationAnswer, strict: bool
) -> Judgement:
    """First validity, then the outcome, then the checks, then the reason. `profile` has the case's gates.

    With `strict` the checks of a case that pins a choice between equal devices count, too.
    """
    [expectation] = expectations
    assert isinstance(expectation, AllocationExpectation)
    allocations: dict[str, AllocationResult] = {}
    if answer.outcome is Outcome.ALLOCATED:
        allocations, malformed = _read(case, answer)
        if malformed:
            return Judgement(Verdict.FAIL, Kind.INVALID_ALLOCATION, malformed)
    if answer.outcome not in expectation.outcomes:
        return Judgement(Verdict.FAIL, Kind.WRONG_OUTCOME, (_outcome_finding(case, expectation, answer),))
    if answer.outcome is not Outcome.ALLOCATED:
        return _reason(expectation, answer)
    decided = Decided.of(World.of(case.objects), case.ask["node"], Rules.of(profile), allocations)
    invalid = tuple(
        Finding(rule, sentence)
        for rule, sentences in broken(decided).items()
        if rule not in expectation.unjudged
        for sentence in sentences
    )
    wrong = () if case.order and not strict else _checks(expectation.checks, decided, allocations)
    if invalid:
        return Judgement(Verdict.FAIL, Kind.INVALID_ALLOCATION, (*invalid, *wrong))
    if wrong:
        return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, wrong)
    return PASSED


def _read(case: Case, answer: AllocationAnswer) -> tuple[dict[str, AllocationResult], tuple[Finding, ...]]:
    asked: Sequence[str] = case.ask["claims"]
    findings = [
        Finding("shape", f"the answer has an allocation for {key}, which was not asked for")
        for key in answer.allocations
        if key not in asked
    ]
    read: dict[str, AllocationResult] = {}
    for key in asked:
        if key not in answer.allocations:
            findings.append(Finding("shape", f"the answer has no allocation for claim {key}"))
            continue
        try:
            read[key] = read_allocation(answer.allocations[key])
        except ValueError as error:  # a ConversionError, or text that is no Unicode
            findings.append(Finding("shape", f"claim {key}: not an allocation result: {error}"))
    return read, tuple(findings)


def _outcome_finding(case: Case, expectation: AllocationExpectation, answer: AllocationAnswer) -> Finding:
    expected = " or ".join(sorted(outcome.value for outcome in expectation.outcomes))
    message = f"expected {expected}, the implementation says {answer.outcome.value}"
    if answer.outcome is Outcome.UNALLOCATABLE and case.witness is not None:
        message += "; a valid allocation exists (the case's witness)"
    reasons = "; ".join(reason.message or reason.category for reason in answer.reasons[:3])
    return Finding("expectation", message + (f" ({reasons})" if reasons else ""), step=0)


def _reason(expectation: AllocationExpectation, answer: AllocationAnswer) -> Judgement:
    """A refusal's category counts only where the implementation names categories we know."""
    named = {reason.category for reason in answer.reasons} & _COMPARED
    if expectation.category is None or not named or expectation.category in named:
        return PASSED
    message = f"not allocated, but for {', '.join(sorted(named))} instead of {expectation.category}"
    return Judgement(Verdict.FAIL, Kind.WRONG_REASON, (Finding("expectation", message, step=0),))


def _checks(
    checks: Sequence[Check], decided: Decided, allocations: Mapping[str, AllocationResult]
) -> tuple[Finding, ...]:
    findings = []
    for check in checks:
        problem = problem_with(check, allocations[check.claim], decided.world.nodes.values())
        if problem:
            findings.append(Finding("expectation", f"claim {check.claim}: {problem}", step=check.step))
    return tuple(findings)

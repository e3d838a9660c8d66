"""The judge: an answer, the case and the profile in; a verdict with its findings out.

It knows the documents' rules (`rules`, `invariants`) and the case's expectation, and nothing of any
implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.allocate.decided import Decided
from dra_conform.conformance.allocate.expectation import AllocationExpectation, Check
from dra_conform.conformance.allocate.invariants.table import broken
from dra_conform.conformance.allocate.judged_world import World
from dra_conform.conformance.allocate.matching import admits, configures, finds, matches_count
from dra_conform.conformance.allocate.rules import Rules
from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.category import Category
from dra_conform.kube.codec import convert
from dra_conform.kube.nulls import without_nulls
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import (
    AllocationResult,
    DeviceAllocationResult,
    DeviceRequestAllocationResult,
)

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
        Finding(rule, sentence) for rule, sentences in broken(decided).items() for sentence in sentences
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
            read[key] = convert(_readable(answer.allocations[key]), AllocationResult)
        except ValueError as error:  # a ConversionError, or text that is no Unicode
            findings.append(Finding("shape", f"claim {key}: not an allocation result: {error}"))
    return read, tuple(findings)


def _readable(allocation: Json) -> Json:
    """The allocation as the API would read it: without unknown fields, and null as absent."""
    return without_nulls(_without_unknown(allocation), AllocationResult)


def _without_unknown(allocation: Json) -> Json:
    """The allocation without fields that the API does not have; the protocol allows them."""

    def devices(value: Json) -> Json:
        return _kept(value, DeviceAllocationResult, results=results)

    def results(value: Json) -> Json:
        if not isinstance(value, (list, tuple)):
            return value
        return [_kept(one, DeviceRequestAllocationResult) for one in value]

    return _kept(allocation, AllocationResult, devices=devices)


def _kept(value: Json, kind: type[msgspec.Struct], **inner: Callable[[Json], Json]) -> Json:
    if not isinstance(value, Mapping):
        return value
    known = kind.__struct_encode_fields__
    return {
        name: inner[name](item) if name in inner else item for name, item in value.items() if name in known
    }


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
    message = f"refused, but for {', '.join(sorted(named))} instead of {expectation.category}"
    return Judgement(Verdict.FAIL, Kind.WRONG_REASON, (Finding("expectation", message, step=0),))


def _checks(
    checks: Sequence[Check], decided: Decided, allocations: Mapping[str, AllocationResult]
) -> tuple[Finding, ...]:
    findings = []
    for check in checks:
        actual = [taken.result for taken in decided.taken if taken.claim == check.claim]
        if check.count is not None:
            problem = matches_count(check, actual)
        elif check.nodes is not None:
            problem = admits(check, allocations[check.claim], decided.world.nodes.values())
        elif check.config is not None:
            problem = configures(check, allocations[check.claim])
        else:
            problem = finds(check, actual)
        if problem:
            findings.append(Finding("expectation", f"claim {check.claim}: {problem}", step=check.step))
    return tuple(findings)

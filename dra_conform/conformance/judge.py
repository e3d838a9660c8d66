"""The judge: an answer, the case and the profile in; a verdict with its findings out.

It knows the documents' rules (`rules`, `invariants`) and the case's expectation, and nothing of any
implementation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.conformance.case import Case, Check, Expectation
from dra_conform.conformance.decision import Decided
from dra_conform.conformance.invariants import broken
from dra_conform.conformance.matching import finds, matches_count
from dra_conform.conformance.outcome import Answer, Category, Outcome
from dra_conform.conformance.rules import Rules
from dra_conform.conformance.verdict import Finding, Kind, Verdict
from dra_conform.conformance.world import World
from dra_conform.kube.codec import ConversionError, convert
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import AllocationResult

Json = Any


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: Verdict
    kind: Kind | None = None
    findings: tuple[Finding, ...] = ()


PASSED = Judgement(Verdict.PASS)


def judge(case: Case, profile: Profile, answer: Answer, *, strict: bool = False) -> Judgement:
    """Judge one answer against the expectation the case has in this profile (gates already applied)."""
    expectation, _ = case.expected(profile.name)
    return judge_against(case, profile, expectation, answer, strict=strict)


def judge_against(
    case: Case, profile: Profile, expectation: Expectation, answer: Answer, *, strict: bool = False
) -> Judgement:
    """Judge against a given expectation: first validity, then outcome, then the checks, then the reason."""
    allocations: dict[str, AllocationResult] = {}
    if answer.outcome is Outcome.ALLOCATED:
        allocations, malformed = _read(case, answer)
        if malformed:
            return Judgement(Verdict.FAIL, Kind.INVALID_ALLOCATION, malformed)
    if answer.outcome not in expectation.outcomes:
        return Judgement(Verdict.FAIL, Kind.WRONG_OUTCOME, (_outcome_finding(case, expectation, answer),))
    if answer.outcome is not Outcome.ALLOCATED:
        return _reason(expectation, answer)
    decided = Decided.of(World.of(case.objects), case.action.ask["node"], Rules.of(profile), allocations)
    invalid = tuple(
        Finding(rule, sentence) for rule, sentences in broken(decided).items() for sentence in sentences
    )
    wrong = () if case.order and not strict else _checks(expectation.checks, decided)
    if invalid:
        return Judgement(Verdict.FAIL, Kind.INVALID_ALLOCATION, (*invalid, *wrong))
    if wrong:
        return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, wrong)
    return PASSED


def _read(case: Case, answer: Answer) -> tuple[dict[str, AllocationResult], tuple[Finding, ...]]:
    asked: Sequence[str] = case.action.ask["claims"]
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
            read[key] = convert(answer.allocations[key], AllocationResult)
        except ConversionError as error:
            findings.append(Finding("shape", f"claim {key}: not an allocation result: {error}"))
    return read, tuple(findings)


def _outcome_finding(case: Case, expectation: Expectation, answer: Answer) -> Finding:
    expected = " or ".join(sorted(outcome.value for outcome in expectation.outcomes))
    message = f"expected {expected}, the implementation says {answer.outcome.value}"
    if answer.outcome is Outcome.UNALLOCATABLE and case.witness is not None:
        message += "; a valid allocation exists (the case's witness)"
    reasons = "; ".join(reason.message or reason.category for reason in answer.reasons[:3])
    return Finding("expectation", message + (f" ({reasons})" if reasons else ""), step=0)


def _reason(expectation: Expectation, answer: Answer) -> Judgement:
    """A refusal's category counts only where the implementation names categories we know."""
    named = {reason.category for reason in answer.reasons} - {Category.OTHER.value, ""}
    if expectation.category is None or not named or expectation.category in named:
        return PASSED
    message = f"refused, but for {', '.join(sorted(named))} instead of {expectation.category}"
    return Judgement(Verdict.FAIL, Kind.WRONG_REASON, (Finding("expectation", message, step=0),))


def _checks(checks: Sequence[Check], decided: Decided) -> tuple[Finding, ...]:
    findings = []
    for check in checks:
        actual = [taken.result for taken in decided.taken if taken.claim == check.claim]
        problem = matches_count(check, actual) if check.count is not None else finds(check, actual)
        if problem:
            findings.append(Finding("expectation", f"claim {check.claim}: {problem}", step=check.step))
    return tuple(findings)


def as_document(answer: Answer) -> Mapping[str, Json]:
    """The answer as a document to set beside the expected one."""
    document: dict[str, Json] = {"outcome": answer.outcome.value}
    if answer.allocations:
        document["claims"] = {
            key: [_shown(result) for result in _results(allocation)]
            for key, allocation in answer.allocations.items()
        }
    if answer.reasons:
        document["reasons"] = sorted({reason.category for reason in answer.reasons})
    return document


def _results(allocation: Json) -> list[Json]:
    devices = allocation.get("devices") if isinstance(allocation, Mapping) else None
    results = devices.get("results") if isinstance(devices, Mapping) else None
    return list(results) if isinstance(results, (list, tuple)) else []


def _shown(result: Json) -> Json:
    if not isinstance(result, Mapping):
        return result
    names = ("request", "driver", "pool", "device", "shareID", "consumedCapacity", "adminAccess")
    return {name: result[name] for name in names if name in result}

"""The judge: an answer, the case and the profile in; a verdict with its findings out.

It knows the documents' rules (`rules`, `invariants`) and the case's expectation, and nothing of any
implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from dra_conform.conformance.allocate.answer import Answer, Category, Outcome
from dra_conform.conformance.allocate.decided import Decided
from dra_conform.conformance.allocate.invariants.table import broken
from dra_conform.conformance.allocate.judged_world import World
from dra_conform.conformance.allocate.matching import admits, configures, finds, matches_count
from dra_conform.conformance.allocate.rules import Rules
from dra_conform.conformance.case import Case, Check, Expectation
from dra_conform.conformance.verdict import Finding, Kind, Verdict
from dra_conform.kube.codec import convert
from dra_conform.kube.nulls import without_nulls
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import (
    AllocationResult,
    DeviceAllocationResult,
    DeviceRequestAllocationResult,
)

Json = Any


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: Verdict
    kind: Kind | None = None
    findings: tuple[Finding, ...] = ()


PASSED = Judgement(Verdict.PASS)
_COMPARED = {category.value for category in Category} - {Category.OTHER.value}


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
    wrong = () if case.order and not strict else _checks(expectation.checks, decided, allocations)
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


def _outcome_finding(case: Case, expectation: Expectation, answer: Answer) -> Finding:
    expected = " or ".join(sorted(outcome.value for outcome in expectation.outcomes))
    message = f"expected {expected}, the implementation says {answer.outcome.value}"
    if answer.outcome is Outcome.UNALLOCATABLE and case.witness is not None:
        message += "; a valid allocation exists (the case's witness)"
    reasons = "; ".join(reason.message or reason.category for reason in answer.reasons[:3])
    return Finding("expectation", message + (f" ({reasons})" if reasons else ""), step=0)


def _reason(expectation: Expectation, answer: Answer) -> Judgement:
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
    names = (
        "request",
        "driver",
        "pool",
        "device",
        "shareID",
        "consumedCapacity",
        "adminAccess",
        "compatibilityGroups",
        "bindingConditions",
        "bindingFailureConditions",
    )
    return {name: result[name] for name in names if name in result}

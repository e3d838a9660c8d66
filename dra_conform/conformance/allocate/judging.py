"""The judge of an allocation: turns an answer, a case and a profile into a verdict with findings.

It knows the release switches, the rules of the specification (`invariants`) and the expectation of the case.
It knows nothing about any implementation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.allocate.case_objects import CaseObjects
from dra_conform.conformance.allocate.expectation import PART_OF_INVARIANT, AllocationExpectation
from dra_conform.conformance.allocate.invariants.rules import broken_rules, filtered_out
from dra_conform.conformance.allocate.invariants.table import violations
from dra_conform.conformance.allocate.judged_answer import JudgedAnswer
from dra_conform.conformance.allocations.checks import Check, checks_without
from dra_conform.conformance.allocations.matching import problem_with, read_allocation
from dra_conform.conformance.case import Case
from dra_conform.conformance.features import RESULT_PARTS
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.category import Category
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import AllocationResult
from dra_conform.kube.switches.allocation import AllocationSwitches

_COMPARED = {category.value for category in Category} - {Category.OTHER.value}


def judge(
    case: Case,
    profile: Profile,
    expectation: AllocationExpectation,
    answer: AllocationAnswer,
    *,
    strict: bool,
) -> Judgement:
    """Judge the shape of the answer, the outcome, the invariants and the checks, or the reason of a failure.

    `profile` has the feature gates of the case. With `strict`, also apply the checks of a case that selects
    one of several equal devices.
    """
    allocations: dict[str, AllocationResult] = {}
    if answer.outcome is Outcome.ALLOCATED:
        allocations, malformed = _read(case, answer)
        if malformed:
            return Judgement(Verdict.FAIL, Kind.INVALID_ALLOCATION, malformed)
    if answer.outcome not in expectation.outcomes:
        return Judgement(Verdict.FAIL, Kind.WRONG_OUTCOME, (_outcome_finding(expectation, answer),))
    if answer.outcome is not Outcome.ALLOCATED:
        return _reason(expectation, answer)
    filtered = filtered_out(case, profile, allocations)
    judged = JudgedAnswer.of(
        CaseObjects.of(case.objects), case.ask["node"], AllocationSwitches.of(profile), allocations, filtered
    )
    invalid = tuple(
        Finding(
            name,
            violation.message,
            requirement=violation.requirement,
            part=PART_OF_INVARIANT.get(name, ""),
        )
        for name, violation in violations(judged)
        if name not in expectation.unjudged
    )
    invalid += tuple(
        Finding(name, message)
        for name, messages in broken_rules(case, profile, answer.allocations, filtered).items()
        for message in messages
    )
    wrong = () if case.order and not strict else _checks(expectation.checks, judged, allocations)
    if invalid:
        return Judgement(Verdict.FAIL, Kind.INVALID_ALLOCATION, (*invalid, *wrong))
    if wrong:
        return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, wrong)
    return PASSED


def _read(case: Case, answer: AllocationAnswer) -> tuple[dict[str, AllocationResult], tuple[Finding, ...]]:
    asked: Sequence[str] = case.ask["claims"]
    findings = [
        Finding("shape", f"unexpected allocation of ResourceClaim {key}, which the request does not name")
        for key in answer.allocations
        if key not in asked
    ]
    decoded: dict[str, AllocationResult] = {}
    for key in asked:
        if key not in answer.allocations:
            findings.append(Finding("shape", f"the allocation of ResourceClaim {key} is missing"))
            continue
        try:
            decoded[key] = read_allocation(answer.allocations[key])
        except ValueError as error:  # a ConversionError, or a string that is not Unicode
            findings.append(Finding("shape", f"ResourceClaim {key}: status.allocation is malformed: {error}"))
    return decoded, tuple(findings)


def _outcome_finding(expectation: AllocationExpectation, answer: AllocationAnswer) -> Finding:
    expected = " or ".join(sorted(outcome.value for outcome in expectation.outcomes))
    message = f"expected {expected}, got {answer.outcome.value}"
    reasons = "; ".join(reason.message or reason.category for reason in answer.reasons[:3])
    return Finding("expectation", message + (f" ({reasons})" if reasons else ""), step=0)


def _reason(expectation: AllocationExpectation, answer: AllocationAnswer) -> Judgement:
    """Compare the category of a failure with the expected one, if the answer names a known category."""
    categories = {reason.category for reason in answer.reasons} & _COMPARED
    if expectation.category is None or not categories or expectation.category in categories:
        return PASSED
    message = f"expected reason {expectation.category}, got {', '.join(sorted(categories))}"
    return Judgement(Verdict.FAIL, Kind.WRONG_REASON, (Finding("expectation", message, step=0),))


def _checks(
    checks: Sequence[Check], judged: JudgedAnswer, allocations: Mapping[str, AllocationResult]
) -> tuple[Finding, ...]:
    findings = []
    for check in checks:
        problem = problem_with(check, allocations[check.claim], judged.objects.nodes.values())
        if problem:
            message = f"ResourceClaim {check.claim}: {problem}"
            findings.append(
                Finding("expectation", message, step=check.step, part=_part(check, judged, allocations))
            )
    return tuple(findings)


def _part(check: Check, judged: JudgedAnswer, allocations: Mapping[str, AllocationResult]) -> str:
    """Return the result part without which a violated check would be satisfied, empty if there is none."""
    for part in RESULT_PARTS:
        kept, _ = checks_without((check,), {part})
        if not any(
            problem_with(each, allocations[each.claim], judged.objects.nodes.values()) for each in kept
        ):
            return part
    return ""

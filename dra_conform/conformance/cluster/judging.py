"""The judge of a scenario: first the invariants of every cluster, then the expectations of each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dra_conform.conformance.allocations.checks import Check
from dra_conform.conformance.allocations.matching import problem_with, read_allocation
from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster.answer import ClusterAnswer
from dra_conform.conformance.cluster.expectation import (
    BEFORE,
    NEW_SHARES,
    ClusterExpectation,
    Fact,
)
from dra_conform.conformance.cluster.invariants.table import violations
from dra_conform.conformance.cluster.observed_scenario import (
    ObservedScenario,
    State,
    has_new_shares,
    share_ids_of,
)
from dra_conform.conformance.cluster.other_observations import (
    EVENT,
    LOG,
    NOT_REPORTED,
    is_scheduling_failure,
    list_of,
    logged_words,
)
from dra_conform.conformance.observed_fields import PRESENT, difference, same
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.conformance.writes.answer import AdmissionAnswer
from dra_conform.conformance.writes.judging import judge_write
from dra_conform.kube.core import Node
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import Profile


def judge(
    case: Case,
    profile: Profile,
    expectations: Sequence[ClusterExpectation | None],
    answer: ClusterAnswer,
    *,
    strict: bool,
) -> Judgement:
    """Judge the number of observations, each step, and the invariants of a cluster.

    With `strict`, also check the ResourceClaims of a case that selects one of several equal devices.
    """
    actions = case.ask["actions"]
    if len(answer.observations) != len(actions):
        message = f"expected {len(actions)} observations, one for each action, got {len(answer.observations)}"
        return Judgement(Verdict.FAIL, Kind.WRONG_OUTCOME, (Finding("shape", message),))
    scenario = ObservedScenario.of(case.objects, case.ask, answer.observations)
    wrong = list(_wrong(case, scenario, expectations, strict=strict))
    invalid = list(violations(scenario, profile))
    if invalid:
        return Judgement(Verdict.FAIL, Kind.INVALID_STATE, (*invalid, *(finding for _, finding in wrong)))
    if wrong:
        return Judgement(Verdict.FAIL, wrong[0][0], tuple(finding for _, finding in wrong))
    if missing := sorted({*_not_reported(scenario, expectations)}):
        detail = f"{' and '.join(missing)} not reported; the rest of the answer is correct"
        return Judgement(Verdict.UNSUPPORTED, detail=detail)
    return PASSED


def _not_reported(
    scenario: ObservedScenario, expectations: Sequence[ClusterExpectation | None]
) -> Iterator[str]:
    """Yield the lists of observations that are expected, but not reported."""
    for step, expectation in enumerate(expectations):
        for fact in expectation.facts if expectation is not None else ():
            if scenario.value(fact, step) is NOT_REPORTED:
                yield "phases of attempts" if is_scheduling_failure(fact.path) else list_of(fact.path)


def _wrong(
    case: Case,
    scenario: ObservedScenario,
    expectations: Sequence[ClusterExpectation | None],
    *,
    strict: bool,
) -> Iterator[tuple[Kind, Finding]]:
    """Yield the findings of each step, each with its kind."""
    for step, expectation in enumerate(expectations):
        if expectation is None:
            continue
        for kind, finding in _of_step(case, scenario, step, expectation, strict=strict):
            yield kind, replace(finding, case_step=step)


def _of_step(
    case: Case, scenario: ObservedScenario, step: int, expectation: ClusterExpectation, *, strict: bool
) -> Iterator[tuple[Kind, Finding]]:
    if expectation.write is not None:
        observed = scenario.observations[step]
        if isinstance(observed, AdmissionAnswer):
            judgement = judge_write(
                expectation.write, scenario.actions[step].get("object", {}), observed, strict
            )
            kind = judgement.kind or Kind.WRONG_RESULT
            yield from ((kind, finding) for finding in judgement.findings)
        elif expectation.write.rejects:
            message = f"expected {expectation.write.outcome.value}, but the object was deleted"
            yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=0)
    state, _ = scenario.newest(step)
    for check in expectation.claims if strict or not case.order else ():
        problem = _problem_with_claim(state, check)
        if problem:
            yield (
                Kind.WRONG_RESULT,
                Finding("expectation", f"ResourceClaim {check.claim}: {problem}", step=check.step),
            )
    for fact in expectation.facts:
        problem = _problem_with_fact(scenario, step, fact)
        if problem:
            yield Kind.WRONG_RESULT, Finding("expectation", problem, step=fact.step)


def _problem_with_claim(state: State, check: Check) -> str:
    claim = state.find("ResourceClaim", check.claim)
    if claim is None:
        return "expected an allocation, but the ResourceClaim does not exist"
    allocation = field_at(claim, "status.allocation")
    if allocation is ABSENT:
        return "expected an allocation, got none"
    try:
        decoded = read_allocation(allocation)
        nodes = [node for node in map(decode, state.objects.get("nodes", ())) if isinstance(node, Node)]
    except (ValueError, DecodeErrors) as error:
        return f"status.allocation is malformed: {error}"
    return problem_with(check, decoded, nodes)


def _problem_with_fact(scenario: ObservedScenario, step: int, fact: Fact) -> str:
    value = scenario.value(fact, step)
    if value is NOT_REPORTED:
        return ""
    if fact.value is PRESENT:
        return f"{fact.path} of {fact.subject}: expected a value, got none" if value is ABSENT else ""
    if fact.value is NEW_SHARES:
        shares = sorted(share_ids_of(value))
        known = ", ".join(shares) or "none"
        new = has_new_shares(scenario.earlier(step), value)
        return "" if new else f"{fact.subject}: expected new share IDs, got {known}"
    expected = scenario.value(fact, step, before=True) if fact.value is BEFORE else fact.value
    if same(expected, value, fact.path):
        return ""
    if fact.path.startswith(f"{EVENT} "):
        event, _, words = fact.path.partition(" with ")
        message = f" with the message {words!r}" if words else ""
        return f"expected the {event.strip()} of {fact.subject}{message}, got none"
    if fact.path.startswith(f"{LOG} "):
        line = f"a line with {' and '.join(map(repr, logged_words(fact.path)))} in the log of the {fact.name}"
        return f"expected {line}, got none" if fact.value is not ABSENT else f"unexpected: {line}"
    if fact.path == "metadata":
        return f"{fact.subject} exists, expected that it does not"
    if fact.value is BEFORE:
        return f"{fact.path} of {fact.subject}: expected unchanged {expected!r}, got {value!r}"
    return difference(expected, value, fact.path, fact.subject)

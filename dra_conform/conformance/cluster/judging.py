"""The judge of a scenario: first the invariants of every cluster, then the expectations of each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dra_conform.conformance.admit.answer import AdmissionAnswer
from dra_conform.conformance.admit.expectation import PRESENT
from dra_conform.conformance.admit.judging import judge_write, same
from dra_conform.conformance.allocate.allocation_read import read_allocation
from dra_conform.conformance.allocate.expectation import Check
from dra_conform.conformance.allocate.matching import problem_with
from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster.answer import StoryAnswer
from dra_conform.conformance.cluster.expectation import BEFORE, NEW_SHARES, ActExpectation, Fact
from dra_conform.conformance.cluster.invariants.table import broken
from dra_conform.conformance.cluster.observed_scenario import (
    ObservedScenario,
    State,
    has_new_shares,
    shares_of,
)
from dra_conform.conformance.cluster.other_observations import UNTOLD
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.core import Node
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import Profile

Json = Any


def judge(
    case: Case, profile: Profile, expectations: Expectations, answer: StoryAnswer, strict: bool
) -> Judgement:
    """First the shape, then each act, then what holds in every cluster.

    With `strict` the claims of a case that pins a choice between equal devices count, too.
    """
    actions = case.ask["actions"]
    if len(answer.observations) != len(actions):
        message = f"{len(actions)} actions have {len(answer.observations)} observations"
        return Judgement(Verdict.FAIL, Kind.WRONG_OUTCOME, (Finding("shape", message),))
    story = ObservedScenario.of(case.objects, case.ask, answer.observations)
    told = list(_told(case, story, expectations, strict=strict))
    invalid = list(broken(story, profile))
    if invalid:
        return Judgement(Verdict.FAIL, Kind.INVALID_STATE, (*invalid, *(one for _, one in told)))
    if told:
        return Judgement(Verdict.FAIL, told[0][0], tuple(one for _, one in told))
    return PASSED


def _told(
    case: Case, story: ObservedScenario, expectations: Expectations, *, strict: bool
) -> Iterator[tuple[Kind, Finding]]:
    """What is wrong with each act, with the sort of failure."""
    for act, expectation in enumerate(expectations):
        if expectation is None:
            continue
        assert isinstance(expectation, ActExpectation)
        for kind, finding in _of_act(case, story, act, expectation, strict=strict):
            yield kind, replace(finding, act=act)


def _of_act(
    case: Case, story: ObservedScenario, act: int, expectation: ActExpectation, *, strict: bool
) -> Iterator[tuple[Kind, Finding]]:
    if expectation.write is not None:
        observed = story.observations[act]
        if isinstance(observed, AdmissionAnswer):
            judgement = judge_write(expectation.write, story.actions[act].get("object", {}), observed, strict)
            kind = judgement.kind or Kind.WRONG_RESULT
            yield from ((kind, finding) for finding in judgement.findings)
        elif expectation.write.refuses:
            message = f"expected {expectation.write.outcome.value}, the object was deleted"
            yield Kind.WRONG_OUTCOME, Finding("expectation", message, step=0)
    state, _ = story.newest(act)
    for check in expectation.claims if strict or not case.order else ():
        problem = _problem_with_claim(state, check)
        if problem:
            yield (
                Kind.WRONG_RESULT,
                Finding("expectation", f"claim {check.claim}: {problem}", step=check.step),
            )
    for fact in expectation.facts:
        problem = _problem_with_fact(story, act, fact)
        if problem:
            yield Kind.WRONG_RESULT, Finding("expectation", problem, step=fact.step)


def _problem_with_claim(state: State, check: Check) -> str:
    claim = state.find("ResourceClaim", check.claim)
    if claim is None:
        return "it does not exist"
    allocation = field_at(claim, "status.allocation")
    if allocation is ABSENT:
        return "it is not allocated"
    try:
        read = read_allocation(allocation)
        nodes = [one for one in map(decode, state.objects.get("nodes", ())) if isinstance(one, Node)]
    except (ValueError, DecodeErrors) as error:
        return f"its allocation cannot be read: {error}"
    return problem_with(check, read, nodes)


def _problem_with_fact(story: ObservedScenario, act: int, fact: Fact) -> str:
    value = story.value(fact, act)
    if value is UNTOLD:
        return ""
    if fact.value is PRESENT:
        return f"{fact.path} of {fact.subject} should be set" if value is ABSENT else ""
    if fact.value is NEW_SHARES:
        shares = sorted(shares_of(value))
        known = f"has the shares {', '.join(shares)}" if shares else "has no shares"
        new = has_new_shares(story.earlier(act), value)
        return "" if new else f"{fact.subject} {known}, expected new ones"
    wanted = story.value(fact, act, before=True) if fact.value is BEFORE else fact.value
    if same(wanted, value):
        return ""
    if fact.path == "metadata":
        return f"{fact.subject} exists"
    return f"{fact.path} of {fact.subject} should be {wanted!r}, it is {value!r}"

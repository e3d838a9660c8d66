"""The judge, the built-in allocator and the textbook allocator are independent and must agree."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings

from dra_conform.adapters.answers import to_reply
from dra_conform.adapters.builtin import Builtin
from dra_conform.allocator import Allocated, Failed
from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.allocate.operation import Allocate
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.features import GATES, profile_of
from dra_conform.conformance.implementation import Reply, Request
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.suite.selection import select
from dra_conform.conformance.verdict import Verdict
from dra_conform.fuzz.generation.profile_fields import ProfileFields
from dra_conform.fuzz.generation.random_scenario import KNOWN_FEATURES
from dra_conform.fuzz.generation.strategies import stream
from dra_conform.kube.profile import PROFILES, Profile
from dra_conform.simulation.parts import MalformedInput, decide
from tests.reference.right import AnyFitting
from tests.reference.textbook import Textbook
from tests.support.quality.tiny_worlds import tiny_cases
from tests.support.rows import mostly_slow

ALLOCATE = Allocate()

BUILTIN = Builtin()
LISTS = "DRAListTypeAttributes"
SELECTOR_ERRORS = {"SelectorCompileError", "SelectorRuntimeError"}
MANY_ATTEMPTS = "dra/sizes/list-shrinks-"
"""Cases for which releases before 1.36 try hundreds of thousands of devices."""


def answer_of(allocator: Any, case: Case, profile: Profile) -> AllocationAnswer:
    body = allocator.allocate(case.objects, case.ask, profile)
    request = Request(0, case.id, case.operation, profile, case.objects, case.ask)
    reply = to_reply(request, {"type": "result", "status": "ok", **body})
    assert isinstance(reply, Reply), reply
    assert reply.answer is not None, reply
    return reply.answer


def accepted(case: Case, profile: Profile, answer: AllocationAnswer) -> bool:
    """Return whether something was allocated. The judge must accept it."""
    if answer.outcome is not Outcome.ALLOCATED:
        return False
    judgement = ALLOCATE.judge(case, profile, case.expected(profile.name), answer, strict=False)
    assert judgement.verdict is Verdict.PASS, (case.id, judgement.findings)
    return True


@pytest.mark.parametrize(
    "name", mostly_slow(["kep", "kubernetes-1.34", "kubernetes-1.36", "kubernetes-1.37"])
)
def test_the_judge_accepts_allocations_of_the_builtin(name: str) -> None:
    @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(tiny_cases())
    def check(case: Case) -> None:
        profile, _ = profile_of(case, name)
        answer = answer_of(BUILTIN, case, profile)
        event(answer.outcome.value)
        accepted(case, profile, answer)

    check()


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(tiny_cases())
def test_the_textbook_and_the_builtin_have_equal_outcomes(case: Case) -> None:
    profile, _ = profile_of(case, "kep")
    builtin = answer_of(BUILTIN, case, profile)
    textbook = answer_of(Textbook(), case, profile)
    assert builtin.outcome is textbook.outcome, (builtin, textbook)
    accepted(case, profile, textbook)


# Random scenarios with every feature.


@pytest.mark.slow
@pytest.mark.parametrize("name", PROFILES)
def test_the_judge_accepts_random_allocations_of_every_feature(name: str) -> None:
    base = Profile.named(name)
    met: Counter[bool] = Counter()
    for number, scenario in enumerate(islice(stream(1, KNOWN_FEATURES, ProfileFields.of(base)), 500)):
        case = scenario.case(f"world/{number}")
        if all(base.has(GATES[feature]) for feature in case.features if feature in GATES):
            profile, _ = profile_of(case, name)
            met[accepted(case, profile, answer_of(BUILTIN, case, profile))] += 1
    assert min(met[True], met[False]) > 50


@pytest.mark.slow
@pytest.mark.parametrize("allocator", [Textbook, AnyFitting])
def test_the_textbook_allocates_where_the_builtin_does(allocator: type[Textbook]) -> None:
    """Compare outcomes, except where the specification leaves them open.

    If a selector fails on some devices, the order of the search decides. Disabled list attributes are not specified.
    """
    met: Counter[bool] = Counter()
    for number, scenario in enumerate(
        islice(stream(2, KNOWN_FEATURES, ProfileFields.of(Profile.named("kep"))), 1200)
    ):
        case = scenario.case(f"world/{number}")
        if case.gates.get(LISTS) is False:
            continue
        profile, _ = profile_of(case, "kep")
        builtin = answer_of(BUILTIN, case, profile)
        textbook = answer_of(allocator(), case, profile)
        if any(
            reason.category in SELECTOR_ERRORS for answer in (builtin, textbook) for reason in answer.reasons
        ):
            continue
        allocated = accepted(case, profile, textbook)
        assert accepted(case, profile, builtin) is allocated, (case.id, builtin, textbook)
        met[allocated] += 1
    assert min(met[True], met[False]) > 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "kep",
        *(
            pytest.param(release, marks=pytest.mark.slow)
            for release in ("kubernetes-1.34", "kubernetes-1.37")
        ),
    ],
)
def test_explaining_changes_nothing(name: str, shipped_suite: LoadedSuite) -> None:
    """The search skips attempts unless it explains them. Both have equal outcomes on the whole suite.

    Releases that a case does not name decide it, too, except where they would search for seconds.
    """

    def outcome_of(case: Case, *, explain: bool) -> object:
        profile, _ = profile_of(case, name)
        decision = decide(case.objects, case.ask, profile, explain=explain)
        match decision:
            case Allocated(allocations=allocations):
                return allocations
            case Failed(category=category, message=message):
                return category, message
            case MalformedInput():
                return decision
            case _:
                return None

    cases = select(shipped_suite.cases, "operation:allocate")
    too_long = {case.id for case in cases if case.id.startswith(MANY_ATTEMPTS)}
    too_long -= {case.id for case in applicable(cases, name)}
    for case in cases:
        if case.id in too_long:
            continue
        assert outcome_of(case, explain=False) == outcome_of(case, explain=True), case.id

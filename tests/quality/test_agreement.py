"""The judge, the built-in allocator and the textbook are written apart from each other and must agree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings

from dra_conform.adapters.answers import to_reply
from dra_conform.adapters.builtin import Builtin
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import Reply
from dra_conform.conformance.judge import judge
from dra_conform.conformance.outcome import Answer, Outcome
from dra_conform.conformance.runner import profile_of
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.profile import Profile
from tests.quality.textbook import Textbook
from tests.quality.tiny_worlds import tiny_cases

Json = Any
BUILTIN = Builtin()


def answer_of(allocator: Any, case: Case, profile: Profile) -> Answer:
    body = allocator.allocate(case.objects, case.action.ask, profile)
    reply = to_reply(0, {"type": "result", "status": "ok", **body})
    assert isinstance(reply, Reply), reply
    assert reply.answer is not None, reply
    return reply.answer


@pytest.mark.parametrize("name", ["kep", "kubernetes-1.34", "kubernetes-1.36", "kubernetes-1.37"])
def test_what_the_builtin_allocates_the_judge_accepts(name: str) -> None:
    @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(tiny_cases())
    def check(case: Case) -> None:
        profile, _ = profile_of(case, name)
        answer = answer_of(BUILTIN, case, profile)
        event(answer.outcome.value)
        if answer.outcome is Outcome.ALLOCATED:
            judgement = judge(case, profile, answer)
            assert judgement.verdict is Verdict.PASS, judgement.findings

    check()


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(tiny_cases())
def test_the_textbook_decides_as_the_builtin(case: Case) -> None:
    profile, _ = profile_of(case, "kep")
    builtin = answer_of(BUILTIN, case, profile)
    textbook = answer_of(Textbook(), case, profile)
    assert builtin.outcome is textbook.outcome, (builtin, textbook)
    if textbook.outcome is Outcome.ALLOCATED:
        judgement = judge(case, profile, textbook)
        assert judgement.verdict is Verdict.PASS, judgement.findings

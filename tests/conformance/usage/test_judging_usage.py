"""The judge of quota usage: correct answers pass, wrong answers and negations fail."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import negations_of
from dra_conform.conformance.usage.operation import Usage
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.profile import Profile
from tests.support.conformance.suite.writing import feature

USAGE = Usage()

RIGHT = {"outcome": "counted", "used": {"requests.cpu": "1000m", "pods": "2"}}
THEN = ('the namespace uses 1 of "requests.cpu"', 'the namespace uses 0 of "requests.example.com/gpu"')


def case_of(*then: str) -> Case:
    steps = "".join(f"    Then {one}\n" for one in then)
    (case,) = feature(
        f'Feature: T\n  @case:one\n  Scenario: One\n    When the quota usage of namespace "default" is computed\n{steps}'
    )
    return case


def verdict(body: dict[str, Any]) -> tuple[Verdict, str]:
    expectations = tuple(act.expectation for act in case_of(*THEN).case_steps)
    judgement = USAGE.judge(
        case_of(*THEN), Profile.named("kep"), expectations, USAGE.read(body), strict=False
    )
    return judgement.verdict, "; ".join(one.message for one in judgement.findings)


def test_quotas_without_expectation_are_not_compared() -> None:
    assert verdict(RIGHT) == (Verdict.PASS, "")


@pytest.mark.parametrize(
    ("used", "said"),
    [
        ({}, "requests.cpu: expected 1, got 0"),
        ({"requests.cpu": "1001m"}, "requests.cpu: expected 1, got 1001m"),
        ({"requests.cpu": "1", "requests.example.com/gpu": "1"}, "requests.example.com/gpu: expected 0"),
        ({"requests.cpu": "much"}, "is not a quantity"),
    ],
)
def test_wrong_quantities_fail(used: dict[str, str], said: str) -> None:
    found, message = verdict({"outcome": "counted", "used": used})
    assert found is Verdict.FAIL
    assert said in message


def test_negations_fail() -> None:
    case = case_of(*THEN)
    turned = list(negations_of(USAGE, tuple(act.expectation for act in case.case_steps)))
    assert len(turned) == len(THEN)
    for words, expectations in turned:
        judgement = USAGE.judge(case, Profile.named("kep"), expectations, USAGE.read(RIGHT), strict=True)
        assert judgement.verdict is Verdict.FAIL, words


def test_documents() -> None:
    case = case_of(*THEN)
    wanted = USAGE.expected(tuple(act.expectation for act in case.case_steps))
    one, other = USAGE.align(case, "kep", wanted, USAGE.actual(USAGE.read(RIGHT)))
    assert one == other


def test_duplicate_quotas() -> None:
    with pytest.raises(InputError, match=r"the quota requests\.cpu twice"):
        case_of(THEN[0], THEN[0])


def test_read_and_write() -> None:
    assert USAGE.write(USAGE.read(RIGHT)) == RIGHT


@pytest.mark.parametrize("body", [{}, {"outcome": "refused"}, {"outcome": "counted"}])
def test_malformed_answers(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        USAGE.read(body)

"""The judge of node resource usage: correct answers pass, wrong answers and negations fail."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.footprint.answer import read, write
from dra_conform.conformance.footprint.operation import Footprint
from dra_conform.conformance.operation import negations_of
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.profile import Profile
from tests.support.conformance.suite.writing import feature

FOOTPRINT = Footprint()

GIVEN = 'Feature: T\n  @case:one\n  Scenario: One\n    Given a pod "p" that uses ResourceClaim "c"\n'
WHEN = '    When the node resource usage of pod "p" is computed\n'
RIGHT = {
    "outcome": "counted",
    "resources": {"cpu": "5", "memory": "1Gi"},
    "claims": [{"claim": "c", "containers": ["b", "a"], "resources": {"cpu": "4000m"}}],
}
REFUSED = {"outcome": "refused", "reason": "OverBudget", "message": "too much"}
COUNTED = (
    'the pod uses 5 of "cpu" and 1024Mi of "memory"',
    'ResourceClaim "c" uses 4 of "cpu" for containers "a, b"',
    'ResourceClaim "d" uses no node resources',
)


def case_of(*then: str) -> Case:
    (case,) = feature(GIVEN + WHEN + "".join(f"    Then {one}\n" for one in then))
    return case


def verdict(case: Case, body: dict[str, Any]) -> tuple[Verdict, str]:
    expectations = tuple(act.expectation for act in case.case_steps)
    judgement = FOOTPRINT.judge(case, Profile.named("kep"), expectations, read(body), strict=False)
    return judgement.verdict, "; ".join(one.message for one in judgement.findings)


def test_the_correct_answer_passes() -> None:
    assert verdict(case_of(*COUNTED), RIGHT) == (Verdict.PASS, "")
    assert verdict(case_of("the node resource usage cannot be computed because of OverBudget"), REFUSED) == (
        Verdict.PASS,
        "",
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"resources": {"cpu": "5"}}, "usage of the pod: memory: expected 1Gi, got 0"),
        (
            {"resources": {"cpu": "5", "memory": "1Gi", "pods": "1"}},
            "usage of the pod: pods: expected 0, got 1",
        ),
        ({"resources": {"cpu": "5001m", "memory": "1Gi"}}, "usage of the pod: cpu: expected 5, got 5001m"),
        ({"claims": []}, "usage of ResourceClaim c: cpu: expected 4, got 0"),
        (
            {"claims": [{"claim": "c", "containers": ["a"], "resources": {"cpu": "4"}}]},
            "containers: expected a, b, got a",
        ),
        (
            {"claims": [*RIGHT["claims"], {"claim": "d", "resources": {}}]},
            "usage of ResourceClaim d: expected no entry",
        ),
        (
            {"claims": [{**RIGHT["claims"][0], "overhead": {"cpu": {"perPod": "1"}}}]},
            "overhead of cpu: perPod: expected 0, got 1",
        ),
        ({"resources": {"cpu": "much"}}, "is not a quantity"),
    ],
)
def test_wrong_quantities_fail(changed: dict[str, Any], said: str) -> None:
    found, message = verdict(case_of(*COUNTED), {**RIGHT, **changed})
    assert found is Verdict.FAIL
    assert said in message


def test_a_wrong_outcome_fails() -> None:
    assert verdict(case_of(*COUNTED), REFUSED)[0] is Verdict.FAIL
    assert verdict(case_of("the node resource usage cannot be computed"), RIGHT)[0] is Verdict.FAIL
    over = case_of("the node resource usage cannot be computed because of ClaimShared")
    assert verdict(over, REFUSED) == (Verdict.FAIL, "expected error ClaimShared, got OverBudget")


@pytest.mark.parametrize(
    "then", [COUNTED, ("the node resource usage cannot be computed because of OverBudget",)]
)
def test_negations_fail(then: tuple[str, ...]) -> None:
    case = case_of(*then)
    answer = read(RIGHT if then is COUNTED else REFUSED)
    turned = list(negations_of(FOOTPRINT, tuple(act.expectation for act in case.case_steps)))
    assert len(turned) >= 2
    for words, expectations in turned:
        judgement = FOOTPRINT.judge(case, Profile.named("kep"), expectations, answer, strict=True)
        assert judgement.verdict is Verdict.FAIL, words


@pytest.mark.parametrize("body", [RIGHT, REFUSED])
def test_read_and_write(body: dict[str, Any]) -> None:
    assert write(read(body)) == body


@pytest.mark.parametrize(
    "body",
    [{}, {"outcome": "counted"}, {"outcome": "refused"}, {"outcome": "refused", "reason": "Because"}],
)
def test_malformed_answers(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read(body)

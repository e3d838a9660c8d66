"""The judge of scheduling attempts: correct answers pass, wrong answers and negations fail."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import negations_of
from dra_conform.conformance.schedule.answer import read, write
from dra_conform.conformance.schedule.operation import Schedule
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.profile import Profile
from tests.support.conformance.suite.writing import feature

SCHEDULE = Schedule()

TEXT = """\
Feature: T
  @case:one
  Scenario: One
    Given a node "left"
    And a node "right"
    And the device
      | device | node |
      | gpu-0  | left |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When scheduling of pod "p" up to Reserve is attempted
    Then Filter on node "right" returns UnschedulableAndUnresolvable with reason "cannot allocate"
    And Reserve on node "left" returns Success
    And after Reserve only ResourceClaim "c" is in flight
    And after Reserve ResourceClaim "c" is not allocated
    And PreBind is not reached
    When the binding cycle of pod "p" runs
    Then after PreBind ResourceClaim "c" is allocated exactly "gpu-0"
    And after PreBind ResourceClaim "c" is reserved for pod "p"
    When another client deletes node "right"
    Then pod "p" is not retried
"""
POD: Any = {"kind": "Pod", "metadata": {"name": "p", "namespace": "default"}}
CLAIM: Any = {"kind": "ResourceClaim", "metadata": {"name": "c", "namespace": "default"}}
STATUS = {
    "allocation": {"devices": {"results": [{"driver": "d", "pool": "p", "device": "gpu-0"}]}},
    "reservedFor": [{"name": "p", "uid": "1"}],
}
RIGHT: Any = {
    "outcome": "tried",
    "observations": [
        {
            "outcome": "attempted",
            "phases": [
                {"phase": "Filter", "node": "left", "code": "Success"},
                {
                    "phase": "Filter",
                    "node": "right",
                    "code": "UnschedulableAndUnresolvable",
                    "reasons": ["Cannot allocate all claims"],
                },
                {
                    "phase": "Reserve",
                    "node": "left",
                    "code": "Success",
                    "objects": {"resourceClaims": [CLAIM], "pods": [POD]},
                    "inFlight": [{"kind": "ResourceClaim", "name": "c", "namespace": "default"}],
                },
            ],
        },
        {
            "outcome": "attempted",
            "phases": [
                {
                    "phase": "PreBind",
                    "node": "left",
                    "code": "Success",
                    "objects": {"resourceClaims": [{**CLAIM, "status": STATUS}], "pods": [POD]},
                    "inFlight": [],
                }
            ],
        },
        {"outcome": "changed", "triedAgain": []},
    ],
}


def case() -> Case:
    (one,) = feature(TEXT)
    return one


def verdict(body: dict[str, Any]) -> tuple[Verdict, str]:
    expectations = tuple(act.expectation for act in case().case_steps)
    judgement = SCHEDULE.judge(case(), Profile.named("kep"), expectations, read(body), strict=False)
    return judgement.verdict, "; ".join(one.message for one in judgement.findings)


def test_phases_without_expectation_are_not_compared() -> None:
    assert verdict(RIGHT) == (Verdict.PASS, "")


@pytest.mark.parametrize(("strict", "expected"), [(False, Verdict.PASS), (True, Verdict.FAIL)])
def test_an_open_choice_of_devices_counts_only_if_strict(*, strict: bool, expected: Verdict) -> None:
    (chosen,) = feature(TEXT.replace("@case:one", "@case:one @order"))
    expectations = tuple(step.expectation for step in chosen.case_steps)
    other = deepcopy(RIGHT)
    claims = other["observations"][1]["phases"][0]["objects"]["resourceClaims"]
    claims[0]["status"]["allocation"]["devices"]["results"][0]["device"] = "gpu-1"
    judgement = SCHEDULE.judge(chosen, Profile.named("kep"), expectations, read(other), strict=strict)
    assert judgement.verdict is expected


def _with(*path: str | int, value: Any) -> Any:
    body = deepcopy(RIGHT)
    *outer, last = path
    inner = body["observations"]
    for one in outer:
        inner = inner[one]
    inner[last] = value
    return body


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (_with(0, "phases", 1, "code", value="Unschedulable"), "expected UnschedulableAndUnresolvable"),
        (_with(0, "phases", 1, "reasons", value=["no"]), "expected a reason with 'cannot allocate'"),
        (
            _with(0, "phases", 2, "node", value="right"),
            "Reserve on node left: expected Success, but the phase is not reached",
        ),
        (_with(0, "phases", 2, "phase", value="PreBind"), "PreBind: expected not to be reached, got Success"),
        (
            _with(0, "phases", 2, "inFlight", value=[]),
            "after Reserve: expected in flight: ResourceClaim default/c; got: none",
        ),
        (
            _with(0, "phases", 2, "inFlight", value=None),
            "ResourceClaims in flight, but they are not reported",
        ),
        (
            _with(0, "phases", 2, "inFlight", value=[{"kind": "ResourceClaim", "specialOf": "default/p"}]),
            "got: the extended-resource claim of pod default/p",
        ),
        (_with(0, "phases", 2, "objects", value={"resourceClaims": [{**CLAIM, "status": STATUS}]}), "gpu-0"),
        (_with(0, "phases", 2, "objects", value={}), "no such ResourceClaim"),
        (
            _with(1, "phases", 0, "objects", value={"resourceClaims": [CLAIM]}),
            "expected ['gpu-0'], got absent",
        ),
        (_with(2, "triedAgain", value=["default/p"]), "pod default/p: expected no retry, got one"),
        (
            {**RIGHT, "observations": RIGHT["observations"][:2]},
            "expected 3 observations, one for each action, got 2",
        ),
    ],
)
def test_a_wrong_attempt_fails(body: dict[str, Any], said: str) -> None:
    found, message = verdict(body)
    assert found is Verdict.FAIL
    assert said in message


def test_negations_fail() -> None:
    turned = list(negations_of(SCHEDULE, tuple(act.expectation for act in case().case_steps)))
    assert len(turned) == 8
    for words, expectations in turned:
        judgement = SCHEDULE.judge(case(), Profile.named("kep"), expectations, read(RIGHT), strict=True)
        assert judgement.verdict is Verdict.FAIL, words


def test_documents() -> None:
    wanted = SCHEDULE.expected(tuple(act.expectation for act in case().case_steps))
    one, other = SCHEDULE.align(case(), "kep", wanted, SCHEDULE.actual(read(RIGHT)))
    assert one == other
    wrong = SCHEDULE.actual(read(_with(0, "phases", 1, "code", value="Error")))
    one, other = SCHEDULE.align(case(), "kep", wanted, wrong)
    assert [key for key in one["step 1"] if one["step 1"][key] != other["step 1"][key]] == ["Filter on right"]


def test_read_and_write() -> None:
    assert write(read(RIGHT)) == RIGHT


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"outcome": "observed", "observations": []},
        {"outcome": "tried", "observations": [{"outcome": "attempted"}]},
        {"outcome": "tried", "observations": [{"outcome": "else"}]},
        _with(0, "phases", 0, "phase", value="Dream"),
        _with(0, "phases", 0, "code", value="Skip"),
    ],
)
def test_malformed_answers(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each says something else
        read(body)

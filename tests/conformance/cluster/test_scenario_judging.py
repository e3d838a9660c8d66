"""The judge of scenarios: correct observations pass, and each wrong one is found at its step."""

from __future__ import annotations

import pytest

from dra_conform.conformance.cluster.operation import Cluster
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.operation import negations_of
from dra_conform.conformance.verdict import Kind, Verdict
from tests.support.conformance.cluster.scenarios import (
    REFUSED,
    SHARE,
    Json,
    answer,
    claim,
    judged,
    pod,
    result,
    right,
    scenario_case,
    settled,
)

CLUSTER = Cluster()

CASE = scenario_case()


def test_correct_observations_pass() -> None:
    assert judged(CASE, *right(CASE)).verdict is Verdict.PASS


def test_too_few_observations() -> None:
    judgement = judged(CASE, *right(CASE)[:2])
    assert judgement.findings[0].message == "expected 3 observations, one for each action, got 2"


def _state(*claims: Json, pods: tuple[Json, ...] = (pod("p", "c"),)) -> Json:
    return settled(CASE, list(claims), list(pods))


GOOD = claim("c", result(), pods=("p",))
WRONG: dict[str, tuple[int, Json, Kind, str]] = {
    "a pod that is pending": (
        0,
        _state(GOOD, pods=(pod("p", "c", phase="Pending"),)),
        Kind.WRONG_RESULT,
        "status.phase of Pod p: expected 'Running', got 'Pending'",
    ),
    "other quantities": (
        0,
        _state(claim("c", result(consumed="4"), pods=("p",))),
        Kind.WRONG_RESULT,
        "ResourceClaim default/c: expected a result with consumedCapacity 3 of bw, got none",
    ),
    "no claim": (
        0,
        _state(pods=()),
        Kind.WRONG_RESULT,
        "ResourceClaim default/c: expected an allocation, but the ResourceClaim does not exist",
    ),
    "an allocation that cannot be read": (
        0,
        _state(claim("c", {**result(), "request": 5}, pods=("p",))),
        Kind.WRONG_RESULT,
        "ResourceClaim default/c: status.allocation is malformed",
    ),
    "a write that is stored": (
        1,
        {"outcome": "admitted", "object": claim("c")},
        Kind.WRONG_OUTCOME,
        "expected rejected, got admitted",
    ),
    "another reservation": (
        2,
        _state(claim("c", result(), pods=("p", "q")), pods=(pod("p", "c"), pod("q", "c"))),
        Kind.WRONG_RESULT,
        "status.reservedFor of ResourceClaim c: expected ['p'], got ['p', 'q']",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_observations(name: str) -> None:
    act, observation, kind, message = WRONG[name]
    observations = right(CASE)
    observations[act] = observation
    judgement = judged(CASE, *observations)
    assert judgement.verdict is Verdict.FAIL
    assert judgement.kind in (kind, Kind.INVALID_STATE)
    assert any(one.case_step == act and one.message.startswith(message) for one in judgement.findings)


def test_negations_fail() -> None:
    expectations = CASE.expected("kep")
    turned = list(negations_of(CLUSTER, expectations))
    assert len(turned) == 7
    profile, _ = profile_of(CASE, "kep")
    for words, other in turned:
        judgement = CLUSTER.judge(CASE, profile, other, answer(*right(CASE)), strict=True)
        assert judgement.verdict is Verdict.FAIL, words


def test_documents() -> None:
    expectations = CASE.expected("kep")
    wanted, told = CLUSTER.expected(expectations), CLUSTER.actual(answer(*right(CASE)))
    left, right_side = CLUSTER.align(CASE, "kep", wanted, told)
    assert (left["step 1"], left["step 3"]) == (right_side["step 1"], right_side["step 3"])
    observations = right(CASE)
    observations[0] = _state(GOOD, pods=(pod("p", "c", phase="Pending"),))
    left, other = CLUSTER.align(CASE, "kep", wanted, CLUSTER.actual(answer(*observations)))
    assert (left["step 1"]["Pod p"]["status.phase"], other["step 1"]["Pod p"]["status.phase"]) == (
        "Running",
        "Pending",
    )


def test_read_and_write() -> None:
    told = answer(
        *right(CASE),
        {"outcome": "admitted", "object": {"kind": "Pod"}},
        {"outcome": "done"},
        {"outcome": "deleted"},
        {"outcome": "missing"},
        {"outcome": "found", "object": {"kind": "Pod"}},
    )
    assert CLUSTER.read(CLUSTER.write(told)) == told


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"outcome": "observed"},
        {"outcome": "admitted", "observations": []},
        {"outcome": "observed", "observations": [{}]},
        {"outcome": "observed", "observations": [{"outcome": "fine"}]},
        {"outcome": "observed", "observations": [{"outcome": "found"}]},
        {"outcome": "observed", "observations": [{"outcome": "settled"}]},
        {"outcome": "observed", "observations": [{"outcome": "settled", "objects": {"pods": [1]}}]},
        {"outcome": "observed", "observations": [{"outcome": "rejected"}]},
    ],
)
def test_malformed_answers(body: Json) -> None:
    with pytest.raises(ValueError, match=r"."):
        CLUSTER.read(body)


def test_a_rejected_write_changes_nothing() -> None:
    changed = {**GOOD, "spec": {"devices": {"requests": [{"name": "wrong"}]}}}
    state = _state(GOOD)
    judgement = judged(CASE, state, REFUSED, _state(changed))
    assert judgement.kind is Kind.INVALID_STATE
    [finding] = judgement.findings
    assert (finding.rule, finding.case_step) == ("rejected-writes-change-nothing", 1)


SHARES = """\
Feature: T
  @case:one
  Scenario: One
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "c" requesting 3 of "bw"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then ResourceClaim "c" is allocated
    When the cluster reaches a steady state
    Then ResourceClaim "c" has new share IDs
"""
OTHER = "11111111-2222-4333-8444-555555555555"


@pytest.mark.parametrize(
    ("then", "wrong"),
    [
        (claim("c", result(share=OTHER), pods=("p",)), ""),
        (GOOD, f"ResourceClaim c: expected new share IDs, got {SHARE}"),
        (claim("c", pods=("p",)), "ResourceClaim c: expected new share IDs, got none"),
    ],
)
def test_new_shares(then: Json, wrong: str) -> None:
    case = scenario_case(SHARES)
    said = answer(_state(GOOD), _state(then))
    findings = judged(case, *CLUSTER.write(said)["observations"]).findings
    assert [one.message for one in findings if one.rule == "expectation"] == ([wrong] if wrong else [])
    left, right_side = CLUSTER.align(
        case, "kep", CLUSTER.expected(case.expected("kep")), CLUSTER.actual(said)
    )
    assert (left["step 2"] == right_side["step 2"]) is not bool(wrong)


READING = """\
Feature: T
  @case:one
  Scenario: One
    Given a ResourceClaim "c" requesting no capacity
    When ResourceClaim "c" is read in version "v1beta1"
"""


def test_a_read_in_a_version_that_is_not_served() -> None:
    case = scenario_case(READING + "    Then the API version is not served\n")
    assert judged(case, {"outcome": "missing"}).verdict is Verdict.PASS
    found = judged(case, {"outcome": "found", "object": claim("c")})
    assert [one.message for one in found.findings] == ["the object read exists, expected that it does not"]


def test_a_read_field_with_any_value() -> None:
    case = scenario_case(READING + '    Then the field "status.allocation" is set\n')
    wanted = CLUSTER.expected(case.expected("kep"))
    for one, wrong in (
        (GOOD, []),
        (claim("c"), ["status.allocation of the object read: expected a value, got none"]),
    ):
        said = answer({"outcome": "found", "object": one})
        assert [
            found.message for found in judged(case, *CLUSTER.write(said)["observations"]).findings
        ] == wrong
        left, right_side = CLUSTER.align(case, "kep", wanted, CLUSTER.actual(said))
        assert (left != right_side) is bool(wrong)


LISTING = """\
Feature: T
  @case:one
  Scenario: One
    Given a ResourceClaim "c" requesting no capacity
    When ResourceSlices are listed by spec.driver "dra.example.com"
"""


@pytest.mark.parametrize(
    ("then", "names", "wrong"),
    [
        ('the list has only ResourceSlices "b, a"', ["a", "b"], ""),
        ('the list has only ResourceSlice "a"', ["b", "a"], "expected ['a'], got ['a', 'b']"),
        ("the list has no ResourceSlice", [], ""),
        ("the list has no ResourceSlice", ["a"], "expected [], got ['a']"),
    ],
)
def test_a_list_has_the_named_objects_only(then: str, names: list[str], wrong: str) -> None:
    case = scenario_case(LISTING + f"    Then {then}\n")
    found = {"kind": "ResourceSliceList", "items": [{"metadata": {"name": name}} for name in names]}
    findings = judged(case, {"outcome": "found", "object": found}).findings
    where = "items[*] of the object read: "
    assert [finding.message for finding in findings] == ([where + wrong] if wrong else [])


def test_a_list_that_is_not_served_is_not_empty() -> None:
    case = scenario_case(LISTING + "    Then the list has no ResourceSlice\n")
    assert judged(case, {"outcome": "missing"}).verdict is Verdict.FAIL


@pytest.mark.parametrize("items", [5, "a", [1], {"a": {}}], ids=str)
def test_a_malformed_list_is_not_empty(items: Json) -> None:
    case = scenario_case(LISTING + "    Then the list has no ResourceSlice\n")
    judgement = judged(case, {"outcome": "found", "object": {"items": items}})
    assert judgement.verdict is Verdict.FAIL
    assert judgement.findings[0].message.startswith("items[*] of the object read: expected [], got ")

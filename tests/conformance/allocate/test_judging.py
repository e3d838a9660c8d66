"""The judge of an allocation: outcomes, malformed answers, reasons, choices, profiles; it never raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome, Reason
from dra_conform.conformance.allocate.operation import Allocate
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.verdict import Kind, Verdict
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import RELEASE_PROFILES
from tests.support.conformance.allocate.judging import (
    allocated,
    case_of,
    dedicated,
    judged,
    rules,
    share,
    uid,
)
from tests.support.draws import examples

ALLOCATE = Allocate()


GIVEN = """
- devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10}}, {device: e, allowMultipleAllocations: true, capacity: {bw: 10}}]
- resourceClaim: {name: c, capacity: {bw: 3}}
"""
RIGHT = share("d", bw="3")


def refused(outcome: Outcome, *categories: str) -> AllocationAnswer:
    return AllocationAnswer(
        outcome, {}, tuple(Reason(category, message=f"it is {category}") for category in categories)
    )


# --- outcomes ----------------------------------------------------------------------------------------------

NOTHING, ERRORED, REJECTED = Outcome.UNALLOCATABLE, Outcome.ERRORED, Outcome.REJECTED


@pytest.mark.parametrize(
    ("then", "right"),
    [
        ("[{allocated: c}]", {Outcome.ALLOCATED}),
        ("[{unallocatable: true}]", {NOTHING}),
        ("[{allocationError: true}]", {ERRORED}),
        ("[{nothingAllocated: true}]", {NOTHING, ERRORED, REJECTED}),
    ],
)
def test_outcomes(then: str, right: set[Outcome]) -> None:
    case = case_of(GIVEN, then=then)
    for outcome in Outcome:
        answer = allocated(RIGHT) if outcome is Outcome.ALLOCATED else refused(outcome, "Other")
        judgement = judged(case, answer)
        if outcome in right:
            assert (judgement.verdict, judgement.findings) == (Verdict.PASS, ())
        else:
            assert (judgement.verdict, judgement.kind) == (Verdict.FAIL, Kind.WRONG_OUTCOME)
            (finding,) = judgement.findings
            assert f"got {outcome.value}" in finding.message


def test_a_wrong_outcome_is_reported_with_its_reasons() -> None:
    (finding,) = judged(case_of(GIVEN), refused(NOTHING, "DeviceInUse")).findings
    assert finding.message == "expected allocated, got unallocatable (it is DeviceInUse)"


@pytest.mark.parametrize(
    ("categories", "passes"),
    [
        ((), True),
        (("Other",), True),
        (("InsufficientCapacity",), True),
        (("DeviceInUse", "InsufficientCapacity"), True),
        (("Other", "InsufficientCapacity"), True),
        (("MyOwnWord",), True),
        (("DeviceInUse",), False),
        (("MyOwnWord", "DeviceInUse"), False),
        (("insufficientcapacity", "DeviceInUse"), False),
    ],
)
def test_failure_categories(categories: tuple[str, ...], passes: bool) -> None:
    case = case_of(GIVEN, then="[{unallocatable: {category: InsufficientCapacity}}]")
    judgement = judged(case, refused(NOTHING, *categories))
    expected = (Verdict.PASS, None) if passes else (Verdict.FAIL, Kind.WRONG_REASON)
    assert (judgement.verdict, judgement.kind) == expected


def test_categories_are_not_compared_without_expectation() -> None:
    case = case_of(GIVEN, then="[{unallocatable: true}]")
    assert judged(case, refused(NOTHING, "DeviceInUse")).verdict is Verdict.PASS


# --- the shape of answers ----------------------------------------------------------------------------------

MALFORMED: Mapping[str, Json] = {
    "null": None,
    "a text": "d",
    "a number": 7,
    "a list": [],
    "devices a list": {"devices": [RIGHT]},
    "devices a text": {"devices": "d"},
    "results a map": {"devices": {"results": RIGHT}},
    "results a text": {"devices": {"results": "d"}},
    "a result null": {"devices": {"results": [None]}},
    "a result a text": {"devices": {"results": ["d"]}},
    "a result a list": {"devices": {"results": [[RIGHT]]}},
    "no device": {"devices": {"results": [{key: RIGHT[key] for key in RIGHT if key != "device"}]}},
    "no request": {"devices": {"results": [{key: RIGHT[key] for key in RIGHT if key != "request"}]}},
    "device a number": {"devices": {"results": [{**RIGHT, "device": 1}]}},
    "device null": {"devices": {"results": [{**RIGHT, "device": None}]}},
    "share ID a number": {"devices": {"results": [{**RIGHT, "shareID": 1}]}},
    "share ID a map": {"devices": {"results": [{**RIGHT, "shareID": {}}]}},
    "consumed a list": {"devices": {"results": [{**RIGHT, "consumedCapacity": ["3"]}]}},
    "consumed a text": {"devices": {"results": [{**RIGHT, "consumedCapacity": "3"}]}},
    "quantity null": {"devices": {"results": [{**RIGHT, "consumedCapacity": {"bw": None}}]}},
    "quantity true": {"devices": {"results": [{**RIGHT, "consumedCapacity": {"bw": True}}]}},
    "quantity with a fraction": {"devices": {"results": [{**RIGHT, "consumedCapacity": {"bw": 3.0}}]}},
    "quantity is a map": {"devices": {"results": [{**RIGHT, "consumedCapacity": {"bw": {"value": "3"}}}]}},
    "malformed quantity": {"devices": {"results": [{**RIGHT, "consumedCapacity": {"bw": "three"}}]}},
    "a text that is no Unicode": {"devices": {"results": [{**RIGHT, "consumedCapacity": "\ud800"}]}},
    "empty quantity": {"devices": {"results": [{**RIGHT, "consumedCapacity": {"bw": ""}}]}},
    "infinite quantity": {"devices": {"results": [{**RIGHT, "consumedCapacity": {"bw": "9" * 5000}}]}},
    "admin access a text": {"devices": {"results": [{**RIGHT, "adminAccess": "yes"}]}},
    "node selector a text": {"devices": {"results": [RIGHT]}, "nodeSelector": "node-1"},
    "config a map": {"devices": {"results": [RIGHT], "config": {}}},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_allocation(name: str) -> None:
    answer = AllocationAnswer(Outcome.ALLOCATED, {"default/c": MALFORMED[name]})
    judgement = judged(case_of(GIVEN), answer)
    assert (judgement.verdict, judgement.kind) == (Verdict.FAIL, Kind.INVALID_ALLOCATION)
    (finding,) = judgement.findings
    assert finding.rule == "shape"
    assert finding.message.startswith("ResourceClaim default/c: status.allocation is malformed: ")
    json.dumps(ALLOCATE.actual(answer))


@pytest.mark.parametrize("allocation", [{}, {"devices": {}}, {"devices": {"results": []}}])
def test_an_allocation_without_results_is_invalid(allocation: Json) -> None:
    judgement = judged(case_of(GIVEN), AllocationAnswer(Outcome.ALLOCATED, {"default/c": allocation}))
    assert rules(judgement) == {"requests-satisfied"}


def test_unknown_fields_are_ignored() -> None:
    allocation = {"devices": {"results": [{**RIGHT, "colour": 1}], "colour": 2}, "colour": 3}
    answer = AllocationAnswer(Outcome.ALLOCATED, {"default/c": allocation})
    assert judged(case_of(GIVEN), answer).verdict is Verdict.PASS


def test_a_malformed_answer_fails_even_if_no_allocation_is_expected() -> None:
    answer = AllocationAnswer(Outcome.ALLOCATED, {"default/c": None})
    judgement = judged(case_of(GIVEN, then="[{unallocatable: true}]"), answer)
    assert judgement.kind is Kind.INVALID_ALLOCATION


def test_an_extra_claim() -> None:
    (finding,) = judged(case_of(GIVEN), allocated(RIGHT, other=[share("e", bw="3")])).findings
    assert finding.rule == "shape"
    assert (
        finding.message
        == "unexpected allocation of ResourceClaim default/other, which the request does not name"
    )


def test_a_missing_claim() -> None:
    case = case_of(GIVEN + "- resourceClaim: {name: b, capacity: {bw: 3}}", claims=("c", "b"))
    (finding,) = judged(case, allocated(RIGHT)).findings
    assert finding.message == "the allocation of ResourceClaim default/b is missing"
    assert judged(case, allocated(RIGHT, b=[share("d", 2, bw="3")])).verdict is Verdict.PASS


def test_a_claim_without_namespace_is_unexpected() -> None:
    answer = AllocationAnswer(Outcome.ALLOCATED, {"c": allocated(RIGHT).allocations["default/c"]})
    assert len(judged(case_of(GIVEN), answer).findings) == 2


# --- checks, order, deviations -----------------------------------------------------------------------------


def test_a_wrong_result_names_its_step() -> None:
    case = case_of(
        GIVEN, then="[{allocated: c}, {allocatedAtLeast: {resourceClaim: c, results: [{device: e}]}}]"
    )
    judgement = judged(case, allocated(RIGHT))
    assert (judgement.verdict, judgement.kind) == (Verdict.FAIL, Kind.WRONG_RESULT)
    (finding,) = judgement.findings
    assert (finding.rule, finding.step) == ("expectation", 1)
    assert finding.message == "ResourceClaim default/c: expected a result with device e, got none"


def test_invalid_precedes_wrong_result() -> None:
    case = case_of(GIVEN, then="[{allocatedAtLeast: {resourceClaim: c, results: [{device: e}]}}]")
    judgement = judged(case, allocated(share("d", bw="4")))
    assert judgement.kind is Kind.INVALID_ALLOCATION
    assert [finding.rule for finding in judgement.findings] == ["consumed-capacity-complete", "expectation"]


@pytest.mark.parametrize(
    ("order", "strict", "verdict"),
    [
        (False, False, Verdict.FAIL),
        (False, True, Verdict.FAIL),
        (True, False, Verdict.PASS),
        (True, True, Verdict.FAIL),
    ],
)
def test_choices_are_compared_only_with_strict(order: bool, strict: bool, verdict: Verdict) -> None:
    case = case_of(
        GIVEN, then="[{allocatedAtLeast: {resourceClaim: c, results: [{device: d}]}}]", order=order
    )
    assert judged(case, allocated(share("e", bw="3")), strict=strict).verdict is verdict
    assert judged(case, allocated(share("d", bw="3")), strict=strict).verdict is Verdict.PASS
    assert judged(case, allocated(share("e", bw="4")), strict=strict).kind is Kind.INVALID_ALLOCATION
    assert judged(case, refused(NOTHING), strict=strict).kind is Kind.WRONG_OUTCOME


def test_deviations() -> None:
    case = case_of(GIVEN, deviations={"kubernetes-1.36": "[{unallocatable: true}]"})
    for profile in RELEASE_PROFILES:
        departs = profile == "kubernetes-1.36"
        if profile == "kubernetes-1.33":
            continue  # it has no shares
        assert (judged(case, allocated(RIGHT), profile).verdict is Verdict.PASS) is not departs
        assert (judged(case, refused(NOTHING), profile).verdict is Verdict.PASS) is departs


def test_documents() -> None:
    answer = allocated({**RIGHT, "tolerations": [], "colour": 1})
    assert ALLOCATE.actual(answer) == {
        "outcome": "allocated",
        "claims": {"default/c": [RIGHT]},
        "configuration": {"default/c": []},
        "nodeSelector": {"default/c": None},
    }
    assert ALLOCATE.actual(refused(NOTHING, "Other", "DeviceInUse", "Other")) == {
        "outcome": "unallocatable",
        "reasons": ["DeviceInUse", "Other"],
    }


# --- rules that differ by profile --------------------------------------------------------------------------

OLD = {"kubernetes-1.34", "kubernetes-1.35", "kubernetes-1.36"}
RELEASES = {*OLD, "kubernetes-1.37"}
ALL = {"kep", *RELEASES}
TURNED = """
- devices: [{device: d, allowMultipleAllocations: false, capacity: {bw: 10}}]
- allocated: {resourceClaim: other, results: [{device: d, consumedCapacity: {bw: 8}, shareID: s1}]}
- resourceClaim: {name: c, capacity: {bw: %s}}
"""
EVERY = """
- devices:
    - {device: d, allowMultipleAllocations: true, capacity: {bw: 10}}
    - {device: e, allowMultipleAllocations: true, capacity: {bw: 10}, requestPolicy: {bw: %s}}
    - {device: f, allowMultipleAllocations: true, capacity: {bw: 10}}
- allocated: {resourceClaim: other, results: [{device: %s, consumedCapacity: {bw: 9}, shareID: s1}]}
- resourceClaim: {name: c, requests: [{request: r0, allocationMode: All, capacity: {bw: 3}}]}
"""
NUMA = """
- devices:
    - {device: d, attributes: {numa: {int: 0}}}
    - {device: e, attributes: {numa: {int: 1}}}
    - {device: f, attributes: {numa: {int: 0}}}
- resourceClaim: {name: c, requests: [{request: r0, count: 2}, {request: r1}]}
- constraint: {resourceClaim: c, distinctAttribute: dra.example.com/numa}
"""
FRACTIONAL = """
- devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 4}, requestPolicy: {bw: {default: 500m, min: 500m, step: 500m}}}]
- resourceClaim: {name: c, capacity: {bw: 1100m}}
"""
FULL_NAME = "[{devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 4}}]}, {resourceClaim: {name: c, capacity: {dra.example.com/bw: 1}}}]"
DEDICATED = """
- devices: [{device: d, allowMultipleAllocations: false, capacity: {bw: 10}, requestPolicy: {bw: {default: 1, min: 1, max: %s, step: %s}}}]
- resourceClaim: {name: c, capacity: {bw: %s}}
"""
OFF = "[{featureGates: {DRAConsumableCapacity: false}}, {devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 4}}]}, {resourceClaim: {name: c}}]"
E_ONLY = [share("d", 2, bw="3"), share("f", 3, bw="3")]

BY_PROFILE: Mapping[str, tuple[str, AllocationAnswer, set[str], set[str]]] = {
    # given, answer, the profiles in which it is valid, the rules it breaks elsewhere
    "exact steps": (
        FRACTIONAL,
        allocated(share("d", bw="1500m")),
        {"kep", "kubernetes-1.37"},
        {"consumed-capacity-complete"},
    ),
    "whole steps": (FRACTIONAL, allocated(share("d", bw="2")), OLD, {"consumed-capacity-complete"}),
    "exact steps off": (
        FRACTIONAL + "- featureGates: {DRAFractionalCapacityRange: false}",
        allocated(share("d", bw="2")),
        RELEASES,
        {"consumed-capacity-complete"},
    ),
    "the driver's domain left out": (
        FULL_NAME,
        allocated(share("d", bw="1")),
        {"kep"},
        {"consumed-capacity-complete"},
    ),
    "above max on an exclusive device": (
        DEDICATED % (4, 1, 5),
        allocated(dedicated("d")),
        {"kep"},
        {"exclusive-capacity-suffices"},
    ),
    "rounded above the value of an exclusive device": (
        DEDICATED % (20, 6, 8),
        allocated(dedicated("d")),
        {"kep"},
        {"exclusive-capacity-suffices"},
    ),
    "within the policy of an exclusive device": (
        DEDICATED % (10, 1, 5),
        allocated(dedicated("d")),
        ALL,
        set(),
    ),
    "distinct by request": (
        NUMA,
        allocated(dedicated("d"), dedicated("e"), dedicated("f", request="r1")),
        OLD,
        {"constraints-hold"},
    ),
    "not distinct within a request": (
        NUMA,
        allocated(dedicated("d"), dedicated("f"), dedicated("e", request="r1")),
        OLD,
        {"constraints-hold"},
    ),
    "not distinct from the last of another request": (
        NUMA,
        allocated(dedicated("e"), dedicated("d"), dedicated("f", request="r1")),
        {"kubernetes-1.34"},
        {"constraints-hold"},
    ),
    "all but an exhausted device": (EVERY % ("{}", "e"), allocated(*E_ONLY), OLD, {"all-devices-allocated"}),
    "all but a device that has room": (
        EVERY % ("{}", "d"),
        allocated(*E_ONLY[1:]),
        set(),
        {"all-devices-allocated"},
    ),
    "all except a device whose policy rejects": (
        EVERY % ("{default: 1, values: [1, 2]}", "none"),
        allocated(*E_ONLY),
        RELEASES,
        {"all-devices-allocated"},
    ),
    "exclusive with the gate off": (OFF, allocated(dedicated("d")), ALL, set()),
    "a share, the gate being off": (
        OFF,
        allocated(share("d", bw="4")),
        set(),
        {"share-ids-distinct", "consumed-capacity-complete"},
    ),
}


@pytest.mark.parametrize("profile", sorted(ALL))
@pytest.mark.parametrize("name", BY_PROFILE)
def test_rules_that_differ_by_profile(name: str, profile: str) -> None:
    text, answer, valid, broken = BY_PROFILE[name]
    assert rules(judged(case_of(text), answer, profile)) == (set() if profile in valid else broken)


@pytest.mark.parametrize(
    ("amount", "in_documents", "in_releases"),
    [(2, {"exclusive-device-once"}, set()), (3, {"exclusive-device-once"}, {"exclusive-capacity-suffices"})],
)
def test_an_exclusive_device_that_was_shared(
    amount: int, in_documents: set[str], in_releases: set[str]
) -> None:
    for profile in sorted(ALL):
        found = rules(judged(case_of(TURNED % amount), allocated(dedicated("d")), profile))
        assert found == (in_documents if profile == "kep" else in_releases)


def test_with_the_gate_off_earlier_shared_allocations_are_exclusive() -> None:
    case = case_of(
        OFF.replace(
            "{resourceClaim:",
            "{allocated: {resourceClaim: o, results: [{device: d, shareID: s}]}}, {resourceClaim:",
        )
    )
    for profile in sorted(ALL):
        assert rules(judged(case, allocated(dedicated("d")), profile)) == {"exclusive-device-once"}


# --- whatever an implementation answers --------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        "d",
        "e",
        "r0",
        "r0/",
        "/",
        "pool-1",
        "dra.example.com",
        "default/c",
        "bw",
        "3",
        "1e9",
        "-3",
        "9E",
        "",
        "\ud800",
        uid(1),
    ]
)
FIELDS = ["request", "driver", "pool", "device", "shareID", "consumedCapacity", "adminAccess"]
KEYS = st.sampled_from(
    [*FIELDS, "devices", "results", "config", "nodeSelector", "tolerations", "bw", "opaque"]
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), WORDS, st.text(max_size=5), st.just(10**400)
)
ANYTHING: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=8,
)
ALMOST = st.builds(
    lambda change: {**RIGHT, **change}, st.dictionaries(st.sampled_from(FIELDS), ANYTHING | WORDS, max_size=2)
)
ODD = ANYTHING | st.builds(
    lambda results: {"devices": {"results": results}}, st.lists(ALMOST | ANYTHING, max_size=3)
)
CASES = [
    case_of(
        GIVEN,
        then="[{consumes: {resourceClaim: c, capacity: {bw: 3}}}, {allocatedDevices: {resourceClaim: c, count: 1}}]",
    ),
    case_of(
        EVERY % ("{}", "e"),
        then="[{allocatedAtLeast: {resourceClaim: c, results: [{device: d, shareID: true}]}}]",
    ),
    case_of(NUMA, then="[{allocatedExactly: {resourceClaim: c, results: [{request: r0}]}}]"),
    case_of(
        TURNED % 1,
        then="[{allocatedOneOf: {resourceClaim: c, choices: [[{consumedCapacity: {}}], [{shareID: no}]]}}]",
    ),
    case_of(OFF, then="[{unallocatable: {category: DeviceInUse}}]"),
]
REASONS = st.lists(st.builds(Reason, st.sampled_from(["Other", "DeviceInUse", "", "\ud800"])), max_size=2)


@settings(examples(200), suppress_health_check=[HealthCheck.too_slow])
@given(
    case=st.sampled_from(CASES),
    profile=st.sampled_from(["kep", "kubernetes-1.34", "kubernetes-1.37"]),
    outcome=st.sampled_from(Outcome) | st.just(Outcome.ALLOCATED),
    allocations=st.dictionaries(st.just("default/c") | WORDS, ODD, max_size=2)
    | st.builds(lambda odd: {"default/c": odd}, ODD),
    reasons=REASONS,
)
def test_the_judge_never_raises(
    case: Any, profile: str, outcome: Outcome, allocations: Json, reasons: list[Reason]
) -> None:
    answer = AllocationAnswer(outcome, allocations, tuple(reasons))
    judgement = ALLOCATE.judge(
        case, profile_of(case, profile)[0], case.expected(profile), answer, strict=False
    )
    assert judgement.verdict in (Verdict.PASS, Verdict.FAIL)
    assert (judgement.verdict is Verdict.PASS) == (not judgement.findings)
    assert (judgement.kind is None) == (judgement.verdict is Verdict.PASS)
    assert ALLOCATE.actual(answer)["outcome"] == outcome.value


def test_the_judge_does_not_raise_for_deep_nesting() -> None:
    deep: Json = {}
    for _ in range(5000):
        deep = {"nodeSelectorTerms": [deep]}
    for allocation in ({"devices": {"results": [RIGHT]}, "nodeSelector": deep}, deep, {"devices": deep}):
        answer = AllocationAnswer(Outcome.ALLOCATED, {"default/c": allocation})
        assert judged(case_of(GIVEN), answer).verdict is Verdict.FAIL
        ALLOCATE.actual(answer)

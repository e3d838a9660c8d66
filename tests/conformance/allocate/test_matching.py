"""Expected and actual results: exact, one of, valid, count; in any order, by the best assignment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation
from dra_conform.conformance.allocate.operation import Allocate
from dra_conform.conformance.allocations.checks import Check, ExpectedResult, MatchMode
from dra_conform.conformance.allocations.matching import count_problem, result_problem
from dra_conform.kube.codec import convert
from dra_conform.kube.json_values import Json
from dra_conform.kube.resource import DeviceRequestAllocationResult
from tests.support.conformance.allocate.judging import case_of, dedicated, share, uid

ALLOCATE = Allocate()

Expected = ExpectedResult


def actual(*results: Json) -> list[DeviceRequestAllocationResult]:
    return [convert(one, DeviceRequestAllocationResult) for one in results]


def check(match: MatchMode, *alternatives: Sequence[Expected]) -> Check:
    return Check("default/c", match, tuple(tuple(one) for one in alternatives))


D, E = dedicated("d"), dedicated("e")
SHARE = share("d", bw="5", mem="1Gi")

ONE_RESULT: Mapping[str, tuple[Expected, Json, bool]] = {
    "nothing named": (Expected(), SHARE, True),
    "device": (Expected(device="d"), D, True),
    "another device": (Expected(device="e"), D, False),
    "request": (Expected(request="r0"), D, True),
    "another request": (Expected(request="r1"), D, False),
    "pool": (Expected(pool="pool-1"), D, True),
    "another pool": (Expected(pool="pool-2"), D, False),
    "driver": (Expected(driver="dra.example.com"), D, True),
    "another driver": (Expected(driver="x"), D, False),
    "a share": (Expected(share=True), SHARE, True),
    "no share": (Expected(share=True), D, False),
    "dedicated": (Expected(share=False), D, True),
    "not exclusive": (Expected(share=False), SHARE, False),
    "consumed": (Expected(consumed={"bw": "5", "mem": "1Gi"}), SHARE, True),
    "consumed by value": (Expected(consumed={"bw": "5000m", "mem": "1024Mi"}), SHARE, True),
    "consumed is complete": (Expected(consumed={"bw": "5"}), SHARE, False),
    "consumed more": (Expected(consumed={"bw": "5", "mem": "1Gi", "x": "0"}), SHARE, False),
    "different consumed capacity": (Expected(consumed={"bw": "4", "mem": "1Gi"}), SHARE, False),
    "nothing consumed": (Expected(consumed={}), D, True),
    "an empty map is nothing consumed": (Expected(consumed={}), dedicated("d", consumedCapacity={}), True),
    "something consumed": (Expected(consumed={}), SHARE, False),
    "consumes some": (Expected(consumes={"bw": "5"}), SHARE, True),
    "different single entry": (Expected(consumes={"bw": "5000000001n"}), SHARE, False),
    "consumes what is not there": (Expected(consumes={"x": "0"}), SHARE, False),
    "all of it": (
        Expected("r0", "d", "pool-1", "dra.example.com", {"bw": "5", "mem": "1Gi"}, None, True),
        SHARE,
        True,
    ),
    "all but one": (Expected("r0", "d", "pool-1", "x", {"bw": "5", "mem": "1Gi"}, None, True), SHARE, False),
}


@pytest.mark.parametrize("match", [MatchMode.EXACT, MatchMode.ONE_OF, MatchMode.VALID])
@pytest.mark.parametrize("name", ONE_RESULT)
def test_single_results(name: str, match: MatchMode) -> None:
    expected, found, fits = ONE_RESULT[name]
    assert (result_problem(check(match, [expected]), actual(found)) == "") is fits


def test_quantities_that_differ_by_a_nano_unit() -> None:
    one = actual(share("d", bw="1000000000000000000000000001n"))
    assert (
        result_problem(check(MatchMode.VALID, [Expected(consumed={"bw": "1000000000000000000"})]), one) != ""
    )
    assert (
        result_problem(
            check(MatchMode.VALID, [Expected(consumed={"bw": "1000000000000000000000000001n"})]), one
        )
        == ""
    )


ANY, HAS_D, HAS_E = Expected(), Expected(device="d"), Expected(device="e")


@pytest.mark.parametrize(
    ("match", "alternatives", "found", "problem"),
    [
        (MatchMode.EXACT, [[HAS_D, HAS_E]], [E, D], ""),
        (MatchMode.EXACT, [[HAS_D]], [D, E], "expected 1 result, got 2"),
        (MatchMode.EXACT, [[HAS_D, HAS_E]], [D], "expected 2 results, got 1"),
        (MatchMode.EXACT, [[HAS_D, HAS_D]], [D, E], "expected a result with device d, got none"),
        (MatchMode.EXACT, [[]], [], ""),
        (MatchMode.EXACT, [[]], [D], "expected 0 results, got 1"),
        (MatchMode.VALID, [[HAS_D]], [E, D], ""),
        (MatchMode.VALID, [[HAS_D]], [E], "expected a result with device d, got none"),
        (MatchMode.VALID, [[HAS_D, ANY]], [D], "expected a result with any device, got none"),
        (MatchMode.VALID, [], [D], ""),
        (MatchMode.ONE_OF, [[HAS_D], [HAS_E]], [E], ""),
        (MatchMode.ONE_OF, [[HAS_D], [HAS_D, HAS_E]], [E, D], ""),
        (
            MatchMode.ONE_OF,
            [[HAS_D], [HAS_D, HAS_D]],
            [D, E],
            "matches none of 2 expected allocations: expected 1 result, got 2 / expected a result with device d, got none",
        ),
    ],
)
def test_lists_of_results(
    match: MatchMode, alternatives: list[list[Expected]], found: list[Json], problem: str
) -> None:
    assert result_problem(check(match, *alternatives), actual(*found)) == problem


def test_an_unspecific_expectation_leaves_the_result_for_a_specific_one() -> None:
    expected = [ANY, Expected(pool="pool-1"), Expected(share=True), Expected(device="d", share=True)]
    found = [share("d"), share("e", 2), D, dedicated("x", pool="pool-2")]
    for order in permutations(expected):
        for shuffled in permutations(found):
            assert result_problem(check(MatchMode.EXACT, order), actual(*shuffled)) == ""
    lacking = [*expected[:-1], Expected(device="e", share=True), Expected(device="e")]
    for order in permutations(lacking):
        assert result_problem(check(MatchMode.VALID, order), actual(*found)) != ""


SOME = st.builds(
    Expected,
    device=st.sampled_from([None, "d", "e"]),
    request=st.sampled_from([None, "r0", "r1"]),
    share=st.sampled_from([None, True, False]),
)
FOUND = st.builds(
    lambda device, request, shared: dedicated(
        device, request=request, **({"shareID": uid(1)} if shared else {})
    ),
    st.sampled_from(["d", "e"]),
    st.sampled_from(["r0", "r1"]),
    st.booleans(),
)


@given(expected=st.lists(SOME, max_size=4), found=st.lists(FOUND, max_size=4))
def test_assignment_equals_brute_force(expected: list[Expected], found: list[Json]) -> None:
    results = actual(*found)
    single = [
        [result_problem(check(MatchMode.VALID, [one]), [other]) == "" for other in results]
        for one in expected
    ]
    exists = any(
        all(single[place][chosen] for place, chosen in enumerate(order))
        for order in permutations(range(len(results)), len(expected))
    )
    assert (result_problem(check(MatchMode.VALID, expected), results) == "") is exists
    complete = exists and len(expected) == len(results)
    assert (result_problem(check(MatchMode.EXACT, expected), results) == "") is complete


@pytest.mark.parametrize(
    ("count", "problem"), [(1, "expected 1 device, got 2"), (2, ""), (0, "expected 0 devices, got 2")]
)
def test_count(count: int, problem: str) -> None:
    assert count_problem(Check("default/c", MatchMode.COUNT, count=count), actual(D, E)) == problem


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (Expected(), "any device"),
        (Expected("r0", "d", "p", "x"), "request r0, driver x, pool p, device d"),
        (
            Expected(device="z", consumed={"bw": "5"}, share=True),
            "device z, consumedCapacity 5 of bw, a share ID",
        ),
        (Expected(device="z", consumed={}, share=False), "device z, consumedCapacity none, no share ID"),
        (
            Expected(device="z", consumes={"bw": "5", "mem": "1Gi"}),
            "device z, consumedCapacity 5 of bw, 1Gi of mem",
        ),
    ],
)
def test_the_missing_result_is_described(expected: Expected, words: str) -> None:
    found = [] if expected == Expected() else actual(D)
    assert (
        result_problem(check(MatchMode.VALID, [expected]), found)
        == f"expected a result with {words}, got none"
    )


GIVEN = "[{devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10}}]}, {resourceClaim: {name: c}}]"
DOCUMENTS: Mapping[str, Json] = {
    "[{allocated: c}]": {"outcome": "allocated", "claims": {"default/c": []}},
    "[{allocatedDevices: {resourceClaim: c, count: 2}}]": {
        "outcome": "allocated",
        "claims": {"default/c": [{"devices": 2}]},
    },
    "[{allocatedAtLeast: {resourceClaim: c, results: [{device: d, shareID: true, consumedCapacity: {bw: 5}}]}}, {consumes: {resourceClaim: c, capacity: {bw: 5}}}]": {
        "outcome": "allocated",
        "claims": {
            "default/c": [
                {"device": "d", "consumedCapacity": {"bw": "5"}, "shareID": "a UID"},
                {"consumedCapacity": {"bw": "5"}},
            ]
        },
    },
    "[{allocatedOneOf: {resourceClaim: c, choices: [[{device: d, shareID: false}], [{request: r0}]]}}]": {
        "outcome": "allocated",
        "claims": {"default/c": [{"one of": [[{"device": "d", "shareID": None}], [{"request": "r0"}]]}]},
    },
    "[{unallocatable: {category: DeviceInUse}}]": {"outcome": "unallocatable", "reasons": ["DeviceInUse"]},
    "[{nothingAllocated: true}]": {"outcome": {"one of": ["errored", "rejected", "unallocatable"]}},
}


@pytest.mark.parametrize("then", DOCUMENTS)
def test_expected_document(then: str) -> None:
    assert ALLOCATE.expected(case_of(GIVEN, then=then).expected("kep")) == DOCUMENTS[then]


def test_expected_document_without_allocation_has_no_claims() -> None:
    expectation = AllocationExpectation(frozenset({Outcome.ERRORED}), (check(MatchMode.VALID, [HAS_D]),))
    assert ALLOCATE.expected((expectation,)) == {"outcome": "errored"}

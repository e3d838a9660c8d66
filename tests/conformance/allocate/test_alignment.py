from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation
from dra_conform.conformance.allocate.operation import Allocate
from dra_conform.conformance.allocations.checks import Check, ExpectedResult, MatchMode
from dra_conform.conformance.case import Deviation
from tests.support.reports.fake_runs import case, exact, result_of

ALLOCATE = Allocate()


def compared(expected: Any, actual: Any, *checks: Any, asked: Sequence[str] = ()) -> tuple[Any, Any]:
    """Align documents of a request for ResourceClaims, by default for those of the expectation."""
    here = case(checks=checks)
    named = asked or [*expected.get("claims", here.ask["claims"])]
    return ALLOCATE.align(replace(here, ask={**here.ask, "claims": named}), "kep", expected, actual)


def claims(*results: Any, outcome: str = "allocated", **more: Any) -> dict[str, Any]:
    return {"outcome": outcome, "claims": {"default/c": list(results)}, **more}


ALIKE = {
    "quantities by value": (claims(result_of(bw="1Gi")), claims(result_of(bw="1024Mi"))),
    "decimal and exponent": (claims(result_of(bw="1500m")), claims(result_of(bw="1.5"))),
    "results as a set": (
        claims(result_of("d1"), result_of("d2")),
        claims(result_of("d2"), result_of("d1")),
    ),
    "unnamed fields are free": (claims({"device": "d"}), claims(result_of(pool="p", shareID="x"))),
    "any share ID": (claims({"device": "d", "shareID": "a UID"}), claims(result_of(shareID="9a-1"))),
    "no share ID": (claims({"device": "d", "shareID": None}), claims({"device": "d"})),
    "nothing consumed": (claims({"device": "d", "consumedCapacity": {}}), claims({"device": "d"})),
    "one of the outcomes": ({"outcome": {"one of": ["errored", "rejected"]}}, {"outcome": "rejected"}),
    "one of the right lists": (
        claims({"one of": [[{"device": "d1"}], [{"device": "d2"}]]}),
        claims({"device": "d2", "request": "r0"}),
    ),
    "a count": (claims({"devices": 2}), claims(result_of("d1"), result_of("d2"))),
    "unexpected reasons": ({"outcome": "errored"}, {"outcome": "errored", "reasons": ["Other"]}),
    "reasons not reported": ({"outcome": "errored", "reasons": ["Other"]}, {"outcome": "errored"}),
    "a reason among others": (
        {"outcome": "errored", "reasons": ["Other"]},
        {"outcome": "errored", "reasons": ["FieldInvalid", "Other"]},
    ),
}


@pytest.mark.parametrize("name", ALIKE)
def test_align_makes_equivalent_documents_equal(name: str) -> None:
    expected, actual = compared(*ALIKE[name])
    assert expected == actual


def test_results_that_are_not_compared_are_left_out() -> None:
    configured = [Check(f"default/{name}", MatchMode.VALID, config=()) for name in "cd"]
    alone = {"outcome": "allocated"}
    assert compared(claims(), claims(result_of("d1")), configured[0]) == (alone, alone)
    expected = {"default/c": [], "default/d": [{"device": "d2"}]}
    actual = {"default/c": [result_of("d1")], "default/d": [result_of("d2")]}
    sides = compared({**alone, "claims": expected}, {**alone, "claims": actual}, *configured)
    assert [side["claims"] for side in sides] == [{"default/d": [{"device": "d2"}]}] * 2


def test_devices_that_are_only_counted_are_shown_if_their_number_is_right() -> None:
    check = Check("default/c", MatchMode.VALID, count=1)
    answer = claims(result_of("invented"))
    assert compared(claims({"devices": 1}), answer, check) == (answer, answer)
    two = claims({"devices": 2})
    assert compared(two, answer, check) == (two, claims({"devices": 1}))


DIFFERENT = {
    "outcome": ({"outcome": "allocated"}, {"outcome": "unallocatable"}),
    "device": (claims({"device": "d1"}), claims({"device": "d2"})),
    "amount": (claims(result_of(bw="5")), claims(result_of(bw="5m"))),
    "malformed quantity": (claims(result_of(bw="5")), claims(result_of(bw="five"))),
    "an entry too many": (
        claims({"consumedCapacity": {"bw": "5"}}),
        claims({"consumedCapacity": {"bw": "5", "mem": "0"}}),
    ),
    "an entry too few": (
        claims({"consumedCapacity": {"bw": "5", "mem": "0"}}),
        claims({"consumedCapacity": {"bw": "5"}}),
    ),
    "a result too many": (claims({"device": "d"}), claims({"device": "d"}, {"device": "d"})),
    "a result too few": (claims({"device": "d"}, {"device": "d"}), claims({"device": "d"})),
    "a share ID missing": (claims({"device": "d", "shareID": "a UID"}), claims({"device": "d"})),
    "a share ID too many": (claims({"device": "d", "shareID": None}), claims(result_of(shareID="x"))),
    "a claim missing": (claims({"device": "d"}), {"outcome": "allocated", "claims": {}}),
    "a count": (claims({"devices": 2}), claims({"device": "d"})),
    "the reason": (
        {"outcome": "errored", "reasons": ["Other"]},
        {"outcome": "errored", "reasons": ["FieldInvalid"]},
    ),
    "nothing that can be compared": (claims({"device": "d"}), "junk"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_align_keeps_differences(name: str) -> None:
    expected, actual = compared(*DIFFERENT[name])
    assert expected != actual


def test_only_the_named_entries_of_consumed_capacity_are_compared() -> None:
    wanted = claims({"consumedCapacity": {"bw": "5"}})
    got = claims({"device": "d", "consumedCapacity": {"bw": "5", "mem": "1"}}, {"device": "e"})
    check = exact(ExpectedResult(consumes={"bw": "5"}), match=MatchMode.VALID)
    expected, actual = compared(wanted, got, check)
    assert expected == actual


def test_a_wrong_quantity_is_shown_in_canonical_notation() -> None:
    actual = compared(claims(result_of(bw="5")), claims(result_of(bw="4000000000n")))[1]
    assert actual["claims"]["default/c"][0]["consumedCapacity"] == {"bw": "4"}


def test_results_are_paired_with_the_nearest_partner() -> None:
    wanted = claims(result_of("d1", bw="1"), result_of("d2", bw="2"))
    got = claims(result_of("d2", bw="3"), result_of("d1", bw="1"))
    expected, actual = compared(wanted, got)
    assert [one["device"] for one in expected["claims"]["default/c"]] == ["d1", "d2"]
    assert [one["consumedCapacity"]["bw"] for one in actual["claims"]["default/c"]] == ["1", "3"]


def test_the_nearest_of_several_expected_lists_is_shown() -> None:
    choices = [[{"device": "d1"}, {"device": "d2"}], [{"device": "d3"}]]
    expected, actual = compared(claims({"one of": choices}), claims({"device": "d4"}))
    assert expected["claims"]["default/c"] == [{"device": "d3"}]
    assert actual["claims"]["default/c"] == [{"device": "d4"}]


def test_the_checks_of_a_deviation_apply_in_its_profile() -> None:
    check = exact(ExpectedResult(consumes={"bw": "5"}), match=MatchMode.VALID)
    other = AllocationExpectation(frozenset({Outcome.ALLOCATED}), (check,))
    departing = case(deviations=(Deviation(frozenset({"kep"}), other, "because"),))
    wanted = claims({"consumedCapacity": {"bw": "5"}})
    got = claims({"consumedCapacity": {"bw": "5", "mem": "1"}})
    expected, actual = ALLOCATE.align(departing, "kep", wanted, got)
    assert expected == actual
    expected, actual = ALLOCATE.align(departing, "kubernetes-1.36", wanted, got)
    assert expected != actual


def test_a_claim_of_the_request_that_no_expectation_names_is_left_out() -> None:
    both = {"outcome": "allocated", "claims": {"default/c": [], "default/x": [result_of()]}}
    expected, actual = compared(claims(), both, asked=["default/c", "default/x"])
    assert expected == actual
    assert "default/x" not in str(actual)


OTHER_CLAIMS = {
    "another key": {"c": [result_of()]},
    "a claim that the request does not name": {"default/c": [result_of()], "default/x": [result_of()]},
    "no claim": {},
}


@pytest.mark.parametrize("name", OTHER_CLAIMS)
def test_an_answer_about_other_claims_stays_complete(name: str) -> None:
    wanted = claims({"device": "d"})
    answer = {"outcome": "allocated", "claims": OTHER_CLAIMS[name]}
    assert compared(wanted, answer) == (wanted, answer)


def test_a_malformed_quantity_is_shown_although_no_expectation_names_it() -> None:
    answer = claims(result_of(bw="five"))
    assert compared(claims({"device": "d"}), answer) == (answer, answer)


def test_a_result_without_an_expected_field_is_shown_with_request_and_device() -> None:
    check = exact(ExpectedResult(consumes={"bw": "5"}), match=MatchMode.VALID)
    invented = {"request": "r0", "driver": "dra.example.com", "pool": "p", "device": "invented"}
    actual = compared(claims({"consumedCapacity": {"bw": "5"}}), claims(invented), check)[1]
    assert actual == claims({"request": "r0", "device": "invented"})
    expected, actual = compared(claims({"shareID": None}), claims(invented))
    assert expected == actual == claims({})


def test_the_answer_stays_complete_if_the_outcome_differs() -> None:
    got = {"outcome": "unallocatable", "reasons": ["InsufficientCapacity"]}
    assert compared(claims({"device": "d"}), got)[1] == got


def allocation(*results: Any, **beside: Any) -> dict[str, Any]:
    return {**claims(*results), **{name: {"default/c": entry} for name, entry in beside.items()}}


MINE = {"source": "FromClaim", "requests": ["r0"], "parameters": {"mode": "fast"}}


def test_configuration_is_shown_if_it_is_expected() -> None:
    actual = allocation(configuration=[{**MINE, "parameters": {"mode": "slow"}}], nodeSelector=None)
    expected, shown = compared(allocation(configuration=[MINE]), actual)
    assert expected["configuration"] == {"default/c": [MINE]}
    assert shown["configuration"] == {"default/c": [{**MINE, "parameters": {"mode": "slow"}}]}
    assert "configuration" not in compared(claims(), actual)[1]


@pytest.mark.parametrize("malformed", [True, {}, ["x"], [{"requests": True}], [{}], [None]], ids=str)
def test_malformed_configuration_is_shown_unchanged(malformed: Any) -> None:
    shown = compared(allocation(configuration=[MINE]), allocation(configuration=malformed))[1]
    assert shown["configuration"] == {"default/c": malformed}


def test_a_node_selector_is_shown_as_the_selected_nodes() -> None:
    nodes = tuple({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}} for name in ("n1", "n2"))
    terms = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n2"]}]}]
    actual = allocation(nodeSelector={"nodeSelectorTerms": terms}, configuration=[])
    here = replace(case(), objects={"nodes": nodes})
    expected, shown = ALLOCATE.align(here, "kep", allocation(usableOn=["n1", "n2"]), actual)
    assert (expected["usableOn"], shown["usableOn"]) == ({"default/c": ["n1", "n2"]}, {"default/c": ["n2"]})
    everywhere = allocation(nodeSelector=None)
    expected, shown = ALLOCATE.align(here, "kep", allocation(usableOn=["n1", "n2"]), everywhere)
    assert expected["usableOn"] == shown["usableOn"]
    assert "nodeSelector" not in shown

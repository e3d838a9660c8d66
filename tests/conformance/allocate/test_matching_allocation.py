"""Expectations of a whole allocation, and of binding conditions and compatibility groups in results."""

from __future__ import annotations

import pytest

from dra_conform.conformance.allocations.checks import (
    Check,
    ExpectedConfiguration,
    ExpectedResult,
    MatchMode,
)
from dra_conform.conformance.allocations.matching import (
    configuration_problem,
    node_selector_problem,
    result_problem,
)
from dra_conform.kube.codec import convert
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.resource import AllocationResult, DeviceRequestAllocationResult

NODES = [Node(metadata=ObjectMeta(name=name, labels={"zone": zone})) for name, zone in ("ax", "bx", "cy")]


def selecting(**requirement: Json) -> Json:
    return {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}


@pytest.mark.parametrize(
    ("selector", "usable"),
    [
        (None, "abc"),
        (selecting(key="zone", operator="In", values=["x"]), "ab"),
        (selecting(key="zone", operator="NotIn", values=["x"]), "c"),
        (selecting(key="zone", operator="In", values=["z"]), ""),
    ],
)
def test_available_nodes(selector: Json, usable: str) -> None:
    allocation = convert({"nodeSelector": selector} if selector else {}, AllocationResult)
    for nodes in ("", "a", "ab", "c", "abc"):
        check = Check("default/c", MatchMode.VALID, nodes=frozenset(nodes))
        problem = node_selector_problem(check, allocation, NODES)
        assert (problem == "") == (nodes == usable)
        assert not problem or problem.endswith(f"got {', '.join(usable) or 'no node'}")


def test_a_malformed_node_selector() -> None:
    allocation = convert({"nodeSelector": selecting(key="zone", operator="Like")}, AllocationResult)
    check = Check("default/c", MatchMode.VALID, nodes=frozenset("a"))
    assert "the node selector is malformed" in node_selector_problem(check, allocation, NODES)


def entry(source: str, profile: str, *requests: str) -> Json:
    opaque = {"driver": "dra.example.com", "parameters": {"profile": profile}}
    return {"source": source, "requests": list(requests), "opaque": opaque}


FAST = ExpectedConfiguration("FromClass", {"profile": "fast"}, ("r0", "r1"))
SLOW = ExpectedConfiguration("FromClaim", {"profile": "slow"})


@pytest.mark.parametrize(
    ("expected", "right"),
    [
        ((FAST, SLOW), True),
        ((ExpectedConfiguration("FromClass", {"profile": "fast"}, ("r1", "r0")), SLOW), True),
        ((SLOW, FAST), True),
        ((FAST,), False),
        ((FAST, SLOW, SLOW), False),
        ((ExpectedConfiguration("FromClaim", {"profile": "fast"}, ("r0", "r1")), SLOW), False),
        ((ExpectedConfiguration("FromClass", {"profile": "fast"}, ("r0",)), SLOW), False),
        ((ExpectedConfiguration("FromClass", {"profile": "other"}, ("r0", "r1")), SLOW), False),
    ],
)
def test_configuration(expected: tuple[ExpectedConfiguration, ...], right: bool) -> None:
    config = [entry("FromClass", "fast", "r0", "r1"), entry("FromClaim", "slow")]
    allocation = convert({"devices": {"config": config}}, AllocationResult)
    problem = configuration_problem(Check("default/c", MatchMode.VALID, config=expected), allocation)
    assert (problem == "") == right
    assert right or 'FromClaim {profile: "slow"} for all requests' in problem


@pytest.mark.parametrize(
    ("config", "right"),
    [
        ((("FromClass", "fast", "r0"), ("FromClass", "fast", "r1")), True),
        ((("FromClass", "fast", "r1"), ("FromClass", "slow", "r2"), ("FromClass", "fast", "r0")), False),
        ((("FromClass", "fast", "r0"), ("FromClaim", "fast", "r1")), False),
        ((("FromClass", "fast", "r0"), ("FromClass", "fast", "r0", "r1")), False),
        ((("FromClass", "fast", "r0"), ("FromClass", "fast")), False),
        ((("FromClass", "fast", "r0"),), False),
    ],
)
def test_an_entry_for_two_requests_equals_two_entries(
    config: tuple[tuple[str, ...], ...], right: bool
) -> None:
    expected = (ExpectedConfiguration("FromClass", {"profile": "fast"}, ("r0", "r1")),)
    allocation = convert({"devices": {"config": [entry(*one) for one in config]}}, AllocationResult)
    problem = configuration_problem(Check("default/c", MatchMode.VALID, config=expected), allocation)
    assert (problem == "") == right


def test_entries_for_one_request_keep_their_order() -> None:
    expected = tuple(
        ExpectedConfiguration("FromClass", {"profile": one}, ("r0", "r1")) for one in ("fast", "slow")
    )
    for first, second, right in (("fast", "slow", True), ("slow", "fast", False)):
        config = [entry("FromClass", name, request) for request in ("r0", "r1") for name in (first, second)]
        allocation = convert({"devices": {"config": config}}, AllocationResult)
        problem = configuration_problem(Check("default/c", MatchMode.VALID, config=expected), allocation)
        assert (problem == "") == right


@pytest.mark.parametrize(
    ("wanted", "written", "right"),
    [
        ((), ("r0", "r1/a"), True),
        (("r0", "r1"), (), True),
        (("r1",), ("r1/a",), True),
        ((), ("r0",), False),
        (("r0",), (), False),
        (("r1",), ("r1/b",), False),
        (("r1",), ("r1", "r1/b"), True),
        (("r1/a", "r1/b"), ("r1/a",), True),
        (("r1/a", "r1/b"), ("r1/b",), False),
        (("r1/b",), ("r1/b",), True),
        (("r1",), ("r1", "r2"), False),
    ],
)
def test_entries_for_the_same_chosen_requests_are_equal(
    wanted: tuple[str, ...], written: tuple[str, ...], right: bool
) -> None:
    expected = (ExpectedConfiguration("FromClaim", {"profile": "fast"}, wanted),)
    results = [{**RESULT, "request": request} for request in ("r0", "r1/a")]
    config = [entry("FromClaim", "fast", *written)]
    allocation = convert({"devices": {"results": results, "config": config}}, AllocationResult)
    problem = configuration_problem(Check("default/c", MatchMode.VALID, config=expected), allocation)
    assert (problem == "") == right


RESULT = {
    "request": "r0",
    "driver": "dra.example.com",
    "pool": "p",
    "device": "d",
    "adminAccess": True,
    "compatibilityGroups": {"gpu-0": ["a", "b"], "gpu-1": []},
    "bindingConditions": ["Ready", "Attached"],
    "bindingFailureConditions": ["Broken"],
}


@pytest.mark.parametrize(
    ("expected", "right"),
    [
        (ExpectedResult(admin=True), True),
        (ExpectedResult(admin=False), False),
        (ExpectedResult(groups={"gpu-0": ("b", "a")}), True),
        (ExpectedResult(groups={"gpu-0": ("b", "a"), "gpu-1": ()}), True),
        (ExpectedResult(groups={"gpu-0": ("a",)}), False),
        (ExpectedResult(groups={"gpu-0": ("a", "b"), "gpu-2": ("a",)}), False),
        (ExpectedResult(groups={}), False),
        (ExpectedResult(binding=("Ready", "Attached")), True),
        (ExpectedResult(binding=("Ready",)), False),
        (ExpectedResult(binding=()), False),
        (ExpectedResult(failure=("Broken",)), True),
        (ExpectedResult(failure=()), False),
    ],
)
def test_fields_of_a_result(expected: ExpectedResult, right: bool) -> None:
    result = convert(RESULT, DeviceRequestAllocationResult)
    problem = result_problem(Check("default/c", MatchMode.EXACT, ((expected,),)), [result])
    assert (problem == "") == right
    assert right or problem.startswith("expected a result with")


def test_absent_fields_match_expected_absence() -> None:
    bare = convert(
        {name: RESULT[name] for name in ("request", "driver", "pool", "device")},
        DeviceRequestAllocationResult,
    )
    expected = ExpectedResult(admin=False, groups={}, binding=(), failure=())
    assert result_problem(Check("default/c", MatchMode.EXACT, ((expected,),)), [bare]) == ""

"""The results of the phases of a scheduling attempt by node."""

from __future__ import annotations

import pytest

from dra_conform.kube.json_values import Json
from tests.support.simulation.scenarios import (
    CLASS,
    DRIVER,
    SETTLE,
    claim,
    create,
    gates,
    nodes_of,
    observations_of,
    pod,
    settled,
    slice_on,
)
from tests.support.simulation.scenarios import node as node_of

Ended = tuple[str, str, tuple[str, ...]]
ONE = [node_of("n"), CLASS, slice_on("n", {"name": "d"})]
NEVER = "UnschedulableAndUnresolvable"


def ended(attempt: Json) -> list[Ended]:
    """Return phase, code and nodes of each result."""
    return [(one["phase"], one["code"], tuple(one.get("nodes", ()))) for one in attempt["phases"]]


def asking(name: str, cpu: str, *claims: str) -> Json:
    return pod(
        name, *claims, containers=[{"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}]
    )


def test_each_node_is_rejected_with_its_own_code() -> None:
    setup = [
        node_of("closed", unschedulable=True),
        {**node_of("full"), "status": {"allocatable": {"cpu": "2"}}},
        {**node_of("small"), "status": {"allocatable": {"cpu": "1"}}},
        node_of("without-device"),
        CLASS,
        claim("c"),
        asking("running", "1"),
    ]
    setup[-1]["spec"]["nodeName"] = "full"
    attempt = settled(setup, create(asking("p", "1500m", "c")))["attempts"][0]
    assert [one for one in ended(attempt) if one[0] == "Filter"] == [
        ("Filter", NEVER, ("closed",)),
        ("Filter", "Unschedulable", ("full",)),
        ("Filter", NEVER, ("small",)),
        ("Filter", NEVER, ("without-device",)),
    ]
    assert ended(attempt)[-1] == ("PostFilter", "Unschedulable", ())
    assert attempt["message"] == (
        "0/4 nodes are available: 1 cannot allocate all claims, 1 node(s) were unschedulable, "
        "2 Insufficient cpu."
    )


def test_a_node_that_lacks_two_resources_is_counted_for_each() -> None:
    setup = [
        {**node_of("big"), "status": {"allocatable": {"cpu": "2", "memory": "4Gi"}}},
        {**node_of("small"), "status": {"allocatable": {"cpu": "1", "memory": "1Gi"}}},
        asking("running", "1"),
    ]
    setup[-1]["spec"]["nodeName"] = "big"
    pod = asking("p", "1500m")
    resources = pod["spec"]["containers"][0]["resources"]
    resources["requests"] |= {"memory": "2Gi", "example.com/gpu": "1"}
    resources["limits"] = {"example.com/gpu": "1"}
    attempt = settled(setup, create(pod))["attempts"][0]
    assert [one["reason"] for one in attempt["phases"] if one["phase"] == "Filter"] == [
        "Insufficient cpu, Insufficient example.com/gpu",
        "Insufficient cpu, Insufficient example.com/gpu, Insufficient memory",
    ]
    assert attempt["message"] == (
        "0/2 nodes are available: 1 Insufficient memory, 2 Insufficient cpu, 2 Insufficient example.com/gpu."
    )


@pytest.mark.parametrize(("profile", "node"), [("kep", "n2"), ("kubernetes-1.37", None)])
def test_an_allocation_error_excludes_only_its_node_in_kep(profile: str, node: str | None) -> None:
    selector = {"cel": {"expression": f'device.attributes["{DRIVER}"].model == "a"'}}
    slices = [
        slice_on("n1", {"name": "d1"}),
        slice_on("n2", {"name": "d2", "attributes": {"model": {"string": "a"}}}),
    ]
    given = [node_of("n1"), node_of("n2"), CLASS, *slices, claim("c", selectors=[selector])]
    observed = settled(given, create(pod("p", "c")), profile=profile)
    assert nodes_of(observed) == {"p": node}


@pytest.mark.parametrize(
    ("setup", "phase"), [([], "PreEnqueue"), ([claim("c", deviceClassName="other")], "PreFilter")]
)
def test_a_pod_is_rejected_before_any_node_is_filtered(setup: list[Json], phase: str) -> None:
    [attempt] = settled([*ONE, *setup], create(pod("p", "c")))["attempts"]
    refused = [one for one in ended(attempt) if one[1] == NEVER]
    assert refused == [(phase, NEVER, ())]
    assert "Filter" not in [one[0] for one in ended(attempt)]


def test_a_failed_bind_runs_unreserve() -> None:
    fail = {
        "do": "fail",
        "times": 1,
        "verb": "create",
        "kind": "Pod",
        "subresource": "binding",
        "reason": "x",
    }
    first, second = settled([*ONE, claim("c")], fail, create(pod("p", "c")))["attempts"]
    assert ended(first)[-2:] == [("Bind", "Error", ("n",)), ("Unreserve", "Success", ("n",))]
    assert ended(second)[-1] == ("Bind", "Success", ("n",))


def test_a_pod_that_waits_for_binding_conditions_keeps_its_node_resources() -> None:
    """The cpu of a pod that is assigned to a node but not bound yet is not available to other pods."""
    device = {"name": "d", "bindingConditions": ["ready"], "bindingFailureConditions": ["broken"]}
    node = {**node_of("n"), "status": {"allocatable": {"cpu": "1"}}}
    setup = [node, CLASS, slice_on("n", device), claim("c"), asking("p", "1", "c"), asking("q", "1")]
    first, _, second = observations_of(
        setup, SETTLE, gates("scheduler", DRADeviceBindingConditions=False), SETTLE
    )
    assert nodes_of(first) == {"p": None, "q": None}
    assert [(one["pod"], one["result"], one["node"]) for one in first["attempts"]] == [
        ("default/q", "Unschedulable", ""),
        ("default/p", "Waiting", "n"),
    ]
    assert nodes_of(second) == {"p": "n", "q": None}


def test_a_scheduler_without_dynamic_resource_allocation_ignores_claims() -> None:
    observed = settled(
        [*ONE, claim("c")], gates("scheduler", DynamicResourceAllocation=False), create(pod("p", "c"))
    )
    assert nodes_of(observed) == {"p": "n"}
    assert "status" not in observed["objects"]["resourceClaims"][0]


@pytest.mark.parametrize(("pods", "node"), [("1", ""), ("2", "full")])
def test_a_node_takes_as_many_pods_as_its_status_says(pods: str, node: str) -> None:
    full = {**node_of("full"), "status": {"allocatable": {"cpu": "4", "pods": pods}}}
    running = asking("running", "1")
    running["spec"]["nodeName"] = "full"
    attempt = settled([full, running], create(asking("p", "1")))["attempts"][0]
    assert attempt["node"] == node
    if not node:
        assert ("Filter", "Unschedulable", ("full",)) in ended(attempt)
        assert attempt["message"] == "0/1 nodes are available: 1 Too many pods."

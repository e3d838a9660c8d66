"""The invariants of a cluster: each violation is found, whatever a case expects."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from dra_conform.conformance.cluster.invariants.table import INVARIANTS, violations
from dra_conform.conformance.cluster.observed_scenario import ObservedScenario
from dra_conform.conformance.features import profile_of
from tests.support.conformance.cluster.scenarios import (
    SCENARIO,
    SHARE,
    Json,
    answer,
    claim,
    pod,
    result,
    right,
    scenario_case,
    settled,
)

CASE = scenario_case()
OTHER_SHARE = SHARE.replace("0e", "1e")
GOOD = claim("c", result(), pods=("p",))
OWNER = [{"kind": "Pod", "name": "p", "controller": True}]
SPECIAL = {"resource.kubernetes.io/extended-resource-claim": "true"}
ENTRY = {"resource.kubernetes.io/pod-claim-name": "gpu"}


def violated_invariants(second: Json, *, text: str = SCENARIO, first: Json | None = None) -> set[str]:
    """The names of the violated invariants if the scenario ends in another state, or begins with one."""
    case = scenario_case(text)
    observations = right(case)
    observations[0] = first or observations[0]
    observations[-1] = second
    if case.ask["actions"][1]["do"] == "delete":
        observations[1] = {"outcome": "deleted"}
    told = ObservedScenario.of(case.objects, case.ask, answer(*observations).observations)
    return {finding.rule for finding in violations(told, profile_of(case, "kep")[0])}


def state(*claims: Json, pods: tuple[Json, ...] = (pod("p", "c"),), **objects: list[Json]) -> Json:
    return settled(CASE, list(claims), list(pods), **objects)


def naming(claim_name: str, request: str) -> Json:
    """A pod with an extended-resource claim and a container that is mapped to a request of it."""
    mapping = {"containerName": "c", "resourceName": "example.com/gpu", "requestName": request}
    named = {"resourceClaimName": claim_name, "requestMappings": [mapping]}
    raw = pod("q")
    return {**raw, "status": {**raw["status"], "extendedResourceClaimStatus": named}}


def part(device: str) -> Json:
    return {**result(device, share=""), "pool": "pool-2"}


QUOTA = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "q", "namespace": "default"},
    "status": {"used": {"count/resourceclaims.resource.k8s.io": "2", "services": "7"}},
}


def node_and_pod(has: str, requests: str) -> Json:
    """A node with a new pod that requests this cpu in each of two containers."""
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}
    containers = [{"name": name, "resources": {"requests": {"cpu": requests}}} for name in ("a", "b")]
    new = pod("q")
    return state(
        GOOD,
        pods=(pod("p", "c"), {**new, "spec": {**new["spec"], "containers": containers}}),
        nodes=[{**node, "status": {"allocatable": {"cpu": has}}}],
    )


BROKEN: dict[str, tuple[Callable[[], Json], str]] = {
    "more pods on a node than it has cpu": (lambda: node_and_pod("1999m", "1"), "nodes-not-overcommitted"),
    "a quota that counts a claim twice": (
        lambda: state(GOOD, resourceQuotas=[QUOTA]),
        "quotas-count-what-exists",
    ),
    "an exclusive device twice": (
        lambda: state(GOOD, claim("d", part("part-0")), claim("e", part("part-0"))),
        "devices-not-allocated-twice",
    ),
    "a share of a device with an exclusive holder": (
        lambda: state(GOOD, claim("d", result(share=""))),
        "devices-not-allocated-twice",
    ),
    "more capacity than there is": (
        lambda: state(GOOD, claim("d", result(share=OTHER_SHARE, consumed="8"))),
        "capacity-not-overcommitted",
    ),
    "more of a counter than there is": (
        lambda: state(GOOD, claim("d", part("part-0")), claim("e", part("part-1"))),
        "counters-not-overcommitted",
    ),
    "a pod that runs without its claim": (
        lambda: state(GOOD, pods=(pod("p", "c"), pod("q", "none"))),
        "running-pods-have-claims",
    ),
    "a pod that runs with a claim that is not allocated": (
        lambda: state(GOOD, claim("d", pods=("q",)), pods=(pod("p", "c"), pod("q", "d"))),
        "running-pods-have-claims",
    ),
    "a pod that runs with a claim of others": (
        lambda: state(GOOD, pods=(pod("p", "c"), pod("q", "c"))),
        "running-pods-have-claims",
    ),
    "a reservation for a pod that is gone": (
        lambda: state(claim("c", result(), pods=("p", "gone"))),
        "reserved-for-existing-pods",
    ),
    "an allocation that changes while it is used": (
        lambda: state(claim("c", result(consumed="4"), pods=("p",))),
        "allocations-unchanged",
    ),
    "two claims for extended resources": (
        lambda: state(
            GOOD,
            claim("x", annotations=SPECIAL, ownerReferences=OWNER),
            claim("y", annotations=SPECIAL, ownerReferences=OWNER),
        ),
        "one-extended-resource-claim",
    ),
    "an extended-resource claim without owner": (
        lambda: state(GOOD, claim("x", annotations=SPECIAL)),
        "extended-resource-claims-owned",
    ),
    "a pod that names a missing extended-resource claim": (
        lambda: state(GOOD, pods=(pod("p", "c"), naming("x", "r0"))),
        "extended-resource-claims-in-status",
    ),
    "a container that is mapped to a request that its claim does not have": (
        lambda: state(
            GOOD,
            claim("x", annotations=SPECIAL, ownerReferences=[{**OWNER[0], "name": "q", "uid": "uid-q"}]),
            pods=(pod("p", "c"), naming("x", "r1")),
        ),
        "extended-resource-claims-in-status",
    ),
    "a generated claim without owner": (
        lambda: state(GOOD, claim("x", annotations=ENTRY)),
        "generated-claims-owned",
    ),
    "two claims for one entry": (
        lambda: state(
            GOOD,
            claim("x", annotations=ENTRY, ownerReferences=OWNER),
            claim("y", annotations=ENTRY, ownerReferences=OWNER),
        ),
        "generated-claims-owned",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_violations(name: str) -> None:
    second, rule = BROKEN[name]
    assert rule in violated_invariants(second())


def test_each_invariant_is_violated_by_a_scenario() -> None:
    assert {rule for _, rule in BROKEN.values()} | {"rejected-writes-change-nothing"} == set(INVARIANTS)


HELD = {
    "a violation in the setup": (
        SCENARIO.replace(
            '    And a ResourceClaim "c"',
            '    And ResourceClaim "d" is already allocated\n      | device | pool   |\n      | part-0 | pool-2 |\n'
            '    And ResourceClaim "e" is already allocated\n      | device | pool   |\n      | part-0 | pool-2 |\n'
            '    And a ResourceClaim "c"',
            1,
        ),
        lambda: state(GOOD, claim("d", part("part-0")), claim("e", part("part-0"))),
    ),
    "admin access": (
        SCENARIO,
        lambda: state(
            GOOD,
            claim("d", part("part-0")),
            claim("e", {**part("part-0"), "adminAccess": True}),
        ),
    ),
    "a device that was published anew": (
        SCENARIO,
        lambda: state(
            GOOD,
            claim("d", result(share=OTHER_SHARE, consumed="8")),
            resourceSlices=[
                {
                    **one,
                    "spec": {
                        **one["spec"],
                        "devices": [
                            {**device, "capacity": {"bw": {"value": "11"}}}
                            for device in one["spec"]["devices"]
                        ],
                    },
                }
                for one in CASE.objects["resourceSlices"]
                if one["metadata"]["name"] == "pool-1-slice"
            ],
        ),
    ),
    "the counter of a device that was removed": (
        SCENARIO,
        lambda: state(
            GOOD,
            claim("d", part("part-0")),
            claim("e", part("part-1")),
            resourceSlices=[
                {
                    **one,
                    "spec": {
                        **one["spec"],
                        "devices": [
                            device for device in one["spec"].get("devices", ()) if device["name"] != "part-0"
                        ],
                    },
                }
                for one in CASE.objects["resourceSlices"]
            ],
        ),
    ),
    "a claim that was released in between": (
        re.sub(r"When ResourceClaim.*?rejected", 'When pod "p" is deleted', SCENARIO, flags=re.DOTALL),
        lambda: state(claim("c", result(consumed="4"), pods=("q",)), pods=(pod("q", "c"),)),
    ),
}


def test_a_fully_used_node_is_valid() -> None:
    assert violated_invariants(node_and_pod("2", "1")) == set()


@pytest.mark.parametrize(
    ("recorded", "broken"),
    [(True, {"nodes-not-overcommitted"}), (False, set())],
    ids=["recorded", "not recorded"],
)
def test_an_extended_resource_claim_counts_if_it_is_recorded(recorded: bool, broken: set[str]) -> None:
    text = SCENARIO.replace(
        "| device | pool   | consumesCounters gpu-0 |",
        "| device | pool | consumesCounters gpu-0 | mapping cpu |",
    )
    text = text.replace("memory 6               |", "memory 6 | 4 |")
    user, owner = naming("x", "r0"), [{**OWNER[0], "name": "q", "uid": "uid-q"}]
    entry = {"resourceClaimName": "x", "resources": {"cpu": "4"}}
    if recorded:
        user["status"]["nodeAllocatableResourceClaimStatuses"] = [entry]
    extended = claim("x", part("part-0"), pods=("q",), annotations=SPECIAL, ownerReferences=owner)
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "node-1"},
        "status": {"allocatable": {"cpu": "3"}},
    }
    second = state(
        GOOD,
        extended,
        pods=(pod("p", "c"), user),
        nodes=[node],
        resourceSlices=scenario_case(text).objects["resourceSlices"],
    )
    assert violated_invariants(second, text=text) == broken


@pytest.mark.parametrize("name", HELD)
def test_valid_states(name: str) -> None:
    text, second = HELD[name]
    first = second() if name == "a violation in the setup" else None
    assert violated_invariants(second(), text=text, first=first) == set()


def test_other_releases_may_serve_fewer_fields_of_an_allocation() -> None:
    text = SCENARIO.replace(
        "    When ResourceClaim",
        "    When the API server restarts with Kubernetes 1.34\n    And ResourceClaim",
    )
    case = scenario_case(text)
    observations = right(case)
    observations.insert(1, {"outcome": "done"})
    observations[-1] = state(claim("c", result(share=""), pods=("p",)))
    told = ObservedScenario.of(case.objects, case.ask, answer(*observations).observations)
    assert list(violations(told, profile_of(case, "kep")[0])) == []


def test_used_quota_equals_usage_and_unknown_resources_are_ignored() -> None:
    assert violated_invariants(state(GOOD, claim("d"), resourceQuotas=[QUOTA])) == set()

"""Pods, workloads and claims are placed on the first node that fits."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dra_conform.allocator import Failed, Unallocatable
from dra_conform.kube.errors import InputError
from tests.support.controlplane.clusters import (
    CLASS,
    TEMPLATE,
    claim,
    cluster,
    devices,
    held,
    named,
    node,
    placed,
    pod,
    templated,
    workload,
)

WORLD = (CLASS, TEMPLATE, node("node-1", devices=2), node("node-2", devices=2))


def test_a_claim_that_no_pod_names() -> None:
    [placement] = placed(*WORLD, claim("c", namespace="team"))
    assert (placement.subject, placement.node) == ("ResourceClaim team/c", "node-1")
    assert devices([placement]) == {"team/c": ["node-1/d0"]}


def test_pods_go_before_claims_that_none_names_and_in_the_order_of_the_manifests() -> None:
    placements = placed(
        *WORLD, claim("alone"), pod("b", templated("gpu")), claim("own"), pod("a", named("gpu", "own"))
    )
    assert [one.subject for one in placements] == [
        "Pod default/b",
        "Pod default/a",
        "ResourceClaim default/alone",
    ]
    assert devices(placements) == {
        "default/b-gpu": ["node-1/d0"],
        "default/own": ["node-1/d1"],
        "default/alone": ["node-2/d0"],
    }
    assert [one.node for one in placements] == ["node-1", "node-1", "node-2"]


def test_the_claims_of_a_pod_are_on_one_node_or_nowhere() -> None:
    three = [templated(f"g{number}") for number in range(3)]
    [placement] = placed(CLASS, TEMPLATE, node("small", devices=2), node("big", devices=3), pod("p", *three))
    assert placement.node == "big"
    assert devices([placement]) == {f"default/p-g{number}": [f"big/d{number}"] for number in range(3)}
    first, second = placed(*WORLD, pod("p", *three), pod("q", templated("gpu")))
    assert (first.node, devices([first])) == ("", {})
    assert [type(one.decision) for one in first.attempts] == [Unallocatable, Unallocatable]
    assert devices([second]) == {"default/q-gpu": ["node-1/d0"]}


def test_a_claim_shared_by_pods_is_allocated_once() -> None:
    first, second = placed(*WORLD, claim("c"), pod("p", named("gpu", "c")), pod("q", named("mine", "c")))
    assert devices([first]) == devices([second]) == {"default/c": ["node-1/d0"]}
    assert first.claims == second.claims
    assert second.node == "node-1"


def test_a_claim_that_is_named_twice_by_a_pod_is_one() -> None:
    [placement] = placed(*WORLD, claim("c"), pod("p", named("a", "c"), named("b", "c")))
    assert devices([placement]) == {"default/c": ["node-1/d0"]}


def test_what_is_allocated_already_is_taken() -> None:
    placements = placed(*WORLD, held("other", "d0"), claim("c"))
    assert devices(placements) == {"default/other": ["node-1/d0"], "default/c": ["node-1/d1"]}


def selecting(name: str) -> str:
    terms = f"[{{matchFields: [{{key: metadata.name, operator: In, values: [{name}]}}]}}]"
    return f", nodeSelector: {{nodeSelectorTerms: {terms}}}"


def test_an_allocated_claim_keeps_its_pod_on_its_node() -> None:
    [placement] = placed(
        CLASS,
        TEMPLATE,
        node("node-0"),
        node("node-1", devices=2),
        held("mine", "d0", selector=selecting("node-1")),
        pod("p", named("old", "mine"), templated("new")),
    )
    assert placement.node == "node-1"
    assert devices([placement]) == {"default/mine": ["node-1/d0"], "default/p-new": ["node-1/d1"]}
    [nowhere] = placed(*WORLD, held("mine", "d0", selector=selecting("gone")), pod("p", named("old", "mine")))
    assert (nowhere.node, nowhere.attempts) == ("", ())
    assert nowhere.obstacle == "no node that it accepts is in the manifests"


REQUIRED = (
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: %s}}}"
)
ZONE = "[{matchExpressions: [{key: zone, operator: In, values: [%s]}]}]"
CHOICES: Mapping[str, tuple[str, str]] = {
    "nothing said": ("", "node-1"),
    "nodeName": ("nodeName: node-2", "node-2"),
    "an unknown nodeName": ("nodeName: node-9", ""),
    "nodeSelector": ("nodeSelector: {zone: b}", "node-2"),
    "nodeSelector with two labels": ("nodeSelector: {zone: b, arch: arm}", ""),
    "nodeSelector and nodeName that differ": ("nodeSelector: {zone: b}, nodeName: node-1", ""),
    "required affinity": (REQUIRED % (ZONE % "b"), "node-2"),
    "one of two": (REQUIRED % (ZONE % "'c', a"), "node-1"),
    "required affinity that no node meets": (REQUIRED % (ZONE % "c"), ""),
    "required affinity without a term": (REQUIRED % "[]", ""),
    "preferred affinity": (
        "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}}",
        "node-1",
    ),
}


@pytest.mark.parametrize("name", CHOICES)
def test_node_choice(name: str) -> None:
    more, expected = CHOICES[name]
    nodes = (node("node-1", labels="{zone: a}"), node("node-2", labels="{zone: b}"))
    [placement] = placed(CLASS, TEMPLATE, *nodes, pod("p", templated("gpu"), more=more))
    assert placement.node == expected
    assert bool(placement.obstacle) == (not expected)


def test_only_the_node_asked_for() -> None:
    [placement] = placed(*WORLD, claim("c"), node="node-2")
    assert devices([placement]) == {"default/c": ["node-2/d0"]}
    [other] = placed(*WORLD, pod("p", templated("gpu"), more="nodeName: node-1"), node="node-2")
    assert (other.node, other.attempts) == ("", ())


def test_a_pod_without_claims_is_not_placed() -> None:
    assert placed(*WORLD, pod("p")) == []


def test_explained() -> None:
    [placement] = placed(CLASS, node("node-1", devices=0), claim("c"), explain=True)
    [attempt] = placement.attempts
    assert isinstance(attempt.decision, Unallocatable)
    [plain] = placed(CLASS, node("node-1"), held("h", "d0"), claim("c"), explain=True)[1:]
    assert "device gpu.example.com/node-1/d0: DeviceInUse" in str(plain.attempts[0].decision.trace[0])


WORKLOADS: Mapping[str, tuple[str, list[str]]] = {
    "Deployment": ("replicas: 3", ["w-0", "w-1", "w-2"]),
    "ReplicaSet": ("replicas: 2", ["w-0", "w-1"]),
    "StatefulSet": ("replicas: 2, serviceName: s", ["w-0", "w-1"]),
    "StatefulSet ": ("", ["w-0"]),
    "Deployment ": ("replicas: 0", []),
    "Job": ("", ["w-0"]),
    "Job ": ("parallelism: 3", ["w-0", "w-1", "w-2"]),
    "Job  ": ("parallelism: 3, completions: 2", ["w-0", "w-1"]),
    "Job   ": ("parallelism: 1, completions: 4", ["w-0"]),
    "DaemonSet": ("", ["w-node-1", "w-node-2"]),
}


@pytest.mark.parametrize("kind", WORKLOADS)
def test_the_pods_of_a_workload(kind: str) -> None:
    spec, names = WORKLOADS[kind]
    placements = placed(*WORLD, workload(kind.strip(), "w", spec, templated("gpu")))
    assert [one.subject for one in placements] == [f"Pod default/{name}" for name in names]
    assert list(devices(placements)) == [f"default/{name}-gpu" for name in names]


def test_the_pods_of_a_daemon_set_stay_on_their_nodes() -> None:
    placements = placed(*WORLD, workload("DaemonSet", "w", "", templated("gpu")))
    assert [one.node for one in placements] == ["node-1", "node-2"]


def test_the_pods_of_a_workload_share_a_claim_they_name() -> None:
    placements = placed(*WORLD, claim("c"), workload("Deployment", "w", "replicas: 3", named("gpu", "c")))
    assert [one.subject for one in placements] == [f"Pod default/w-{number}" for number in range(3)]
    assert devices(placements) == {"default/c": ["node-1/d0"]}


@pytest.mark.parametrize(
    ("kind", "spec", "path"),
    [
        ("Deployment", "replicas: -1", "spec.replicas: is -1"),
        ("StatefulSet", "replicas: 2000000000", "spec.replicas: is 2000000000"),
        ("Job", "parallelism: 2000000000", "spec.parallelism: is 2000000000"),
    ],
)
def test_a_number_of_pods_that_makes_no_sense(kind: str, spec: str, path: str) -> None:
    with pytest.raises(InputError, match=rf"^m.yaml:\d+: {kind} w: {path}, expected between 0 and 10000$"):
        cluster(*WORLD, workload(kind, "w", spec, templated("gpu")))


RULE = """\
apiVersion: resource.k8s.io/v1beta2
kind: DeviceTaintRule
metadata: {name: broken}
spec: {deviceSelector: {driver: gpu.example.com}, taint: {key: a/b, effect: NoSchedule}}
"""
EXTENDED = CLASS + "spec: {extendedResourceName: example.com/gpu}\n"
LIMITS = "containers: [{name: c, resources: {limits: {%s: 1}}}]"
IMPLICIT = "deviceclass.resource.kubernetes.io/gpu"


@pytest.mark.parametrize(
    ("device_class", "limits"),
    [
        (EXTENDED, LIMITS % "example.com/gpu"),
        (EXTENDED, LIMITS % IMPLICIT),
        (CLASS, LIMITS % IMPLICIT),
        (CLASS, "containers: [{name: d}], init" + (LIMITS % IMPLICIT).replace("c", "C", 1)),
    ],
)
def test_an_extended_resource_gets_devices_of_its_class(device_class: str, limits: str) -> None:
    placements = placed(device_class, node("node-1"), claim("c"), pod("p", more=limits))
    assert devices(placements) == {"default/p-extended-resources": ["node-1/d0"]}
    assert [one.subject for one in placements if not one.node] == ["ResourceClaim default/c"]


def test_what_a_node_has_itself_takes_no_device() -> None:
    plugged = node("node-1").replace("metadata", "status: {allocatable: {example.com/gpu: 1}}\nmetadata", 1)
    world = (EXTENDED, plugged, claim("c"), pod("p", more=LIMITS % "example.com/gpu"))
    assert devices(placed(*world)) == {"default/c": ["node-1/d0"]}


def test_what_nobody_serves_fits_nowhere() -> None:
    both = "containers: [{name: c, resources: {limits: {example.com/gpu: 1, example.com/fpga: 1}}}]"
    [placement] = placed(EXTENDED, node("node-1"), pod("p", more=both))
    assert (placement.node, placement.obstacle) == ("", "no node that it accepts is in the manifests")


def test_what_a_release_does_not_have_changes_nothing() -> None:
    world = (TEMPLATE, EXTENDED, RULE, node("node-1"), claim("c"), pod("p", more=LIMITS % "example.com/gpu"))
    assert devices(placed(*world, profile="kubernetes-1.34")) == {"default/c": ["node-1/d0"]}


# Taint rules.


TOLERANT = "deviceClassName: gpu, tolerations: [{key: a/b, operator: Exists}]"


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("driver: gpu.example.com", None),
        ("driver: net.example.com", "node-1/d0"),
        ("pool: node-1", "node-2/d0"),
        ("device: d0", "node-1/d1"),
        ("pool: node-1, device: d0", "node-1/d1"),
        ("deviceClassName: gpu", None),
    ],
)
def test_a_taint_rule(selector: str, found: str | None) -> None:
    rule = RULE.replace("driver: gpu.example.com", selector)
    placements = placed(*WORLD, rule, claim("c"))
    assert devices(placements) == ({"default/c": [found]} if found else {})
    tolerant = claim("c").replace("deviceClassName: gpu", TOLERANT)
    assert devices(placed(*WORLD, rule, tolerant)) == {"default/c": ["node-1/d0"]}


def test_a_taint_rule_is_explained() -> None:
    [placement] = placed(CLASS, node("node-1"), RULE, claim("c"), explain=True)
    [attempt] = placement.attempts
    assert isinstance(attempt.decision, Unallocatable)
    assert str(attempt.decision.trace[0]).startswith(
        "claim default/c, request r0, device gpu.example.com/node-1/d0: TaintNotTolerated: "
    )


# Admin access.


ADMIN = "deviceClassName: gpu, adminAccess: true"


def admin(name: str, more: str = "") -> str:
    return claim(name).replace("deviceClassName: gpu", ADMIN + more)


def test_admin_access() -> None:
    """Claims are placed one after the other; admin access neither waits nor keeps others waiting."""
    one = (CLASS, node("node-1"))
    everyone = {"default/a": ["node-1/d0"], "default/b": ["node-1/d0"], "default/c": ["node-1/d0"]}
    assert devices(placed(*one, admin("a"), admin("b"), claim("c"))) == everyone
    assert devices(placed(*one, claim("c"), admin("a"), admin("b"))) == everyone
    every = admin("a", ", allocationMode: All")
    both = placed(CLASS, node("node-1", devices=2), held("h", "d1"), every)
    assert devices(both)["default/a"] == ["node-1/d0", "node-1/d1"]


def test_admin_access_with_the_gate_off() -> None:
    [placement] = placed(CLASS, node("node-1"), admin("a"), profile="kubernetes-1.33")
    assert placement.node == ""
    assert isinstance(placement.attempts[0].decision, Failed)
    assert placement.attempts[0].decision.category == "FeatureDisabled"


# Partitionable devices.


def parted(name: str, *draws: str) -> str:
    """A node whose devices draw on 8Gi of memory."""
    drawing = "".join(
        f"  - {{name: d{number}, consumesCounters: [{{counterSet: gpu, counters: {{memory: {{value: {amount}}}}}}}]}}\n"
        for number, amount in enumerate(draws)
    )
    counters = node(name, devices=0).replace(f"{name}-slice", f"{name}-counters")
    return (
        counters.replace("resourceSliceCount: 1", "resourceSliceCount: 2").replace(
            "  devices: []\n", "  sharedCounters: [{name: gpu, counters: {memory: {value: 8Gi}}}]\n"
        )
        + "---\n"
        + node(name, devices=0)
        .partition("---\n")[2]
        .replace("resourceSliceCount: 1", "resourceSliceCount: 2")
        .replace("  devices: []\n", "  devices:\n" + drawing)
    )


def test_counters_of_what_was_placed_before() -> None:
    world = (CLASS, TEMPLATE, parted("node-1", "6Gi", "6Gi", "2Gi"), parted("node-2", "8Gi"))
    placements = placed(*world, *(pod(name, templated("gpu")) for name in "abcd"))
    assert devices(placements) == {
        "default/a-gpu": ["node-1/d0"],
        "default/b-gpu": ["node-1/d2"],
        "default/c-gpu": ["node-2/d0"],
    }
    assert placements[3].node == ""
    two = [templated("g"), templated("h")]
    [placement] = placed(*world, pod("p", *two))
    assert devices([placement]) == {"default/p-g": ["node-1/d0"], "default/p-h": ["node-1/d2"]}


def test_a_resource_that_no_class_serves_is_none_of_ours() -> None:
    assert placed(CLASS, node("node-1"), pod("p", more=LIMITS % "cpu")) == []


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (
            [pod("p", templated("gpu"), more=REQUIRED % "[{matchExpressions: [{key: a, operator: Like}]}]")],
            r"m.yaml:\d+: Pod default/p: spec.affinity.nodeAffinity.required\w+: unknown operator 'Like'",
        ),
        (
            [pod("p", templated("gpu"), more=REQUIRED % "[{labels: []}]")],
            r"m.yaml:\d+: Pod default/p: spec.affinity.nodeAffinity.required\w+: nodeSelectorTerms.*labels",
        ),
        (
            [held("h", "d0", selector=selecting("x").replace("In,", "Gt,")), pod("p", named("gpu", "h"))],
            "ResourceClaim default/h: status.allocation.nodeSelector: .*Gt",
        ),
    ],
)
def test_selectors_that_cannot_be_understood(documents: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        placed(*WORLD, *documents)

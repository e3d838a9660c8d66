"""The devices of claims in previews, with and without pods."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dra_conform.allocator.allocation_decision import reason_lines
from dra_conform.kube.errors import InputError
from dra_conform.previews.rehearsal import PodState
from tests.support.previews.clusters import (
    CLASS,
    TEMPLATE,
    claim,
    devices,
    held,
    named,
    node,
    pod,
    rehearsed,
    subjects,
    templated,
    workload,
)

WORLD = (CLASS, TEMPLATE, node("node-1", devices=2), node("node-2", devices=2))


def test_a_claim_that_no_pod_names() -> None:
    rehearsal = rehearsed(*WORLD, claim("c", namespace="team"))
    [lone] = rehearsal.unused_claims
    assert (lone.key, lone.node) == ("team/c", "node-1")
    assert devices(rehearsal) == {"team/c": ["node-1/d0"]}
    assert rehearsal.pods == ()
    assert [one["kind"] for one in rehearsal.objects] == ["ResourceClaim"]
    assert "reservedFor" not in rehearsal.objects[0]["status"]


def test_a_claim_that_no_pod_names_stays_unallocated_without_lone_claims() -> None:
    rehearsal = rehearsed(*WORLD, claim("c"), unused_claims=False)
    assert rehearsal.unused_claims == ()
    assert "status" not in rehearsal.objects[0]


def test_pods_are_scheduled_in_manifest_order_before_claims_that_no_pod_names() -> None:
    rehearsal = rehearsed(
        *WORLD, claim("alone"), pod("b", templated("gpu")), claim("own"), pod("a", named("gpu", "own"))
    )
    assert [one.key for one in subjects(rehearsal)] == ["default/b", "default/a", "default/alone"]
    assert devices(rehearsal) == {
        "default/b-gpu": ["node-1/d0"],
        "default/own": ["node-1/d1"],
        "default/alone": ["node-2/d0"],
    }
    assert [one.node for one in subjects(rehearsal)] == ["node-1", "node-1", "node-2"]


def test_all_claims_of_a_pod_are_allocated_on_one_node_or_none() -> None:
    three = [templated(f"g{number}") for number in range(3)]
    rehearsal = rehearsed(CLASS, TEMPLATE, node("small", devices=2), node("big", devices=3), pod("p", *three))
    assert rehearsal.pods[0].node == "big"
    assert devices(rehearsal) == {f"default/p-g{number}": [f"big/d{number}"] for number in range(3)}
    rehearsal = rehearsed(*WORLD, pod("p", *three), pod("q", templated("gpu")))
    assert (rehearsal.pods[0].node, rehearsal.pods[0].state) == ("", PodState.PENDING)
    assert rehearsal.pods[0].message == "0/2 nodes are available: 2 cannot allocate all claims."
    assert devices(rehearsal) == {"default/q-gpu": ["node-1/d0"]}


def test_a_claim_shared_by_pods_is_allocated_once() -> None:
    rehearsal = rehearsed(*WORLD, claim("c"), pod("p", named("gpu", "c")), pod("q", named("mine", "c")))
    first, second = rehearsal.pods
    assert devices(rehearsal) == {"default/c": ["node-1/d0"]}
    assert first.claims == second.claims
    assert second.node == "node-1"


def test_a_claim_that_a_pod_names_twice_is_allocated_once() -> None:
    rehearsal = rehearsed(*WORLD, claim("c"), pod("p", named("a", "c"), named("b", "c")))
    assert devices(rehearsal) == {"default/c": ["node-1/d0"]}


def test_devices_of_allocated_claims_are_in_use() -> None:
    rehearsal = rehearsed(*WORLD, held("other", "d0"), claim("c"))
    assert devices(rehearsal) == {"default/other": ["node-1/d0"], "default/c": ["node-1/d1"]}
    assert [one.node for one in rehearsal.unused_claims] == ["", "node-1"]


def selecting(name: str) -> str:
    terms = f"[{{matchFields: [{{key: metadata.name, operator: In, values: [{name}]}}]}}]"
    return f", nodeSelector: {{nodeSelectorTerms: {terms}}}"


def test_an_allocated_claim_keeps_its_pod_on_its_node() -> None:
    rehearsal = rehearsed(
        CLASS,
        TEMPLATE,
        node("node-0"),
        node("node-1", devices=2),
        held("mine", "d0", selector=selecting("node-1")),
        pod("p", named("old", "mine"), templated("new")),
    )
    assert rehearsal.pods[0].node == "node-1"
    assert devices(rehearsal) == {"default/mine": ["node-1/d0"], "default/p-new": ["node-1/d1"]}


REQUIRED = (
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: %s}}}"
)
ZONE = "[{matchExpressions: [{key: zone, operator: In, values: [%s]}]}]"
CHOICES: Mapping[str, tuple[str, str]] = {
    "no node selection": ("", "node-1"),
    "nodeName, which passes the scheduler by": ("nodeName: node-2", ""),
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
    [found] = rehearsed(CLASS, TEMPLATE, *nodes, pod("p", templated("gpu"), more=more)).pods
    assert (found.node if found.state is PodState.RUNNING else "") == expected


def test_only_the_selected_node() -> None:
    assert devices(rehearsed(*WORLD, claim("c"), node="node-2")) == {"default/c": ["node-2/d0"]}
    [other] = rehearsed(*WORLD, pod("p", templated("gpu"), more="nodeName: node-1"), node="node-2").pods
    assert (other.state, other.claims[0].get("status")) == (PodState.PENDING, None)
    [own] = rehearsed(*WORLD, workload("DaemonSet", "w", "", templated("gpu")), node="node-2").pods
    assert own.node == "node-2"


def test_a_pod_without_claims_wants_no_devices() -> None:
    assert subjects(rehearsed(*WORLD, pod("p"))) == []


def test_explained() -> None:
    [found] = rehearsed(CLASS, node("node-1", devices=0), claim("c"), explain=True).unused_claims
    [refused] = found.rejections
    assert (refused.nodes, [str(one) for one in refused.refusals]) == (
        ("node-1",),
        ["InsufficientDevices: 1 requested, 0 found"],
    )
    rehearsal = rehearsed(CLASS, node("node-1"), held("h", "d0"), claim("c"), explain=True)
    [refused] = rehearsal.unused_claims[1].rejections
    assert list(reason_lines(refused.refusals))[:2] == [
        "claim default/c, request r0",
        "  1 device: DeviceInUse: allocated to another claim (d0)",
    ]


def test_equal_pods_are_explained_each_with_its_own_claims() -> None:
    deployment = workload("Deployment", "w", "replicas: 3", templated("gpu"))
    taken, *others = rehearsed(
        CLASS, TEMPLATE, node("node-1"), node("node-2", devices=0), deployment, explain=True
    ).pods
    assert taken.state is PodState.RUNNING
    for one in others:
        assert [refused.nodes for refused in one.rejections] == [("node-1",), ("node-2",)]
        [claim_of_pod] = one.claims
        heading = f"claim default/{claim_of_pod['metadata']['name']}, request r0"
        assert all(next(reason_lines(refused.refusals)) == heading for refused in one.rejections)


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
    rehearsal = rehearsed(*WORLD, workload(kind.strip(), "w", spec, templated("gpu")))
    assert [one.key for one in subjects(rehearsal) if one in rehearsal.pods] == [
        f"default/{name}" for name in names
    ]
    assert list(devices(rehearsal)) == [f"default/{name}-gpu" for name in names]


def test_the_pods_of_a_daemon_set_stay_on_their_nodes() -> None:
    rehearsal = rehearsed(*WORLD, workload("DaemonSet", "w", "", templated("gpu")))
    assert [one.node for one in rehearsal.pods] == ["node-1", "node-2"]


def test_the_pods_of_a_workload_share_a_claim_they_name() -> None:
    rehearsal = rehearsed(*WORLD, claim("c"), workload("Deployment", "w", "replicas: 3", named("gpu", "c")))
    assert [one.key for one in rehearsal.pods] == [f"default/w-{number}" for number in range(3)]
    assert devices(rehearsal) == {"default/c": ["node-1/d0"]}


@pytest.mark.parametrize(
    ("kind", "spec", "path"),
    [
        ("Deployment", "replicas: -1", "spec.replicas: is -1"),
        ("StatefulSet", "replicas: 2000000000", "spec.replicas: is 2000000000"),
        ("Job", "parallelism: 2000000000", "spec.parallelism: is 2000000000"),
    ],
)
def test_an_invalid_number_of_pods_is_rejected(kind: str, spec: str, path: str) -> None:
    with pytest.raises(InputError, match=rf"^m.yaml:\d+: {kind} w: {path}, expected between 0 and 10000$"):
        rehearsed(*WORLD, workload(kind, "w", spec, templated("gpu")))


RULE = """\
apiVersion: resource.k8s.io/v1beta2
kind: DeviceTaintRule
metadata: {name: broken}
spec: {deviceSelector: {driver: gpu.example.com}, taint: {key: a/b, effect: NoSchedule}}
"""
EXTENDED = CLASS + "spec: {extendedResourceName: example.com/gpu}\n"
LIMITS = "containers: [{name: c, image: i, resources: {limits: {%s: 1}}}]"
IMPLICIT = "deviceclass.resource.kubernetes.io/gpu"


@pytest.mark.parametrize(
    ("device_class", "limits"),
    [
        (EXTENDED, LIMITS % "example.com/gpu"),
        (EXTENDED, LIMITS % IMPLICIT),
        (CLASS, LIMITS % IMPLICIT),
        (CLASS, "containers: [{name: d, image: i}], init" + (LIMITS % IMPLICIT).replace("c", "C", 1)),
    ],
)
def test_an_extended_resource_gets_devices_of_its_class(device_class: str, limits: str) -> None:
    rehearsal = rehearsed(device_class, node("node-1"), claim("c"), pod("p", more=limits))
    assert devices(rehearsal) == {"default/p-extended-resources": ["node-1/d0"]}
    assert [one.key for one in subjects(rehearsal) if not one.node] == ["default/c"]


def test_a_resource_of_the_node_itself_needs_no_device() -> None:
    plugged = node("node-1").replace("metadata", "status: {allocatable: {example.com/gpu: 1}}\nmetadata", 1)
    world = (EXTENDED, plugged, claim("c"), pod("p", more=LIMITS % "example.com/gpu"))
    assert devices(rehearsed(*world)) == {"default/c": ["node-1/d0"]}


def test_a_resource_without_a_device_class_is_unschedulable() -> None:
    limits = "limits: {example.com/gpu: 1, example.com/fpga: 1}"
    both = f"containers: [{{name: c, image: i, resources: {{{limits}}}}}]"
    [found] = rehearsed(EXTENDED, node("node-1"), pod("p", more=both)).pods
    assert (found.state, found.wants_devices) == (PodState.PENDING, True)
    assert found.message == "0/1 nodes are available: 1 Insufficient example.com/fpga."


def test_fields_that_a_release_does_not_have_are_ignored() -> None:
    world = (TEMPLATE, EXTENDED, RULE, node("node-1"), claim("c"), pod("p", more=LIMITS % "example.com/gpu"))
    assert devices(rehearsed(*world, profile="kubernetes-1.34")) == {"default/c": ["node-1/d0"]}


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
    assert devices(rehearsed(*WORLD, rule, claim("c"))) == ({"default/c": [found]} if found else {})
    tolerant = claim("c").replace("deviceClassName: gpu", TOLERANT)
    assert devices(rehearsed(*WORLD, rule, tolerant)) == {"default/c": ["node-1/d0"]}


def test_a_taint_rule_is_explained() -> None:
    [found] = rehearsed(CLASS, node("node-1"), RULE, claim("c"), explain=True).unused_claims
    assert str(found.rejections[0].refusals[0]).startswith("1 device: TaintNotTolerated: ")


# Admin access.


ADMIN = "deviceClassName: gpu, adminAccess: true"


def admin(name: str, more: str = "") -> str:
    return claim(name).replace("deviceClassName: gpu", ADMIN + more)


ADMINS = """\
apiVersion: v1
kind: Namespace
metadata: {name: default, labels: {resource.k8s.io/admin-access: "true"}}
"""


def test_admin_access() -> None:
    """Admin access needs no free device and does not use one."""
    one = (ADMINS, CLASS, node("node-1"))
    everyone = {"default/a": ["node-1/d0"], "default/b": ["node-1/d0"], "default/c": ["node-1/d0"]}
    assert devices(rehearsed(*one, admin("a"), admin("b"), claim("c"))) == everyone
    assert devices(rehearsed(*one, claim("c"), admin("a"), admin("b"))) == everyone
    every = admin("a", ", allocationMode: All")
    both = rehearsed(ADMINS, CLASS, node("node-1", devices=2), held("h", "d1"), every)
    assert devices(both)["default/a"] == ["node-1/d0", "node-1/d1"]


def test_admin_access_in_a_namespace_without_the_label() -> None:
    rehearsal = rehearsed(CLASS, node("node-1"), admin("a"))
    assert subjects(rehearsal) == []
    [(key, _)] = rehearsal.rejected
    assert key == ("ResourceClaim", "default", "a")


# Partitionable devices.


def parted(name: str, *draws: str) -> str:
    """Return a node whose devices consume a counter of 8Gi memory."""
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


def test_counters_of_allocated_devices_are_consumed() -> None:
    world = (CLASS, TEMPLATE, parted("node-1", "6Gi", "6Gi", "2Gi"), parted("node-2", "8Gi"))
    rehearsal = rehearsed(*world, *(pod(name, templated("gpu")) for name in "abcd"))
    assert devices(rehearsal) == {
        "default/a-gpu": ["node-1/d0"],
        "default/b-gpu": ["node-1/d2"],
        "default/c-gpu": ["node-2/d0"],
    }
    assert rehearsal.pods[3].node == ""
    two = [templated("g"), templated("h")]
    assert devices(rehearsed(*world, pod("p", *two))) == {
        "default/p-g": ["node-1/d0"],
        "default/p-h": ["node-1/d2"],
    }


def test_a_pod_with_a_resource_without_a_device_class_wants_no_devices() -> None:
    assert subjects(rehearsed(CLASS, node("node-1"), pod("p", more=LIMITS % "cpu"))) == []


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (
            [pod("p", templated("gpu"), more=REQUIRED % "[{matchExpressions: [{key: a, operator: Like}]}]")],
            "unknown operator 'Like'",
        ),
        ([pod("p", templated("gpu"), more=REQUIRED % "[{labels: []}]")], "labels"),
    ],
)
def test_malformed_selectors_are_reported(documents: list[str], message: str) -> None:
    [found] = rehearsed(*WORLD, *documents).pods
    assert found.state is PodState.PENDING
    assert message in found.message


# Existing objects.


MADE = claim("p-gpu-x7kq2").replace(
    "namespace: default",
    "namespace: default, uid: u-claim, annotations: {resource.kubernetes.io/pod-claim-name: gpu}, "
    "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u-1, controller: true}]",
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (pod("p, uid: u-1", templated("gpu")), ["p-gpu-x7kq2"]),
        (pod("p", templated("gpu")), ["p-gpu-x7kq2"]),
        (pod("p, uid: u-2", templated("gpu")), ["p-gpu-", "p-gpu-x7kq2"]),
        (pod("q", templated("gpu")), ["q-gpu-", "p-gpu-x7kq2"]),
    ],
    ids=["its pod", "its pod, without the UID", "another pod of that name", "another pod"],
)
def test_an_existing_generated_claim_belongs_to_its_pod(given: str, expected: list[str]) -> None:
    rehearsal = rehearsed(*WORLD, MADE, given)
    names = [claim["metadata"]["name"] for one in subjects(rehearsal) for claim in one.claims]
    assert [name[: len(start)] for name, start in zip(names, expected, strict=True)] == expected
    assert all(one.node for one in subjects(rehearsal))


def test_claims_reserved_for_unknown_pods_stay_allocated() -> None:
    """The claim is printed by `kubectl get resourceclaims -o yaml`, without its pod."""
    users = "reservedFor: [{resource: pods, name: gone, uid: u-9}], allocation"
    taken = held("h", "d0").replace("namespace: default", "namespace: default, uid: u-h")
    rehearsal = rehearsed(*WORLD, taken.replace("allocation", users), claim("c"))
    assert devices(rehearsal) == {"default/h": ["node-1/d0"], "default/c": ["node-1/d1"]}


def test_objects_with_generate_name() -> None:
    generated = [text.replace("name: p", "generateName: p-") for text in [pod("p", templated("gpu"))] * 2]
    claims = [claim("c").replace("name: c", "generateName: c-")] * 2
    assert len(devices(rehearsed(*generated, *claims, *WORLD))) == 4


def test_a_missing_claim_or_template_keeps_the_pod_pending() -> None:
    rehearsal = rehearsed(*WORLD, pod("p", named("gpu", "c")), pod("q", templated("gpu", "none")))
    assert [one.message for one in rehearsal.pods] == [
        'resourceclaim "c" not found',
        'waiting for the ResourceClaim of "gpu" to be created '
        '(FailedResourceClaimCreation: NotFound: resourceclaimtemplate "none" not found)',
    ]


def test_an_object_that_occurs_twice_is_updated() -> None:
    assert devices(rehearsed(*WORLD, *WORLD, claim("c"), claim("c"))) == {"default/c": ["node-1/d0"]}
    grown = node("node-1", devices=3).partition("---\n")[2]
    two = [templated(f"g{number}") for number in range(3)]
    assert rehearsed(*WORLD, pod("p", *two)).pods[0].node == ""
    assert rehearsed(*WORLD, grown, pod("p", *two)).pods[0].node == "node-1"
    changed = claim("c").replace("name: r0", "name: r1")
    [(key, _)] = rehearsed(*WORLD, claim("c"), changed).rejected
    assert key == ("ResourceClaim", "default", "c")


QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: default}
spec: {hard: {count/resourceclaims.resource.k8s.io: "1"}}
"""


def test_a_quota_limits_the_claims_that_are_generated_for_later_pods_of_its_manifests() -> None:
    pods = (pod("a", templated("gpu")), pod("b", templated("gpu")))
    rehearsal = rehearsed(*WORLD, QUOTA, *pods)
    assert devices(rehearsal) == {"default/a-gpu": ["node-1/d0"]}
    [counted] = rehearsal.quotas
    assert counted["status"]["used"] == {"count/resourceclaims.resource.k8s.io": "1"}

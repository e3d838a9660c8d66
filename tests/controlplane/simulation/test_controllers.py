"""Claims from templates, their release, pods put on nodes by hand, and eviction."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.controlplane.simulation.stories import (
    CLASS,
    SETTLE,
    change,
    claim,
    create,
    delete,
    devices_of,
    finish,
    gates,
    node,
    nodes_of,
    object_in,
    of,
    phases,
    pod,
    settled,
    shared,
    slice_on,
    template,
    told,
    users_of,
)

Json = Any
ONE = [node("n"), CLASS, slice_on("n", {"name": "d"})]
FINALIZER = "resource.kubernetes.io/delete-protection"


def only_claim(observation: Json) -> Json:
    [found] = observation["objects"]["resourceClaims"]
    return found


def test_a_claim_is_made_from_the_template_for_each_pod() -> None:
    found = settled([*ONE, template("t")], create(pod("p", templates=["t"])))
    made = only_claim(found)
    metadata = made["metadata"]
    assert metadata["name"].startswith("p-t-")
    assert metadata["annotations"] == {"resource.kubernetes.io/pod-claim-name": "t"}
    assert metadata["labels"] == {"from": "t"}
    assert [(one["kind"], one["name"], one["controller"]) for one in metadata["ownerReferences"]] == [
        ("Pod", "p", True)
    ]
    statuses = object_in(found, "Pod", "p")["status"]["resourceClaimStatuses"]
    assert statuses == [{"name": "t", "resourceClaimName": metadata["name"]}]
    assert phases(found) == {"p": "Running"}


def test_without_the_template_the_pod_waits_and_the_controller_says_so() -> None:
    first, _, second = told(ONE, create(pod("p", templates=["t"])), SETTLE, create(template("t")), SETTLE)[1:]
    assert nodes_of(first) == {"p": None}
    assert ("FailedResourceClaimCreation", 'NotFound: resourceclaimtemplate "t" not found') in [
        (one["reason"], one["message"]) for one in first["events"]
    ]
    assert nodes_of(second) == {"p": "n"}


@pytest.mark.parametrize("subresource", ["", "status"])
def test_a_claim_is_made_once_though_writes_fail(subresource: str) -> None:
    verb, kind = ("update", "Pod") if subresource else ("create", "ResourceClaim")
    fail = {"do": "fail", "times": 3, "verb": verb, "kind": kind, "subresource": subresource, "reason": "x"}
    found = settled([*ONE, template("t")], fail, create(pod("p", templates=["t"])))
    assert only_claim(found)["metadata"]["finalizers"] == [FINALIZER]
    assert phases(found) == {"p": "Running"}


@pytest.mark.parametrize("end", [finish("p"), delete("Pod", "p")], ids=["finished", "deleted"])
def test_a_made_claim_goes_with_its_pod(end: Json) -> None:
    found = told([*ONE, template("t")], create(pod("p", templates=["t"])), SETTLE, end, SETTLE)[-1]
    assert "resourceClaims" not in found["objects"]


@pytest.mark.parametrize("end", [finish("p"), delete("Pod", "p")], ids=["finished", "deleted"])
def test_a_claim_made_by_hand_is_freed_and_stays(end: Json) -> None:
    found = told([*ONE, claim("c")], create(pod("p", "c")), SETTLE, end, SETTLE)[-1]
    left = only_claim(found)
    assert "finalizers" not in left["metadata"]
    assert "allocation" not in left.get("status", {})


def test_a_shared_claim_is_kept_until_its_last_pod_is_gone() -> None:
    first, second = told(
        [*ONE, claim("c"), pod("p", "c"), pod("q", "c")],
        SETTLE,
        delete("Pod", "p"),
        SETTLE,
        delete("Pod", "q"),
        SETTLE,
    )[2::2]
    assert users_of(first, "c") == ["q"]
    assert devices_of(first) == {"c": ["d"]}
    assert devices_of(second) == {}


def test_an_allocated_claim_that_is_deleted_stays_while_a_pod_uses_it() -> None:
    *_, first, _, second = told(
        [*ONE, claim("c"), pod("p", "c")],
        SETTLE,
        delete("ResourceClaim", "c"),
        SETTLE,
        delete("Pod", "p"),
        SETTLE,
    )
    assert "deletionTimestamp" in only_claim(first)["metadata"]
    assert phases(first) == {"p": "Running"}
    assert "resourceClaims" not in second["objects"]


def test_a_given_claim_that_nothing_holds_any_more_is_gone() -> None:
    """It is being deleted, reserved for a pod that is not there, and has no finalizer."""
    results = [{"request": "r", "driver": "dra.example.com", "pool": "pool-n", "device": "d"}]
    users = [{"resource": "pods", "name": "gone", "uid": "u"}]
    held = claim("c")
    held["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    held["status"] = {"allocation": {"devices": {"results": results}}, "reservedFor": users}
    assert "resourceClaims" not in settled([*ONE, held])["objects"]


def test_a_claim_that_is_allocated_for_nobody_goes_when_it_is_deleted() -> None:
    """Nobody owns it and nobody has reserved it: an attempt has written its allocation and nothing more."""
    result = {"request": "r", "driver": "dra.example.com", "pool": "pool-n", "device": "d"}
    held = claim("c")
    held["metadata"]["finalizers"] = [FINALIZER]
    held["status"] = {"allocation": {"devices": {"results": [result]}}}
    first, _, second = told([*ONE, held], SETTLE, delete("ResourceClaim", "c"), SETTLE)
    assert "deletionTimestamp" not in only_claim(first)["metadata"]
    assert "resourceClaims" not in second["objects"]


def test_a_pod_of_the_same_name_is_another_one() -> None:
    story = [SETTLE, delete("Pod", "p"), create(pod("p", templates=["t"])), SETTLE]
    first, *_, second = told([*ONE, template("t"), pod("p", templates=["t"])], *story)
    assert only_claim(first)["metadata"]["name"] != only_claim(second)["metadata"]["name"]
    assert phases(second) == {"p": "Running"}


class TestPodsPutOnANode:
    def test_nothing_is_allocated_for_them(self) -> None:
        found = settled([*ONE, claim("c")], create(pod("p", "c", nodeName="n")))
        assert found["attempts"] == []
        assert devices_of(found) == {}
        assert phases(found) == {"p": "Pending"}

    def test_they_run_once_their_claim_is_allocated_for_another_pod(self) -> None:
        found = settled([*ONE, claim("c")], create(pod("p", "c", nodeName="n")), create(pod("q", "c")))
        assert phases(found) == {"p": "Running", "q": "Running"}
        assert users_of(found, "c") == ["q", "p"]

    def test_they_do_not_run_on_a_node_that_is_not_there(self) -> None:
        assert phases(settled([], create(pod("p", nodeName="n")))) == {"p": "Pending"}


TAINT = {"key": "k", "effect": "NoExecute"}
SLICE = {"kind": "ResourceSlice", "name": "slice-n"}


def evicted(toleration: Json, *waits: int, **how: Any) -> list[bool]:
    """Whether the pod is gone after each wait, the first beginning when its device is tainted."""
    tolerations = {"tolerations": [toleration]} if toleration else {}
    actions = [SETTLE, change(SLICE, {"spec.devices[0].taints": [TAINT]})]
    for wait in waits:
        actions += [{"do": "advance", "seconds": wait}, SETTLE]
    observations = told([*ONE, claim("c", **tolerations), pod("p", "c")], *actions, **how)
    assert phases(observations[0]) == {"p": "Running"}
    return ["pods" not in one["objects"] for one in observations[3::2]]


FOR_30_SECONDS = {"key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 30}


@pytest.mark.parametrize(
    ("toleration", "gone"),
    [
        (None, [True, True, True]),
        (FOR_30_SECONDS, [False, False, True]),
        ({**FOR_30_SECONDS, "tolerationSeconds": -5}, [True, True, True]),
        ({"key": "k", "operator": "Exists", "effect": "NoExecute"}, [False, False, False]),
        ({**FOR_30_SECONDS, "key": "other"}, [True, True, True]),
    ],
    ids=["none", "30 seconds", "negative", "for ever", "another key"],
)
def test_pods_are_evicted_when_their_toleration_is_over(toleration: Json, gone: list[bool]) -> None:
    assert evicted(toleration, 0, 29, 1) == gone


def test_a_toleration_without_effect_protects_in_the_documents_only() -> None:
    anything = {"key": "k", "operator": "Exists"}
    assert evicted(anything, 0) == [False]
    assert evicted(anything, 0, profile="kubernetes-1.37") == [True]


def test_without_the_gate_nobody_is_evicted() -> None:
    components = {"controller-manager": {"release": None, "gates": {"DRADeviceTaints": False}}}
    assert evicted(None, 0, components=components) == [False]


def test_a_taint_that_is_taken_back_in_time_evicts_nobody() -> None:
    actions = [
        change(SLICE, {"spec.devices[0].taints": [TAINT]}),
        {"do": "advance", "seconds": 20},
        SETTLE,
        change(SLICE, {"spec.devices[0].taints": None}),
        {"do": "advance", "seconds": 20},
        SETTLE,
    ]
    given = [*ONE, claim("c", tolerations=[FOR_30_SECONDS]), pod("p", "c")]
    assert phases(told(given, SETTLE, *actions)[-1]) == {"p": "Running"}


def test_a_rule_taints_devices_and_the_devices_of_others_are_left_alone() -> None:
    rule = of("DeviceTaintRule", "rule", {"deviceSelector": {"device": "d"}, "taint": TAINT})
    two = [node("n"), CLASS, slice_on("n", {"name": "d"}, {"name": "e"}), claim("c"), claim("f")]
    first, _, second = told([*two, pod("p", "c"), pod("q", "f")], SETTLE, create(rule), SETTLE)
    assert devices_of(first) == {"c": ["d"], "f": ["e"]}
    assert phases(second) == {"q": "Running"}
    assert devices_of(second) == {"f": ["e"]}
    assert "DeviceTaintManagerEviction" in [one["reason"] for one in second["events"]]


def test_the_controller_tells_why_it_evicts_and_when_it_does_not_any_more() -> None:
    held = pod("p", "c")
    held["metadata"]["finalizers"] = ["example.com/hold"]
    tainted, untainted = (change(SLICE, {"spec.devices[0].taints": taints}) for taints in ([TAINT], None))
    for_30 = claim("c", tolerations=[FOR_30_SECONDS])
    wait = {"do": "advance", "seconds": 30}
    given = [*ONE, for_30, held]
    _, _, early, _, cancelled, *_, over = told(
        given, SETTLE, tainted, SETTLE, untainted, SETTLE, tainted, wait, SETTLE
    )
    assert early["events"] == []
    assert [(one["reason"], one["message"]) for one in cancelled["events"]] == [
        ("DeviceTaintManagerEviction", "Cancelling deletion")
    ]
    assert [(one["reason"], one["message"]) for one in over["events"]] == [
        ("DeviceTaintManagerEviction", "Marking for deletion")
    ]
    left = object_in(over, "Pod", "p")
    assert "deletionTimestamp" in left["metadata"]
    [condition] = left["status"]["conditions"]
    assert (condition["type"], condition["reason"]) == ("DisruptionTarget", "DeletionByDeviceTaintManager")


class TestKubelets:
    def test_each_driver_is_asked_once_for_a_claim_on_the_node(self) -> None:
        given = [*ONE, claim("c"), pod("p", "c"), pod("q", "c")]
        first, still = told(given, SETTLE, SETTLE)
        devices = [{"pool": "pool-n", "device": "d"}]
        assert first["prepared"] == [
            {"node": "n", "driver": "dra.example.com", "claim": "default/c", "devices": devices}
        ]
        assert still["prepared"] == []

    def test_a_claim_is_prepared_again_once_it_was_free(self) -> None:
        given = [*ONE, claim("c"), pod("p", "c")]
        story = [SETTLE, delete("Pod", "p"), SETTLE, create(pod("q", "c")), SETTLE]
        assert len(told(given, *story)[-1]["prepared"]) == 1

    def test_drivers_are_told_the_share(self) -> None:
        given = [node("n"), CLASS, slice_on("n", shared("d")), claim("c", "3")]
        found = settled(given, create(pod("p", "c")))
        [result] = only_claim(found)["status"]["allocation"]["devices"]["results"]
        assert found["prepared"][0]["devices"][0]["shareID"] == result["shareID"]

    def test_the_kubelet_says_why_it_does_not_run_a_pod(self) -> None:
        found = settled([*ONE, claim("c")], create(pod("p", "c", nodeName="n")))
        assert [(one["reason"], one["message"]) for one in found["events"]] == [
            ("FailedPrepareDynamicResources", "pod p is not allowed to use ResourceClaim c")
        ]

    def test_without_dynamic_resource_allocation_it_looks_at_no_claims(self) -> None:
        off = gates("kubelet", DynamicResourceAllocation=False)
        found = settled([*ONE, claim("c")], off, create(pod("p", "c", nodeName="n")))
        assert phases(found) == {"p": "Running"}
        assert found["prepared"] == []

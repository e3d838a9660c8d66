"""Claims from templates, their release, pods with a preset node, and eviction."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.kube.json_values import Json
from tests.support.simulation.scenarios import (
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
    observations_of,
    of,
    phases,
    pod,
    settled,
    shared,
    slice_on,
    template,
    users_of,
)

ONE = [node("n"), CLASS, slice_on("n", {"name": "d"})]
FINALIZER = "resource.kubernetes.io/delete-protection"


def only_claim(observation: Json) -> Json:
    [observed] = observation["objects"]["resourceClaims"]
    return observed


def test_a_claim_is_created_from_the_template_for_each_pod() -> None:
    observed = settled([*ONE, template("t")], create(pod("p", templates=["t"])))
    made = only_claim(observed)
    metadata = made["metadata"]
    assert metadata["name"].startswith("p-t-")
    assert metadata["annotations"] == {"resource.kubernetes.io/pod-claim-name": "t"}
    assert metadata["labels"] == {"from": "t"}
    assert [(one["kind"], one["name"], one["controller"]) for one in metadata["ownerReferences"]] == [
        ("Pod", "p", True)
    ]
    statuses = object_in(observed, "Pod", "p")["status"]["resourceClaimStatuses"]
    assert statuses == [{"name": "t", "resourceClaimName": metadata["name"]}]
    assert phases(observed) == {"p": "Running"}


def test_without_the_template_the_pod_stays_pending_and_an_event_says_why() -> None:
    first, _, second = observations_of(
        ONE, create(pod("p", templates=["t"])), SETTLE, create(template("t")), SETTLE
    )[1:]
    assert nodes_of(first) == {"p": None}
    assert ("FailedResourceClaimCreation", 'NotFound: resourceclaimtemplate "t" not found') in [
        (one["reason"], one["message"]) for one in first["events"]
    ]
    assert nodes_of(second) == {"p": "n"}


@pytest.mark.parametrize("subresource", ["", "status"])
def test_a_claim_is_created_once_even_if_writes_fail(subresource: str) -> None:
    verb, kind = ("update", "Pod") if subresource else ("create", "ResourceClaim")
    fail = {"do": "fail", "times": 3, "verb": verb, "kind": kind, "subresource": subresource, "reason": "x"}
    observed = settled([*ONE, template("t")], fail, create(pod("p", templates=["t"])))
    assert only_claim(observed)["metadata"]["finalizers"] == [FINALIZER]
    assert phases(observed) == {"p": "Running"}


@pytest.mark.parametrize("end", [finish("p"), delete("Pod", "p")], ids=["finished", "deleted"])
def test_a_generated_claim_is_deleted_with_its_pod(end: Json) -> None:
    observed = observations_of([*ONE, template("t")], create(pod("p", templates=["t"])), SETTLE, end, SETTLE)[
        -1
    ]
    assert "resourceClaims" not in observed["objects"]


@pytest.mark.parametrize("end", [finish("p"), delete("Pod", "p")], ids=["finished", "deleted"])
def test_a_claim_that_a_user_created_is_deallocated_but_not_deleted(end: Json) -> None:
    observed = observations_of([*ONE, claim("c")], create(pod("p", "c")), SETTLE, end, SETTLE)[-1]
    left = only_claim(observed)
    assert "finalizers" not in left["metadata"]
    assert "allocation" not in left.get("status", {})


def test_a_shared_claim_stays_allocated_until_its_last_pod_is_deleted() -> None:
    first, second = observations_of(
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


def test_a_deleted_claim_exists_while_a_pod_uses_it() -> None:
    *_, first, _, second = observations_of(
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


def test_a_deleted_claim_without_users_and_finalizers_is_removed() -> None:
    """The claim is being deleted, reserved for a missing pod, and has no finalizer."""
    results = [{"request": "r", "driver": "dra.example.com", "pool": "pool-n", "device": "d"}]
    users = [{"resource": "pods", "name": "gone", "uid": "u"}]
    held = claim("c")
    held["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    held["status"] = {"allocation": {"devices": {"results": results}}, "reservedFor": users}
    assert "resourceClaims" not in settled([*ONE, held])["objects"]


def test_an_unreserved_allocated_claim_is_removed_when_it_is_deleted() -> None:
    """The claim has no owner and no reservation: an attempt has written only its allocation."""
    result = {"request": "r", "driver": "dra.example.com", "pool": "pool-n", "device": "d"}
    held = claim("c")
    held["metadata"]["finalizers"] = [FINALIZER]
    held["status"] = {"allocation": {"devices": {"results": [result]}}}
    first, _, second = observations_of([*ONE, held], SETTLE, delete("ResourceClaim", "c"), SETTLE)
    assert "deletionTimestamp" not in only_claim(first)["metadata"]
    assert "resourceClaims" not in second["objects"]


def test_a_new_pod_of_the_same_name_is_a_different_pod() -> None:
    scenario = [SETTLE, delete("Pod", "p"), create(pod("p", templates=["t"])), SETTLE]
    first, *_, second = observations_of([*ONE, template("t"), pod("p", templates=["t"])], *scenario)
    assert only_claim(first)["metadata"]["name"] != only_claim(second)["metadata"]["name"]
    assert phases(second) == {"p": "Running"}


class TestPodsPutOnANode:
    def test_no_claim_is_allocated_for_them(self) -> None:
        observed = settled([*ONE, claim("c")], create(pod("p", "c", nodeName="n")))
        assert observed["attempts"] == []
        assert devices_of(observed) == {}
        assert phases(observed) == {"p": "Pending"}

    def test_they_run_once_their_claim_is_allocated_for_another_pod(self) -> None:
        observed = settled([*ONE, claim("c")], create(pod("p", "c", nodeName="n")), create(pod("q", "c")))
        assert phases(observed) == {"p": "Running", "q": "Running"}
        assert users_of(observed, "c") == ["q", "p"]

    def test_they_do_not_run_on_a_missing_node(self) -> None:
        assert phases(settled([], create(pod("p", nodeName="n")))) == {"p": "Pending"}


TAINT = {"key": "k", "effect": "NoExecute"}
SLICE = {"kind": "ResourceSlice", "name": "slice-n"}


def evicted(toleration: Json, *waits: int, **how: Any) -> list[bool]:
    """Return whether the pod is deleted after each wait; the first wait begins when the device is tainted."""
    tolerations = {"tolerations": [toleration]} if toleration else {}
    actions = [SETTLE, change(SLICE, {"spec.devices[0].taints": [TAINT]})]
    for wait in waits:
        actions += [{"do": "advance", "seconds": wait}, SETTLE]
    observations = observations_of([*ONE, claim("c", **tolerations), pod("p", "c")], *actions, **how)
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
def test_pods_are_evicted_when_their_toleration_expires(toleration: Json, gone: list[bool]) -> None:
    assert evicted(toleration, 0, 29, 1) == gone


def test_a_toleration_without_effect_tolerates_no_execute_in_the_specification_only() -> None:
    anything = {"key": "k", "operator": "Exists"}
    assert evicted(anything, 0) == [False]
    assert evicted(anything, 0, profile="kubernetes-1.37") == [True]


def test_without_the_gate_no_pod_is_evicted() -> None:
    components = {"controller-manager": {"release": None, "gates": {"DRADeviceTaints": False}}}
    assert evicted(None, 0, components=components) == [False]


def test_a_taint_that_is_removed_in_time_evicts_no_pod() -> None:
    actions = [
        change(SLICE, {"spec.devices[0].taints": [TAINT]}),
        {"do": "advance", "seconds": 20},
        SETTLE,
        change(SLICE, {"spec.devices[0].taints": None}),
        {"do": "advance", "seconds": 20},
        SETTLE,
    ]
    setup = [*ONE, claim("c", tolerations=[FOR_30_SECONDS]), pod("p", "c")]
    assert phases(observations_of(setup, SETTLE, *actions)[-1]) == {"p": "Running"}


def test_a_device_taint_rule_taints_only_the_selected_devices() -> None:
    rule = of("DeviceTaintRule", "rule", {"deviceSelector": {"device": "d"}, "taint": TAINT})
    two = [node("n"), CLASS, slice_on("n", {"name": "d"}, {"name": "e"}), claim("c"), claim("f")]
    first, _, second = observations_of([*two, pod("p", "c"), pod("q", "f")], SETTLE, create(rule), SETTLE)
    assert devices_of(first) == {"c": ["d"], "f": ["e"]}
    assert phases(second) == {"q": "Running"}
    assert devices_of(second) == {"f": ["e"]}
    assert "DeviceTaintManagerEviction" in [one["reason"] for one in second["events"]]


def test_events_report_the_eviction_and_its_cancellation() -> None:
    held = pod("p", "c")
    held["metadata"]["finalizers"] = ["example.com/hold"]
    tainted, untainted = (change(SLICE, {"spec.devices[0].taints": taints}) for taints in ([TAINT], None))
    for_30 = claim("c", tolerations=[FOR_30_SECONDS])
    wait = {"do": "advance", "seconds": 30}
    setup = [*ONE, for_30, held]
    _, _, early, _, cancelled, *_, over = observations_of(
        setup, SETTLE, tainted, SETTLE, untainted, SETTLE, tainted, wait, SETTLE
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
    def test_each_driver_prepares_a_claim_once_per_node(self) -> None:
        setup = [*ONE, claim("c"), pod("p", "c"), pod("q", "c")]
        first, still = observations_of(setup, SETTLE, SETTLE)
        devices = [{"pool": "pool-n", "device": "d"}]
        assert first["prepared"] == [
            {"node": "n", "driver": "dra.example.com", "claim": "default/c", "devices": devices}
        ]
        assert still["prepared"] == []

    def test_a_claim_is_prepared_again_after_it_was_released(self) -> None:
        setup = [*ONE, claim("c"), pod("p", "c")]
        scenario = [SETTLE, delete("Pod", "p"), SETTLE, create(pod("q", "c")), SETTLE]
        assert len(observations_of(setup, *scenario)[-1]["prepared"]) == 1

    def test_drivers_get_the_share_id(self) -> None:
        setup = [node("n"), CLASS, slice_on("n", shared("d")), claim("c", "3")]
        observed = settled(setup, create(pod("p", "c")))
        [result] = only_claim(observed)["status"]["allocation"]["devices"]["results"]
        assert observed["prepared"][0]["devices"][0]["shareID"] == result["shareID"]

    def test_an_event_says_why_the_kubelet_does_not_run_a_pod(self) -> None:
        observed = settled([*ONE, claim("c")], create(pod("p", "c", nodeName="n")))
        assert [(one["reason"], one["message"]) for one in observed["events"]] == [
            ("FailedPrepareDynamicResources", "pod p is not allowed to use ResourceClaim c")
        ]

    def test_without_dynamic_resource_allocation_the_kubelet_ignores_claims(self) -> None:
        off = gates("kubelet", DynamicResourceAllocation=False)
        observed = settled([*ONE, claim("c")], off, create(pod("p", "c", nodeName="n")))
        assert phases(observed) == {"p": "Running"}
        assert observed["prepared"] == []


@pytest.mark.parametrize(("profile", "used"), [("kubernetes-1.34", None), ("kubernetes-1.35", "0")])
def test_a_quota_of_an_implicit_extended_resource(profile: str, used: str | None) -> None:
    name = "requests.deviceclass.resource.kubernetes.io/gpu"
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "q", "namespace": "default"},
        "spec": {"hard": {name: "2"}},
    }
    stored = object_in(settled([], create(quota), profile=profile), "ResourceQuota", "q")
    assert stored["status"].get("used", {}).get(name) == used

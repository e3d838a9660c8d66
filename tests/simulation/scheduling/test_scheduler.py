"""The scheduler: nodes, devices, the order of pods, and failed writes."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.kube.json_values import Json
from dra_conform.simulation.parts import Parts
from tests.support.simulation.scenarios import (
    CLASS,
    DRIVER,
    SETTLE,
    change,
    claim,
    create,
    delete,
    devices_of,
    finish,
    nodes_of,
    object_in,
    observations_of,
    phases,
    pod,
    results_of,
    settled,
    shared,
    slice_on,
    users_of,
)
from tests.support.simulation.scenarios import node as node_of

ONE = [node_of("n"), CLASS, slice_on("n", {"name": "d"})]
TWO = [
    *(node_of(name) for name in ("b", "a")),
    CLASS,
    *(slice_on(name, {"name": f"{name}-0"}, {"name": f"{name}-1"}) for name in ("b", "a")),
]


def test_a_pod_runs_with_its_claim_allocated_and_reserved() -> None:
    observed = settled(ONE, create(claim("c")), create(pod("p", "c")))
    assert phases(observed) == {"p": "Running"}
    assert devices_of(observed) == {"c": ["d"]}
    assert users_of(observed, "c") == ["p"]
    [attempt] = observed["attempts"]
    assert (attempt["pod"], attempt["node"], attempt["result"]) == ("default/p", "n", "Scheduled")
    assert [(one["phase"], one["code"]) for one in attempt["phases"]] == [
        (phase, "Success") for phase in ("PreEnqueue", "PreFilter", "Filter", "Reserve", "PreBind", "Bind")
    ]
    assert [(one["reason"], one["message"]) for one in observed["events"]] == [
        ("Scheduled", "Successfully assigned default/p to n")
    ]


def test_the_oldest_pod_is_scheduled_first_and_the_other_stays_pending_until_it_is_deleted() -> None:
    setup = [*ONE, claim("c"), claim("d")]
    first, _, second = observations_of(
        setup, create(pod("z", "d")), create(pod("a", "c")), SETTLE, delete("Pod", "z"), SETTLE
    )[2:]
    assert nodes_of(first) == {"z": "n", "a": None}
    assert results_of(first, "a")[0] == "Unschedulable"
    assert first["attempts"][-1]["message"] == "0/1 nodes are available: 1 cannot allocate all claims."
    assert nodes_of(second) == {"a": "n"}


def test_a_pod_gets_the_first_node_by_name_on_which_all_its_claims_can_be_allocated() -> None:
    setup = [*TWO, *(claim(name) for name in "cdef")]
    observed = settled(setup, create(pod("p", "c")), create(pod("q", "d", "e")))
    assert nodes_of(observed) == {"p": "a", "q": "b"}
    assert devices_of(observed) == {"c": ["a-0"], "d": ["b-0"], "e": ["b-1"]}


def test_no_claim_of_a_pod_is_allocated_unless_all_can_be() -> None:
    observed = settled([*ONE, claim("c"), claim("d")], create(pod("p", "c", "d")))
    assert devices_of(observed) == {}
    assert results_of(observed, "p") == ["Unschedulable"]


@pytest.mark.parametrize(
    ("node", "spec"),
    [
        (node_of("a", unschedulable=True), {}),
        (node_of("a", taints=[{"key": "k", "effect": "NoSchedule"}]), {}),
        (node_of("a"), {"nodeSelector": {"kubernetes.io/hostname": "b"}}),
    ],
    ids=["unschedulable", "tainted", "not selected"],
)
def test_nodes_that_reject_the_pod_are_skipped(node: Json, spec: Json) -> None:
    setup = [node, *(one for one in TWO if one["metadata"]["name"] != "a"), claim("c")]
    assert nodes_of(settled(setup, create(pod("p", "c", **spec)))) == {"p": "b"}


@pytest.mark.parametrize(
    "toleration",
    [
        {"operator": "Exists"},
        {"key": "k", "operator": "Exists", "effect": "NoSchedule"},
        {"key": "k", "value": "v"},
    ],
)
def test_a_tolerated_node_taint_is_ignored(toleration: Json) -> None:
    node = node_of("n", taints=[{"key": "k", "value": "v", "effect": "NoSchedule"}])
    observed = settled([node, *ONE[1:]], create(pod("p", tolerations=[toleration])))
    assert nodes_of(observed) == {"p": "n"}


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ([], 'resourceclaim "c" not found'),
        (
            [{**claim("c"), "metadata": {"name": "c", "deletionTimestamp": "2026-01-01T00:00:00Z"}}],
            'resourceclaim "c" is being deleted',
        ),
        ([claim("c", deviceClassName="other")], "request r: device class other does not exist"),
    ],
    ids=["missing", "being deleted", "no class"],
)
def test_a_pod_stays_pending_without_usable_claims(setup: list[Json], message: str) -> None:
    held = [{**one, "metadata": {**one["metadata"], "finalizers": ["example.com/x"]}} for one in setup]
    observed = settled([*ONE, *held], create(pod("p", "c")))
    assert [(one["result"], one["message"]) for one in observed["attempts"]] == [("Unschedulable", message)]


def test_a_pending_pod_runs_once_its_device_class_is_created() -> None:
    setup = [one for one in ONE if one is not CLASS]
    observations = observations_of(
        setup, create(claim("c")), create(pod("p", "c")), SETTLE, create(CLASS), SETTLE
    )
    assert nodes_of(observations[2]) == {"p": None}
    assert nodes_of(observations[4]) == {"p": "n"}


def test_pods_that_share_a_claim_run_on_the_node_of_its_allocation() -> None:
    setup = [*TWO, claim("c")]
    observed = settled(
        setup, create(pod("p", "c", nodeSelector={"kubernetes.io/hostname": "b"})), create(pod("q", "c"))
    )
    assert nodes_of(observed) == {"p": "b", "q": "b"}
    assert users_of(observed, "c") == ["p", "q"]


def reserved(count: int, *devices: str) -> Json:
    users = [{"resource": "jobs", "apiGroup": "batch", "name": f"j{n}", "uid": f"u{n}"} for n in range(count)]
    results = [{"request": "r", "driver": DRIVER, "pool": "pool-n", "device": one} for one in devices]
    return {**claim("c"), "status": {"allocation": {"devices": {"results": results}}, "reservedFor": users}}


@pytest.mark.parametrize(("users", "node"), [(255, "n"), (256, None)])
def test_no_more_than_256_pods_share_a_claim(users: int, node: str | None) -> None:
    assert nodes_of(settled([*ONE, reserved(users, "d")], create(pod("p", "c")))) == {"p": node}


def test_an_unusable_and_unreserved_allocation_is_replaced() -> None:
    elsewhere = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "Exists"}]}]}
    stored = reserved(0, "x")
    stored["status"]["allocation"]["nodeSelector"] = elsewhere
    observed = settled([*ONE, stored], create(pod("p", "c")))
    assert [one["result"] for one in observed["attempts"]] == ["Unschedulable", "Scheduled"]
    assert devices_of(observed) == {"c": ["d"]}


def test_an_error_of_the_allocator_ends_the_attempt() -> None:
    broken = claim("c", selectors=[{"cel": {"expression": "device.attributes['x.y'].z == 1"}}])
    observed = settled([*TWO, broken], create(pod("p", "c")))
    [attempt] = observed["attempts"]
    assert attempt["result"] == "Error"
    assert attempt["message"]


def test_a_pod_with_scheduling_gates_is_not_tried() -> None:
    observed = settled([*ONE, claim("c")], create(pod("p", "c", schedulingGates=[{"name": "example.com/g"}])))
    assert observed["attempts"] == []


def test_nodes_without_an_extended_resource_are_insufficient() -> None:
    container = {"name": "c", "image": "i", "resources": {"limits": {"example.com/gpu": "1"}}}
    observed = settled(ONE, create(pod("p", containers=[container])))
    assert observed["attempts"][-1]["message"] == "0/1 nodes are available: 1 Insufficient example.com/gpu."


FAILURES = [
    ("update", "ResourceClaim", ""),
    ("update", "ResourceClaim", "status"),
    ("create", "Pod", "binding"),
]


@pytest.mark.parametrize(("verb", "kind", "subresource"), FAILURES)
def test_a_failed_write_ends_the_attempt_and_the_pod_is_retried(
    verb: str, kind: str, subresource: str
) -> None:
    fail = {
        "do": "fail",
        "times": 2,
        "verb": verb,
        "kind": kind,
        "subresource": subresource,
        "reason": "InternalError",
    }
    observed = settled([*ONE, claim("c")], fail, create(pod("p", "c")))
    assert results_of(observed, "p") == ["Error", "Error", "Scheduled"]
    assert observed["attempts"][0]["message"] == "InternalError"
    assert phases(observed) == {"p": "Running"}
    assert users_of(observed, "c") == ["p"]


def test_devices_of_a_failed_attempt_are_free_for_other_pods() -> None:
    """The write of the pod's second claim fails, so its device is free for the next pod."""
    setup = [
        node_of("n"),
        CLASS,
        slice_on("n", shared("d")),
        claim("c", "6"),
        claim("d", "6G"),
        claim("e", "5G"),
    ]
    first = create(pod("p", "c", "d"))

    def refusing(objects: Json, ask: Json, profile: Any) -> Json:
        if ask.get("subresource") == "status" and ask["object"]["metadata"]["name"] == "d":
            return {"outcome": "rejected", "reason": "Forbidden", "errors": [], "message": "no"}
        return Parts().admission(objects, ask, profile)

    observed = settled(setup, first, create(pod("q", "e")), parts=Parts(admission=refusing))
    assert nodes_of(observed) == {"p": None, "q": "n"}
    assert results_of(observed, "p") == ["Error", "Unschedulable"]
    assert devices_of(observed) == {"c": ["d"], "e": ["d"]}
    assert object_in(observed, "ResourceClaim", "c")["status"].get("reservedFor") is None


def test_a_pod_stays_pending_if_its_write_is_always_rejected() -> None:
    def refusing(objects: Json, ask: Json, profile: Any) -> Json:
        if ask.get("subresource") == "status" and ask["object"]["kind"] == "ResourceClaim":
            return {"outcome": "rejected", "reason": "Invalid", "errors": [], "message": "never"}
        return Parts().admission(objects, ask, profile)

    observed = settled([*ONE, claim("c")], create(pod("p", "c")), parts=Parts(admission=refusing))
    assert observed["attempts"][-1]["message"] == "Invalid: never"
    assert set(results_of(observed, "p")) == {"Error"}
    assert nodes_of(observed) == {"p": None}


def test_devices_of_a_finished_pod_are_allocated_to_the_next_pod() -> None:
    setup = [*ONE, claim("c"), claim("d")]
    scenario = [create(pod("p", "c")), create(pod("q", "d")), SETTLE, finish("p"), SETTLE]
    observed = observations_of(setup, *scenario)[-1]
    assert devices_of(observed) == {"d": ["d"]}
    assert phases(observed) == {"p": "Succeeded", "q": "Running"}


def test_a_restarted_scheduler_tries_every_pod_again() -> None:
    restart = {"do": "restart", "component": "scheduler"}
    setup = [*ONE, claim("c"), claim("d"), pod("p", "c"), pod("q", "d")]
    first, still, _, again = observations_of(setup, SETTLE, SETTLE, restart, SETTLE)
    assert results_of(first, "q") != []
    assert still["attempts"] == []
    assert results_of(again, "q") == ["Unschedulable"]


def test_a_changed_pool_causes_another_attempt() -> None:
    more = change({"kind": "ResourceSlice", "name": "slice-n"}, {"spec.devices[1].name": "e"})
    observations = observations_of(
        [*ONE, claim("c"), claim("d"), pod("p", "c"), pod("q", "d")], SETTLE, more, SETTLE
    )
    assert nodes_of(observations[0]) == {"p": "n", "q": None}
    assert devices_of(observations[2]) == {"c": ["d"], "d": ["e"]}


def test_conflicts_are_retried_within_an_attempt() -> None:
    fail = {"do": "fail", "verb": "update", "kind": "ResourceClaim", "subresource": "status"}
    observed = settled([*ONE, claim("c")], {**fail, "times": 5, "reason": "Conflict"}, create(pod("p", "c")))
    assert results_of(observed, "p") == ["Error", "Scheduled"]

"""Scheduling: which pods get which node and devices, in which order, and what is written when."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.controlplane.parts import Parts
from tests.support.controlplane.simulation.stories import (
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
    phases,
    pod,
    results_of,
    settled,
    shared,
    slice_on,
    told,
    users_of,
)
from tests.support.controlplane.simulation.stories import node as node_of

Json = Any
ONE = [node_of("n"), CLASS, slice_on("n", {"name": "d"})]
TWO = [
    *(node_of(name) for name in ("b", "a")),
    CLASS,
    *(slice_on(name, {"name": f"{name}-0"}, {"name": f"{name}-1"}) for name in ("b", "a")),
]


def test_a_pod_runs_with_its_claim_allocated_and_reserved() -> None:
    found = settled(ONE, create(claim("c")), create(pod("p", "c")))
    assert phases(found) == {"p": "Running"}
    assert devices_of(found) == {"c": ["d"]}
    assert users_of(found, "c") == ["p"]
    [attempt] = found["attempts"]
    assert (attempt["pod"], attempt["node"], attempt["result"]) == ("default/p", "n", "Scheduled")
    assert [(one["phase"], one["code"]) for one in attempt["phases"]] == [
        (phase, "Success") for phase in ("PreEnqueue", "PreFilter", "Filter", "Reserve", "PreBind", "Bind")
    ]
    assert [(one["reason"], one["message"]) for one in found["events"]] == [
        ("Scheduled", "Successfully assigned default/p to n")
    ]


def test_the_oldest_pod_comes_first_and_the_other_waits_until_it_is_gone() -> None:
    given = [*ONE, claim("c"), claim("d")]
    first, _, second = told(
        given, create(pod("z", "d")), create(pod("a", "c")), SETTLE, delete("Pod", "z"), SETTLE
    )[2:]
    assert nodes_of(first) == {"z": "n", "a": None}
    assert results_of(first, "a")[0] == "Unschedulable"
    assert first["attempts"][-1]["message"] == "0/1 nodes are available: 1 cannot allocate all claims."
    assert nodes_of(second) == {"a": "n"}


def test_all_claims_of_a_pod_are_on_the_first_node_by_name_that_has_them_all() -> None:
    given = [*TWO, *(claim(name) for name in "cdef")]
    found = settled(given, create(pod("p", "c")), create(pod("q", "d", "e")))
    assert nodes_of(found) == {"p": "a", "q": "b"}
    assert devices_of(found) == {"c": ["a-0"], "d": ["b-0"], "e": ["b-1"]}


def test_a_pod_whose_claims_do_not_all_fit_gets_none() -> None:
    found = settled([*ONE, claim("c"), claim("d")], create(pod("p", "c", "d")))
    assert devices_of(found) == {}
    assert results_of(found, "p") == ["Unschedulable"]


@pytest.mark.parametrize(
    ("node", "spec"),
    [
        (node_of("a", unschedulable=True), {}),
        (node_of("a", taints=[{"key": "k", "effect": "NoSchedule"}]), {}),
        (node_of("a"), {"nodeSelector": {"kubernetes.io/hostname": "b"}}),
    ],
    ids=["unschedulable", "tainted", "not selected"],
)
def test_nodes_that_the_pod_cannot_have_are_passed_over(node: Json, spec: Json) -> None:
    given = [node, *(one for one in TWO if one["metadata"]["name"] != "a"), claim("c")]
    assert nodes_of(settled(given, create(pod("p", "c", **spec)))) == {"p": "b"}


@pytest.mark.parametrize(
    "toleration",
    [
        {"operator": "Exists"},
        {"key": "k", "operator": "Exists", "effect": "NoSchedule"},
        {"key": "k", "value": "v"},
    ],
)
def test_a_tolerated_taint_keeps_no_pod_from_a_node(toleration: Json) -> None:
    node = node_of("n", taints=[{"key": "k", "value": "v", "effect": "NoSchedule"}])
    found = settled([node, *ONE[1:]], create(pod("p", tolerations=[toleration])))
    assert nodes_of(found) == {"p": "n"}


@pytest.mark.parametrize(
    ("given", "message"),
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
def test_a_pod_waits_for_its_claims(given: list[Json], message: str) -> None:
    held = [{**one, "metadata": {**one["metadata"], "finalizers": ["example.com/x"]}} for one in given]
    found = settled([*ONE, *held], create(pod("p", "c")))
    assert [(one["result"], one["message"]) for one in found["attempts"]] == [("Unschedulable", message)]


def test_a_pod_that_waits_for_a_class_runs_once_it_is_there() -> None:
    given = [one for one in ONE if one is not CLASS]
    observations = told(given, create(claim("c")), create(pod("p", "c")), SETTLE, create(CLASS), SETTLE)
    assert nodes_of(observations[2]) == {"p": None}
    assert nodes_of(observations[4]) == {"p": "n"}


def test_pods_share_a_claim_where_it_is_allocated() -> None:
    given = [*TWO, claim("c")]
    found = settled(
        given, create(pod("p", "c", nodeSelector={"kubernetes.io/hostname": "b"})), create(pod("q", "c"))
    )
    assert nodes_of(found) == {"p": "b", "q": "b"}
    assert users_of(found, "c") == ["p", "q"]


def reserved(count: int, *devices: str) -> Json:
    users = [{"resource": "jobs", "apiGroup": "batch", "name": f"j{n}", "uid": f"u{n}"} for n in range(count)]
    results = [{"request": "r", "driver": DRIVER, "pool": "pool-n", "device": one} for one in devices]
    return {**claim("c"), "status": {"allocation": {"devices": {"results": results}}, "reservedFor": users}}


@pytest.mark.parametrize(("users", "node"), [(255, "n"), (256, None)])
def test_no_more_than_256_pods_share_a_claim(users: int, node: str | None) -> None:
    assert nodes_of(settled([*ONE, reserved(users, "d")], create(pod("p", "c")))) == {"p": node}


def test_an_allocation_that_the_pod_cannot_reach_and_nobody_uses_is_made_anew() -> None:
    elsewhere = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "Exists"}]}]}
    stored = reserved(0, "x")
    stored["status"]["allocation"]["nodeSelector"] = elsewhere
    found = settled([*ONE, stored], create(pod("p", "c")))
    assert [one["result"] for one in found["attempts"]] == ["Unschedulable", "Scheduled"]
    assert devices_of(found) == {"c": ["d"]}


def test_an_error_of_the_allocator_ends_the_attempt() -> None:
    broken = claim("c", selectors=[{"cel": {"expression": "device.attributes['x.y'].z == 1"}}])
    found = settled([*TWO, broken], create(pod("p", "c")))
    [attempt] = found["attempts"]
    assert attempt["result"] == "Error"
    assert attempt["message"]


def test_a_pod_with_scheduling_gates_is_left_alone() -> None:
    found = settled([*ONE, claim("c")], create(pod("p", "c", schedulingGates=[{"name": "example.com/g"}])))
    assert found["attempts"] == []


def test_nodes_without_an_extended_resource_are_insufficient() -> None:
    container = {"name": "c", "image": "i", "resources": {"limits": {"example.com/gpu": "1"}}}
    found = settled(ONE, create(pod("p", containers=[container])))
    assert found["attempts"][-1]["message"] == "0/1 nodes are available: 1 Insufficient example.com/gpu."


FAILURES = [
    ("update", "ResourceClaim", ""),
    ("update", "ResourceClaim", "status"),
    ("create", "Pod", "binding"),
]


@pytest.mark.parametrize(("verb", "kind", "subresource"), FAILURES)
def test_a_failed_write_ends_the_attempt_and_is_tried_again(verb: str, kind: str, subresource: str) -> None:
    fail = {
        "do": "fail",
        "times": 2,
        "verb": verb,
        "kind": kind,
        "subresource": subresource,
        "reason": "InternalError",
    }
    found = settled([*ONE, claim("c")], fail, create(pod("p", "c")))
    assert results_of(found, "p") == ["Error", "Error", "Scheduled"]
    assert found["attempts"][0]["message"] == "InternalError"
    assert phases(found) == {"p": "Running"}
    assert users_of(found, "c") == ["p"]


def test_what_a_failed_attempt_wanted_is_free_for_others() -> None:
    """The second claim of a pod cannot be written, so that the next pod finds its device free."""
    given = [
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

    found = settled(given, first, create(pod("q", "e")), parts=Parts(admission=refusing))
    assert nodes_of(found) == {"p": None, "q": "n"}
    assert results_of(found, "p") == ["Error", "Unschedulable"]
    assert devices_of(found) == {"c": ["d"], "e": ["d"]}
    assert object_in(found, "ResourceClaim", "c")["status"].get("reservedFor") is None


def test_a_write_that_is_always_refused_leaves_the_pod_pending() -> None:
    def refusing(objects: Json, ask: Json, profile: Any) -> Json:
        if ask.get("subresource") == "status" and ask["object"]["kind"] == "ResourceClaim":
            return {"outcome": "rejected", "reason": "Invalid", "errors": [], "message": "never"}
        return Parts().admission(objects, ask, profile)

    found = settled([*ONE, claim("c")], create(pod("p", "c")), parts=Parts(admission=refusing))
    assert found["attempts"][-1]["message"] == "Invalid: never"
    assert set(results_of(found, "p")) == {"Error"}
    assert nodes_of(found) == {"p": None}


def test_a_finished_pod_frees_its_devices_for_the_next() -> None:
    given = [*ONE, claim("c"), claim("d")]
    story = [create(pod("p", "c")), create(pod("q", "d")), SETTLE, finish("p"), SETTLE]
    found = told(given, *story)[-1]
    assert devices_of(found) == {"d": ["d"]}
    assert phases(found) == {"p": "Succeeded", "q": "Running"}


def test_a_restarted_scheduler_tries_every_pod_again() -> None:
    restart = {"do": "restart", "component": "scheduler"}
    given = [*ONE, claim("c"), claim("d"), pod("p", "c"), pod("q", "d")]
    first, still, _, again = told(given, SETTLE, SETTLE, restart, SETTLE)
    assert results_of(first, "q") != []
    assert still["attempts"] == []
    assert results_of(again, "q") == ["Unschedulable"]


def test_a_changed_pool_is_looked_at_again() -> None:
    more = change({"kind": "ResourceSlice", "name": "slice-n"}, {"spec.devices[1].name": "e"})
    observations = told([*ONE, claim("c"), claim("d"), pod("p", "c"), pod("q", "d")], SETTLE, more, SETTLE)
    assert nodes_of(observations[0]) == {"p": "n", "q": None}
    assert devices_of(observations[2]) == {"c": ["d"], "d": ["e"]}


def test_conflicts_are_tried_again_within_an_attempt() -> None:
    fail = {"do": "fail", "verb": "update", "kind": "ResourceClaim", "subresource": "status"}
    found = settled([*ONE, claim("c")], {**fail, "times": 5, "reason": "Conflict"}, create(pod("p", "c")))
    assert results_of(found, "p") == ["Error", "Scheduled"]

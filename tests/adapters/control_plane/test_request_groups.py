"""The order of requests to a control plane, which keeps restarts of components and waiting results few."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.adapters.control_plane.request_groups import RequestQueue, batches, by_isolation, grouped
from dra_conform.adapters.live.isolation import Isolation
from dra_conform.conformance.implementation import Request
from dra_conform.kube.profile import Profile


def request(number: int, operation: str, **gates: bool) -> Request:
    profile = Profile.named("kubernetes-1.37").with_gates(gates)
    return Request(number, f"case-{number}", operation, profile, {}, {})


def scenario(number: int, *actions: Mapping[str, Any]) -> Request:
    return Request(
        number, f"case-{number}", "cluster", Profile.named("kubernetes-1.37"), {}, {"actions": [*actions]}
    )


def test_groups_have_equal_gates_and_the_largest_comes_last() -> None:
    group = [
        request(0, "cluster"),
        request(1, "cluster", DRADeviceTaints=False),
        request(2, "allocate"),
        request(3, "cluster"),
        request(4, "admit"),
        request(5, "admit", DRADeviceTaints=False),
    ]
    assert [[one.id for one in group] for group in grouped(group)] == [[5], [4, 2], [1], [0, 3]]


def test_scenarios_of_a_group_are_ordered_by_isolation_and_passing_time() -> None:
    settle, restart = {"do": "settle"}, {"do": "restart", "components": ["scheduler"]}
    group = [
        scenario(0, settle, restart),
        request(1, "admit"),
        scenario(2, settle),
        scenario(3, {"do": "create", "object": {}}),
        scenario(4, settle),
        scenario(5, settle, {"do": "advance", "seconds": 30}),
        scenario(6, settle, {"do": "advance", "seconds": 299}, settle),
    ]
    found = {isolation: [one.id for one in requests] for isolation, requests in by_isolation(group)}
    assert list(found.items()) == [
        (None, [1]),
        (Isolation.ONLY_WRITES, [3]),
        (Isolation.OWN_OBJECTS, [6, 5, 2, 4]),
        (Isolation.WHOLE_CLUSTER, [0]),
    ]


def test_control_planes_begin_batches_of_their_own_and_join_a_long_one() -> None:
    settle, restart = {"do": "settle"}, {"do": "restart", "components": ["scheduler"]}
    requests = [*(scenario(number, settle) for number in range(20)), scenario(20, settle, restart)]
    queue = RequestQueue(batches(requests, concurrent=True))
    assert len(queue) == 21
    first, second = queue.next_batch(), queue.next_batch()
    assert first is not None
    assert first.concurrent
    assert second is not None
    assert not second.concurrent
    assert [one.id for one in iter(second.take, None)] == [20]
    assert queue.next_batch() is first
    while len(first) >= 8:
        first.take()
    assert queue.next_batch() is None
    assert queue.take() is not None
    queue.clear()
    assert len(queue) == 0
    assert first.take() is None

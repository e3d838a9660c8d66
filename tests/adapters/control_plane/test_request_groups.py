"""The order of requests to a control plane, which keeps restarts of components and waiting results few."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.adapters.control_plane.request_groups import (
    Batch,
    RequestQueue,
    batches,
    by_isolation,
    grouped,
)
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


def taken(queue: RequestQueue, batch: Batch, count: int) -> list[int]:
    requests = (queue.take(batch) for _ in range(count))
    return [request.id for request in requests if request is not None]


def begun(queue: RequestQueue) -> Batch:
    batch = queue.next_batch()
    assert batch is not None
    return batch


SETTLE, RESTART = {"do": "settle"}, {"do": "restart", "components": ["scheduler"]}


def test_control_planes_begin_batches_of_their_own_and_join_a_long_one() -> None:
    queue = RequestQueue()
    requests = [*(scenario(number, SETTLE) for number in range(20)), scenario(20, SETTLE, RESTART)]
    queue.add(batches(requests, concurrent=True))
    first, second = begun(queue), begun(queue)
    assert (first.concurrent, second.concurrent) == (True, False)
    assert taken(queue, second, 2) == [20]
    assert queue.next_batch() is first
    assert taken(queue, first, 15) == list(range(15))
    assert [request.id for request in queue.drain()] == list(range(15, 20))
    queue.close()
    assert queue.next_batch() is None


def test_a_repeated_scenario_joins_those_that_run_at_the_same_time() -> None:
    queue = RequestQueue()
    queue.add(batches([scenario(number, SETTLE) for number in range(3)], concurrent=True))
    running = begun(queue)
    assert taken(queue, running, 1) == [0]
    queue.add(batches([scenario(0, SETTLE)], concurrent=True, urgent=True))
    assert taken(queue, running, 9) == [0, 1, 2]


def test_requests_that_run_alone_are_left_for_a_repeated_one() -> None:
    queue = RequestQueue()
    queue.add(batches([request(number, "allocate") for number in range(3)], concurrent=True))
    running = begun(queue)
    assert taken(queue, running, 1) == [0]
    queue.add(batches([scenario(7, SETTLE, RESTART)], concurrent=True, urgent=True))
    assert taken(queue, running, 1) == []
    queue.leave(running)
    assert taken(queue, begun(queue), 9) == [7]
    assert queue.next_batch() is running
    assert taken(queue, running, 9) == [1, 2]


def test_concurrent_scenarios_are_not_left_for_a_repeated_one_that_does_not_fit() -> None:
    queue = RequestQueue()
    queue.add(batches([scenario(number, SETTLE) for number in range(3)], concurrent=True))
    running = begun(queue)
    queue.add(batches([scenario(7, SETTLE, RESTART)], concurrent=True, urgent=True))
    assert taken(queue, running, 9) == [0, 1, 2]
    assert taken(queue, begun(queue), 9) == [7]

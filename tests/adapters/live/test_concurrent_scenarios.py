"""Concurrent scenarios: never more than the limit, each answered once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from dra_conform.adapters.live.concurrent_scenarios import run_concurrently
from dra_conform.conformance.implementation import Reply, Request, Status
from dra_conform.kube.profile import Profile

PROFILE = Profile.named("kubernetes-1.37")


def requests(taken: list[int], count: int) -> Iterator[Request]:
    for number in range(count):
        taken.append(number)
        yield Request(number, f"story-{number}", "cluster", PROFILE, {}, {"actions": []})


def test_three_scenarios_run_at_a_time() -> None:
    """The barrier waits for three scenarios."""
    together = threading.Barrier(3)

    def run(request: Request) -> Reply:
        together.wait(10)
        return Reply(request.id, Status.OK)

    with ThreadPoolExecutor(3) as threads:
        replies = list(run_concurrently(threads, 3, requests([], 9), run))
    assert sorted(one.id for one in replies) == list(range(9))


def test_no_more_requests_are_read_than_run() -> None:
    taken: list[int] = []
    with ThreadPoolExecutor(2) as threads:
        replies = run_concurrently(threads, 2, requests(taken, 6), lambda one: Reply(one.id, Status.OK))
        next(replies)
        assert len(taken) <= 3
        list(replies)
    assert len(taken) == 6

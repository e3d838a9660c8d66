"""Concurrent scenarios, one thread each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice

from dra_conform.conformance.implementation import Reply, Request

SIDE_BY_SIDE = 4
"""So many stories are told to a cluster at the same time, if nothing else is said."""


def side_by_side(
    threads: Executor, count: int, requests: Iterable[Request], tell: Callable[[Request], Reply]
) -> Iterator[Reply]:
    """The replies as they come; never more than `count` requests are taken that have none."""
    waiting = iter(requests)
    running: set[Future[Reply]] = set()
    while True:
        for request in islice(waiting, count - len(running)):
            running.add(threads.submit(tell, request))
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        yield from (one.result() for one in done)

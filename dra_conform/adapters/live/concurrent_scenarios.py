"""Concurrent scenarios, each in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice

from dra_conform.conformance.implementation import Reply, Request

DEFAULT_CONCURRENCY = 4
"""The default number of scenarios that run on a cluster at the same time."""


def run_concurrently(
    threads: Executor, count: int, requests: Iterable[Request], run: Callable[[Request], Reply]
) -> Iterator[Reply]:
    """Yield the replies in the order in which they finish; at most `count` requests run at the same time."""
    waiting = iter(requests)
    running: set[Future[Reply]] = set()
    while True:
        for request in islice(waiting, count - len(running)):
            running.add(threads.submit(run, request))
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        yield from (future.result() for future in done)

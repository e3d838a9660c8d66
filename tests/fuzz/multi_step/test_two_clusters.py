"""Comparison of two clusters: the order of results, and scenarios that run again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from dra_conform.adapters.faults import Limits
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.implementation import Identity, Reply, Request, Status, Suite
from dra_conform.fuzz.multi_step.sorts import scenarios_of
from dra_conform.fuzz.multi_step.two_clusters import TwoClusters
from tests.support.fuzz.multi_step.clusters import PROFILE


class BusyCluster:
    """The built-in, with a fault instead of the first answers to each scenario."""

    def __init__(self, faults: int, tries: int) -> None:
        self._built_in = open_implementation("builtin", limits=Limits())
        self._faults = faults
        self._tries = tries
        self._answers_sent: dict[int, int] = {}

    def start(self, suite: Suite) -> Identity:
        return replace(self._built_in.start(suite), tries=self._tries)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for reply in self._built_in.run(requests):
            self._answers_sent[reply.id] = self._answers_sent.get(reply.id, 0) + 1
            fault = Reply(reply.id, Status.TIMEOUT, detail="it goes on changing")
            yield fault if self._answers_sent[reply.id] <= self._faults else reply

    def close(self) -> None:
        self._built_in.close()


@pytest.mark.parametrize(
    ("faults", "tries", "expected"), [(0, 1, ()), (1, 3, ()), (2, 3, ("fault",)), (1, 1, ("fault",))]
)
def test_a_fault_counts_when_it_comes_twice(faults: int, tries: int, expected: tuple[str, ...]) -> None:
    built_in = open_implementation("builtin", limits=Limits())
    both = TwoClusters((built_in, BusyCluster(faults, tries)), ("builtin", "busy"), (PROFILE, PROFILE))
    try:
        for compared in both.compare(scenarios_of("pods", range(3), 1, PROFILE)):
            assert isinstance(compared.comparison, tuple)
            assert tuple(difference.kind for difference in compared.comparison) == expected
    finally:
        both.close()


class ReversedCluster:
    """The built-in, which replies in reverse order and fails the scenarios with odd ids.

    It must not be asked while it replies to other requests.
    """

    def __init__(self) -> None:
        self._built_in = open_implementation("builtin", limits=Limits())
        self._replying = False

    def start(self, suite: Suite) -> Identity:
        return self._built_in.start(suite)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        assert not self._replying
        self._replying = True
        for reply in reversed(list(self._built_in.run(requests))):
            fault = Reply(reply.id, Status.FAILED, detail="out of memory")
            yield fault if reply.id % 2 else reply
        self._replying = False

    def close(self) -> None:
        self._built_in.close()


def test_results_come_as_scenarios_finish_and_differences_last() -> None:
    clusters = open_implementation("builtin", limits=Limits()), ReversedCluster()
    both = TwoClusters(clusters, ("builtin", "reversed"), (PROFILE, PROFILE))
    compared = both.compare(scenarios_of("writes", range(10, 15), 1, PROFILE), first=10)
    numbers = []
    try:
        for result in compared:
            numbers.append(result.number)
            if result.difference is not None:
                both.compare_one(result.scenario)
    finally:
        both.close()
    assert numbers == [14, 12, 10, 13, 11]

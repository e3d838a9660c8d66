"""Implementations of the operation `cluster` for tests of campaigns with multi-step scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from dra_conform.adapters.faults import Limits
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.cluster.answer import ClusterAnswer
from dra_conform.conformance.implementation import Identity, Implementation, Reply, Request, Suite
from dra_conform.fuzz.multi_step.two_clusters import TwoClusters

PROFILE = "kubernetes-1.37"


class ChangedObservations:
    """The built-in with changed observations. It runs each scenario `tries` times."""

    def __init__(self, twist: Callable[[Any], Any], tries: int = 1) -> None:
        self._tries = tries
        self._built_in: Implementation = open_implementation("builtin", limits=Limits())
        self._twist = twist

    def start(self, suite: Suite) -> Identity:
        return replace(self._built_in.start(suite), tries=self._tries)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for reply in self._built_in.run(requests):
            assert isinstance(reply.answer, ClusterAnswer)
            observations = tuple(map(self._twist, reply.answer.observations))
            yield replace(reply, answer=ClusterAnswer(observations))

    def close(self) -> None:
        self._built_in.close()


def with_changed_observations(
    twist: Callable[[Any], Any] = lambda observed: observed, *, tries: int = 1
) -> TwoClusters:
    """Return the built-in, and the built-in with changed observations."""
    return TwoClusters(
        (open_implementation("builtin", limits=Limits()), ChangedObservations(twist, tries)),
        ("builtin", "twisted"),
        (PROFILE, PROFILE),
    )

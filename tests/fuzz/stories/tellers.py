"""Implementations of the operation `cluster` for tests of story campaigns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from dra_conform.adapters import open_implementation
from dra_conform.adapters.faults import Limits
from dra_conform.conformance.cluster.answer import StoryAnswer
from dra_conform.conformance.implementation import Identity, Implementation, Reply, Request, Suite
from dra_conform.fuzz.stories.campaign.two_tellers import TwoTellers

Json = Any
PROFILE = "kubernetes-1.37"


class Twisted:
    """The built-in, with its observations changed on the way back."""

    def __init__(self, twist: Callable[[Any], Any]) -> None:
        self._built_in: Implementation = open_implementation("builtin", limits=Limits())
        self._twist = twist

    def start(self, suite: Suite) -> Identity:
        return self._built_in.start(suite)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for reply in self._built_in.run(requests):
            assert isinstance(reply.answer, StoryAnswer)
            observations = tuple(map(self._twist, reply.answer.observations))
            yield replace(reply, answer=StoryAnswer(observations))

    def close(self) -> None:
        self._built_in.close()


def beside_built_in(twist: Callable[[Any], Any] = lambda observed: observed) -> TwoTellers:
    """The built-in, and beside it the same with its observations changed."""
    return TwoTellers(
        (open_implementation("builtin", limits=Limits()), Twisted(twist)),
        ("builtin", "twisted"),
        (PROFILE, PROFILE),
    )

"""The built-in allocator, and what it said where nothing fitted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.allocator import Decision, Failed, Unallocatable
from dra_conform.allocator.grouped_refusals import grouped, told
from dra_conform.controlplane.allocating import MalformedInput, allocate, decide
from dra_conform.controlplane.parts import Objects
from dra_conform.kube.profile import Profile

Json = Any


class ListeningAllocator:
    """An allocator part that remembers why a set of claims did not fit on a node the last time."""

    def __init__(self) -> None:
        self._refusals: dict[frozenset[str], dict[str, tuple[str, ...]]] = {}

    def __call__(
        self, objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int
    ) -> Mapping[str, Json]:
        """The operation `allocate`."""
        answer = allocate(objects, ask, profile, seed)
        if answer["outcome"] != "allocated":
            refusals = self._refusals.setdefault(frozenset(ask["claims"]), {})
            decision = decide(objects, ask, profile, seed=seed, explain=True)
            refusals[ask["node"]] = tuple(_reasons(decision))
        return answer

    def refusals(self, claims: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
        """What was said on each node when some of these claims (`namespace/name`) did not fit."""
        found: dict[str, tuple[str, ...]] = {}
        for asked, refusals in self._refusals.items():
            if asked <= claims:
                found.update(refusals)
        return found


def _reasons(decision: Decision | MalformedInput) -> Iterator[str]:
    match decision:
        case MalformedInput(problems=problems):
            yield from problems
        case Failed(category=category, message=message):
            yield f"{category}: {message}"
        case Unallocatable(trace=trace):
            yield from told(grouped(trace))

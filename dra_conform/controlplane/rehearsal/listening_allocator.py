"""The built-in allocator, and what it said where nothing fitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.allocating import allocate
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
            refusals[ask["node"]] = tuple(_grouped(answer.get("reasons", ())))
        return answer

    def refusals(self, claims: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
        """What was said on each node when some of these claims (`namespace/name`) did not fit."""
        found: dict[str, tuple[str, ...]] = {}
        for asked, refusals in self._refusals.items():
            if asked <= claims:
                found.update(refusals)
        return found


def _grouped(reasons: list[Mapping[str, str]]) -> list[str]:
    """One line for all devices that are refused for one reason."""
    counted: Counter[str] = Counter()
    subjects: dict[str, str] = {}
    for one in reasons:
        subject, text = one.get("subject", ""), one.get("message", "")
        said = text.removeprefix(f"{subject}: ") if subject else text
        counted[said] += 1
        subjects.setdefault(said, subject)
    return [
        f"{count} devices: {said}" if count > 1 else f"{subjects[said]}: {said}" if subjects[said] else said
        for said, count in counted.items()
    ]

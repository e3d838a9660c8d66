"""A random scenario: its setup, and its actions in order, without expectations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.implementation import Request
from dra_conform.kube.profile import Profile

Json = Any
Action = Mapping[str, Json]
"""As in the operation `cluster` of the wire protocol."""


@dataclass(frozen=True, slots=True)
class RandomStory:
    """Objects by the name of their collection, actions in the form of the wire protocol, and gates.

    `gates` are those that differ from the profile's in all components, from the beginning.
    """

    objects: Mapping[str, tuple[Json, ...]]
    actions: tuple[Action, ...]
    gates: Mapping[str, bool] = field(default_factory=dict)

    @property
    def ask(self) -> dict[str, Json]:
        """The question of the operation `cluster`."""
        return {"actions": list(self.actions)}

    def profile(self, name: str) -> Profile:
        """The profile that it is told in."""
        return Profile.named(name).with_gates(self.gates)

    def request(self, number: int, profile: str, *, seed: int, deadline_ms: int) -> Request:
        """The story as implementations get it."""
        return Request(
            id=number,
            case_id=f"story-{number}",
            operation="cluster",
            profile=self.profile(profile),
            objects=self.objects,
            ask=self.ask,
            seed=seed,
            deadline_ms=deadline_ms,
        )

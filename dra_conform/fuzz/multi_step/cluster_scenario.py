"""A random multi-step scenario: its setup and its actions, without expectations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.implementation import Request
from dra_conform.kube.profile import Profile

Json = Any
Action = Mapping[str, Json]
"""An action in the form of the operation `cluster` of the wire protocol."""


@dataclass(frozen=True, slots=True)
class ClusterScenario:
    """A scenario: objects by collection, actions in the form of the wire protocol, and gates.

    `gates` are those that differ from the profile, in all components from the start.
    """

    objects: Mapping[str, tuple[Json, ...]]
    actions: tuple[Action, ...]
    gates: Mapping[str, bool] = field(default_factory=dict)

    @property
    def ask(self) -> dict[str, Json]:
        """Return the request of the operation `cluster`."""
        return {"actions": list(self.actions)}

    def profile(self, name: str) -> Profile:
        """Return a profile with the gates of the scenario."""
        return Profile.named(name).with_gates(self.gates)

    def request(self, number: int, profile: str, *, seed: int, deadline_ms: int) -> Request:
        """Return the scenario as a request to an implementation."""
        return Request(
            id=number,
            case_id=f"scenario-{number}",
            operation="cluster",
            profile=self.profile(profile),
            objects=self.objects,
            ask=self.ask,
            seed=seed,
            deadline_ms=deadline_ms,
        )

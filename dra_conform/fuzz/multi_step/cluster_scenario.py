"""A random multi-step scenario, its setup and its actions without expectations, and its feature gates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from dra_conform.conformance.implementation import Request
from dra_conform.kube.gates import consistent, locked
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

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


SCENARIOS_PER_GATE_SET = 100
"""This many consecutive scenarios have equal gates, because a control plane restarts for other gates."""


def switchable(profile: Profile) -> tuple[str, ...]:
    """Return the gates that are not locked in the release of the profile."""
    fixed = locked(profile.release)
    return tuple(gate for gate in profile.gates if gate.startswith("DRA") and gate not in fixed)


def gates_of_scenario(number: int, seed: int, profile: Profile) -> Mapping[str, bool]:
    """Return the gates by scenario number: all on, those of the profile, all off, then random sets."""
    turn = number // SCENARIOS_PER_GATE_SET
    gates = switchable(profile)
    if turn == 0:
        return dict.fromkeys(gates, True)
    if turn == 1:
        return {}
    if turn == 2:
        return dict.fromkeys(gates, False)
    random = Random(f"{seed}/gates/{turn}")
    share = random.choice((0.5, 0.8, 0.8))
    chosen = {gate: random.random() < share for gate in gates}
    every = consistent({**profile.gates, **chosen})
    return {gate: every[gate] for gate in gates}

"""Random feature gates of a scenario, and the gates that it can switch."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from dra_conform.kube.gates import consistent, locked
from dra_conform.kube.profile import Profile

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

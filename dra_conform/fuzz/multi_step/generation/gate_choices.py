"""Random feature gates of a scenario, and the gates that it switches."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from dra_conform.kube.gates import consistent, locked
from dra_conform.kube.profile import Profile

STORIES_OF_ONE_SET = 100
"""So many stories in a row have the same gates: a control plane starts again for other ones."""


def switchable(profile: Profile) -> tuple[str, ...]:
    """The gates that a component of the profile's release starts with on and off alike."""
    fixed = locked(profile.release)
    return tuple(gate for gate in profile.gates if gate.startswith("DRA") and gate not in fixed)


def gates_of_story(number: int, seed: int, profile: Profile) -> Mapping[str, bool]:
    """The gates of a story by its number: those of the profile, all on, all off, then random sets."""
    turn = number // STORIES_OF_ONE_SET
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

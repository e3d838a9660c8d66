"""The enabled feature gates of a cluster, and whether a scenario can run with them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.adapters.live.api import Api
from dra_conform.conformance.features import gates_of
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.profile import Profile

Json = Any

_ENABLED = re.compile(r'^kubernetes_feature_enabled\{name="(\w+)"[^}]*\} (\d)', re.MULTILINE)


def enabled_gates(api: Api) -> Mapping[str, bool] | None:
    """Return the gates of the API server from its metrics; None if the user may not read metrics."""
    metrics = api.text("/metrics")
    return None if metrics is None else {name: on == "1" for name, on in _ENABLED.findall(metrics)}


def gate_conflict(
    objects: Mapping[str, Sequence[Json]],
    ask: Mapping[str, Json],
    profile: Profile,
    on: Mapping[str, bool],
) -> str:
    """Return which gate of the cluster differs from what a scenario needs, empty if none does.

    The function compares the gates of the features that the scenario uses, and the gates that the scenario
    sets to a value other than the default. A gate that the cluster does not have is off.
    """
    used = gates_of(
        OPERATIONS["cluster"].features({name: tuple(items) for name, items in objects.items()}, ask)
    )
    defaults = Profile.named(profile.name).gates
    relevant = used | {gate for gate, needed in profile.gates.items() if defaults.get(gate) != needed}
    for gate in sorted(relevant & profile.gates.keys()):
        needed, actual = profile.gates[gate], on.get(gate, False)
        if needed != actual:
            return f"{gate} is {_state(actual)} in this cluster, the scenario needs it {_state(needed)}"
    return ""


def _state(on: bool) -> str:
    return "on" if on else "off"

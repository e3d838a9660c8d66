"""The feature gates that are on in a cluster, and whether a scenario can run with them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.adapters.live.api import Api
from dra_conform.conformance.cluster.question import features
from dra_conform.conformance.features import gates_of
from dra_conform.kube.profile import Profile

Json = Any

_ENABLED = re.compile(r'^kubernetes_feature_enabled\{name="(\w+)"[^}]*\} (\d)', re.MULTILINE)


def enabled_gates(api: Api) -> Mapping[str, bool] | None:
    """The gates of the API server from its metrics; None where these may not be read."""
    metrics = api.text("/metrics")
    return None if metrics is None else {name: on == "1" for name, on in _ENABLED.findall(metrics)}


def obstacle(
    objects: Mapping[str, Sequence[Json]],
    ask: Mapping[str, Json],
    profile: Profile,
    on: Mapping[str, bool],
) -> str:
    """Why a story needs another cluster, empty if it does not.

    What counts are the gates of the features that the story uses, and those that it wants otherwise than they
    are by default. A gate that the cluster does not have is off.
    """
    used = gates_of(features({name: tuple(found) for name, found in objects.items()}, ask))
    defaults = Profile.named(profile.name).gates
    counts = used | {gate for gate, wanted in profile.gates.items() if defaults.get(gate) != wanted}
    for gate in sorted(counts & profile.gates.keys()):
        wanted, found = profile.gates[gate], on.get(gate, False)
        if wanted != found:
            return f"the scenario needs {gate} to be {_state(wanted)}, it is {_state(found)} in this cluster"
    return ""


def _state(on: bool) -> str:
    return "on" if on else "off"

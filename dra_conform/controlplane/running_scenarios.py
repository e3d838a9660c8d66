"""The operation `cluster`: run a scenario, and return the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.parts import NotSimulated, Objects, Parts
from dra_conform.controlplane.simulation import SimulatedCluster
from dra_conform.kube.profile import Profile

Json = Any


def run_scenario(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int = 0, parts: Parts | None = None
) -> dict[str, Json]:
    """Run a multi-step scenario on a simulated cluster, and return the body of a `result`.

    Raises Unsettled if the cluster reaches no steady state, ValueError or KeyError for a malformed scenario.
    """
    try:
        observations = SimulatedCluster(parts or Parts(), profile, seed).run(objects, ask)
    except NotSimulated as error:
        return {"status": "unsupported", "message": str(error)}
    return {"outcome": "told", "observations": observations}

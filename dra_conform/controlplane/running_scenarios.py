"""The built-in answer to `cluster`: a scenario in, the body of a `result` out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.parts import NotSimulated, Objects, Parts
from dra_conform.controlplane.simulation import SimulatedCluster
from dra_conform.kube.profile import Profile

Json = Any


def tell(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int = 0, parts: Parts | None = None
) -> dict[str, Json]:
    """The body of a result; raises Unsettled, and ValueError or KeyError for a story without sense."""
    try:
        observations = SimulatedCluster(parts or Parts(), profile, seed).tell(objects, ask)
    except NotSimulated as what:
        return {"status": "unsupported", "message": str(what)}
    return {"outcome": "told", "observations": observations}

"""A simulated cluster in one object: it executes actions and returns observations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.parts import Objects, Parts
from dra_conform.controlplane.simulation.actions import Actions
from dra_conform.controlplane.simulation.components import Components
from dra_conform.controlplane.simulation.running import Running
from dra_conform.kube.garbage import without_collection
from dra_conform.kube.profile import Profile

Json = Any


class SimulatedCluster:
    """A cluster for stories, begun anew for each. Equal stories and seeds give equal observations."""

    def __init__(self, parts: Parts, profile: Profile, seed: int = 0) -> None:
        self._parts = parts
        self._profile = profile
        self._seed = seed

    def tell(self, objects: Objects, ask: Mapping[str, Json]) -> list[dict[str, Json]]:
        """Begin with these objects, stored as they are written, and do the actions; one observation for each.

        Raises NotSimulated for what this cluster does not do, Unsettled where components never come to rest,
        and ValueError or KeyError for a story that cannot be understood.
        """
        components = Components(ask.get("components") or {}, self._profile)
        cluster = Running(self._parts, components, self._seed)
        with without_collection():
            for collection in objects.values():
                for raw in collection:
                    cluster.server.load(raw)
            actions = Actions(cluster)
            return [actions.do(action) for action in ask["actions"]]

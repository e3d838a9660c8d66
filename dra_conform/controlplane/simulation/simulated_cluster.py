"""A simulated cluster that runs scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.parts import Objects, Parts
from dra_conform.controlplane.simulation.actions import Actions
from dra_conform.controlplane.simulation.components import Components
from dra_conform.controlplane.simulation.running import RunningCluster
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.profile import Profile

Json = Any


class SimulatedCluster:
    """Runs each scenario in a new cluster; equal scenarios and seeds give equal observations."""

    def __init__(self, parts: Parts, profile: Profile, seed: int = 0) -> None:
        self._parts = parts
        self._profile = profile
        self._seed = seed

    def run(self, objects: Objects, ask: Mapping[str, Json]) -> list[dict[str, Json]]:
        """Store the objects of the setup without admission, execute the actions, and return their
        observations.

        Raises NotSimulated for an unsupported action, Unsettled if the components reach no steady state, and
        ValueError or KeyError for a malformed scenario.
        """
        components = Components(ask.get("components") or {}, self._profile)
        cluster = RunningCluster(self._parts, components, self._seed)
        with without_garbage_collection():
            for collection in objects.values():
                for raw in collection:
                    cluster.server.load(raw)
            actions = Actions(cluster)
            return [actions.do(action) for action in ask["actions"]]

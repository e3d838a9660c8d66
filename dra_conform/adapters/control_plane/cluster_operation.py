"""The operation `cluster` on a control plane."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.initial_objects import Objects
from dra_conform.adapters.live.live_scenarios import LiveScenarios
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile


class ClusterOperation:
    """The operation `cluster` of a control plane: multi-step scenarios with all components."""

    def __init__(self, plane: ControlPlane) -> None:
        self._plane = plane
        self._opening = threading.Lock()
        self._scenarios: LiveScenarios | None = None
        self._emptied = 0
        """How often the store had been emptied when the namespace of the run was created."""

    def run(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        """Run a scenario with no other at the same time; raises CannotRun, NoSteadyState and Unreachable."""
        observations = self._opened(profile).run(objects, ask, profile, alone=True)
        return {"outcome": "observed", "observations": observations}

    def run_concurrently(
        self, objects: Objects, ask: Mapping[str, Json], profile: Profile
    ) -> dict[str, Json]:
        """Run a scenario together with others that need the same isolation; metrics are not observed."""
        return {"outcome": "observed", "observations": self._opened(profile).run(objects, ask, profile)}

    def _opened(self, profile: Profile) -> LiveScenarios:
        with self._opening:
            if self._scenarios is None:
                self._plane.serve(profile)
                scenarios = LiveScenarios(
                    self._plane.endpoint, self._plane, scheduler=self._plane.scheduler_name
                )
                scenarios.open()
                self._scenarios = scenarios
            elif self._emptied != self._plane.emptied:
                self._plane.serve(profile)
                self._scenarios.make_namespace()
            self._emptied = self._plane.emptied
            return self._scenarios

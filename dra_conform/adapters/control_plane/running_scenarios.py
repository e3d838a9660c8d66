"""The operation `cluster` on a control plane."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.initial_objects import Objects
from dra_conform.adapters.live.live_scenarios import LiveScenarios
from dra_conform.kube.profile import Profile

Json = Any


class RunningScenarios:
    """The operation `cluster` of a control plane, with all components."""

    def __init__(self, plane: ControlPlane) -> None:
        self._plane = plane
        self._opening = threading.Lock()
        self._stories: LiveScenarios | None = None

    def tell(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        """The body of a result; raises CannotRun, StillBusy and Unreachable."""
        told = self._opened(profile).tell(objects, ask, profile, alone=True)
        return {"outcome": "told", "observations": told}

    def tell_beside(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        """The same beside others of its company, from a thread of its own; metrics say nothing then."""
        return {"outcome": "told", "observations": self._opened(profile).tell(objects, ask, profile)}

    def _opened(self, profile: Profile) -> LiveScenarios:
        with self._opening:
            if self._stories is None:
                self._plane.serve(profile)
                stories = LiveScenarios(self._plane.endpoint, self._plane)
                stories.open()
                self._stories = stories
            return self._stories

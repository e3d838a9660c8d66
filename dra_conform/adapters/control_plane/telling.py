"""Stories told to a control plane of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.world import Objects
from dra_conform.adapters.live.live_stories import LiveStories
from dra_conform.kube.profile import Profile

Json = Any


class Telling:
    """The operation `cluster` of a control plane, with all components."""

    def __init__(self, plane: ControlPlane) -> None:
        self._plane = plane
        self._stories: LiveStories | None = None

    def tell(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        """The body of a result; raises Untellable, StillBusy and Unreachable."""
        if self._stories is None:
            self._plane.serve(profile)
            self._stories = LiveStories(self._plane.endpoint, self._plane)
            self._stories.open()
        return {"outcome": "told", "observations": self._stories.tell(objects, ask, profile)}

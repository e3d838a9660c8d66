"""Stories told to a real cluster: what a story asks becomes requests, what is observed comes from the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.adapters.live.endpoint import Controls, Endpoint
from dra_conform.kube.profile import Profile

Json = Any


class LiveStories:
    """Tells stories one at a time or, where there are no controls, side by side from several threads.

    Everything a story makes has names of its own and is removed when it ends. The nodes of a story are Node
    objects that this makes ready, and the kubelet on them is played: pods that were assigned to them run when
    their claims are ready, and go when they are deleted.
    """

    def __init__(self, endpoint: Endpoint, controls: Controls | None = None) -> None:
        self._endpoint = endpoint
        self._controls = controls

    def tell(
        self, objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile
    ) -> list[dict[str, Json]]:
        """One observation for each action of the operation `cluster`; raises Untellable."""
        raise NotImplementedError

"""Detection of the steady state: nothing has changed for a while, and no work is pending.

First the story must be calm: for `CALM` seconds no pod, claim or event has changed, and nothing is
`unfinished`; what stays unfinished while no pod and no claim changes for `PATIENCE` is taken to stay so. That
a pod is tried again and fails as before is no change: others may be the reason. Then a canary is sent; it
comes back when scheduler and controller manager are through with everything before it. Then again nothing may
change, for three times as long as it took the canary, at least `QUIET` seconds. At the end the collections
are listed: they must be what the watches have told.

How long the canary of a cluster takes also says how slow it is now: where that is much, there is more
patience. A cluster that goes on changing, however seldom, is given up after so many looks, not seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dra_conform.adapters.live.api import Unreachable
from dra_conform.adapters.live.emulated_kubelet import PlayedKubelet
from dra_conform.adapters.live.pending_work import FAILED_GENERATION, unfinished
from dra_conform.adapters.live.probe_pod import ProbePod
from dra_conform.adapters.live.scenario_watch import ScenarioWatch, Standing

Json = Any

CALM = 0.2
QUIET = 0.5
PATIENCE = 11.0
"""A second more than the scheduler lets a pod wait after an error."""
CANARIES = 8
"""So many times as long as a canary takes there is more patience."""
LOOKS = 1500
"""After so many looks a cluster is said not to settle, five minutes of an idle machine.

Each waits for a change, `CALM` seconds at most.
"""


class StillBusy(Exception):  # noqa: N818 - it reads as what happened
    """The cluster goes on changing."""


class Settling:
    """Waits for the cluster; the kubelet is played meanwhile."""

    def __init__(self, watch: ScenarioWatch, kubelet: PlayedKubelet, canary: ProbePod) -> None:
        self._watch = watch
        self._kubelet = kubelet
        self._canary = canary
        self._looks = 0
        self._resigned: Standing = frozenset()
        """The pods and claims that stay unfinished."""

    def settle(self, now: Callable[[], float] = time.monotonic) -> None:
        """Come back when the cluster is at rest; raises StillBusy."""
        self._looks = 0
        self._resigned = frozenset()
        while True:
            seen = self._calm(CALM, now)
            try:
                taken = self._canary.send()
            except Unreachable as error:
                raise StillBusy(str(error)) from None
            if self._calm(max(QUIET, 3 * taken), now) == seen and self._watch.is_current():
                return

    def _calm(self, seconds: float, now: Callable[[], float]) -> Standing:
        """Wait until nothing has changed for so long; the pods and claims that there were then."""
        while True:
            self._look()
            if self._watch.wait(seconds, self._watch.changes) or self.play():
                continue
            standing = self._watch.standing()
            if self._left() and standing != self._resigned and self._other_than(standing, now):
                continue
            return standing

    def _other_than(self, standing: Standing, now: Callable[[], float]) -> bool:
        """Whether a pod or a claim changes while there is hope; if not, none is left."""
        end = now() + PATIENCE + CANARIES * self._canary.took
        while self._watch.standing() == standing:
            left = end - now()
            if left <= 0:
                self._resigned = standing
                return False
            self._look()
            self._watch.wait(min(left, CALM), self._watch.changes)
            self.play()
        return True

    def _look(self) -> None:
        self._looks += 1
        if self._looks > LOOKS:
            raise StillBusy(f"the cluster goes on changing, it was looked at {LOOKS} times")

    def play(self) -> bool:
        """Let the kubelet see how things are; whether it has done anything."""
        return self._kubelet.work(self._watch.pods(), self._watch.claims())

    def _left(self) -> bool:
        events = self._watch.events()
        without = (one["regarding"]["uid"] for one in events if one.get("reason") == FAILED_GENERATION)
        return any(unfinished(self._watch.pods(), self._watch.claims(), frozenset(without)))

"""Detection of the steady state: nothing changes for a while, and no work is pending.

1. For STABLE_SECONDS no pod, claim or event changes, and nothing is `unfinished`. Work that stays unfinished
for UNCHANGED_SECONDS without a change of a pod or claim is accepted as unfinished. It is accepted at once
if the queues of scheduler and controllers are empty before and after a probe pod, or if pods and claims have
returned to the same state RETURNS times: the component fails again and again, not because the scenario lets
its writes fail. A pod that fails again as before is no change. After a failed generation of a claim in an
earlier step, the next attempt is awaited.
2. A probe pod is created. When the scheduler has tried it, scheduler and controller
manager have handled all earlier changes. 3. Nothing changes for three times as long as the probe pod took, at
least FINAL_SECONDS. 4. Lists of the collections equal what the watches have reported.

A scheduler that does not retry pods after the deletion of a claim tries them up to five minutes later. There
a pod that is pending after a deletion is retried at once, and 1. begins again.

On a slow cluster the probe pod takes longer, and so do the waiting times. The wait for a cluster that keeps
changing ends after MAX_POLLS polls, a limit that does not depend on the speed of the cluster.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from dra_conform.adapters.live.api import Unreachable
from dra_conform.adapters.live.emulated_nodes import EmulatedKubelet
from dra_conform.adapters.live.pending_work import (
    DELAYED,
    FAILED_GENERATION,
    GENERATION_RETRIED,
    ComponentQueues,
    unfinished,
)
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.probe_pod import ProbePod
from dra_conform.adapters.live.scenario_watch import ObjectStates, ScenarioWatch
from dra_conform.kube.json_values import Json

STABLE_SECONDS = 0.2
FINAL_SECONDS = 0.5
UNCHANGED_SECONDS = 12.0
"""The time without changes in a steady state: the scheduler's longest backoff after an error, ten seconds,
then up to a second until it looks, and one second more."""
LOOK_SECONDS = 1.0
"""The time between two looks at the queues of components."""
PROBE_FACTOR = 8
"""The multiple of the time of a probe pod that is added to UNCHANGED_SECONDS."""
RETURNS = 3
"""The number of returns to a state after which the work that changes it is accepted as unfinished."""
_POLLS_FOR_PROBE = 20
"""Polls until the components have removed the claim of a probe pod."""
MAX_POLLS = 1500
"""Polls until a cluster counts as not reaching a steady state, five minutes on an idle machine.

Each poll waits for a change, at most STABLE_SECONDS.
"""


class NoSteadyState(Exception):  # noqa: N818 - it reads as what happened
    """The cluster keeps changing and does not reach a steady state."""


class Settling:
    """Waits for the steady state of a scenario while the emulated kubelet works."""

    def __init__(
        self,
        watch: ScenarioWatch,
        kubelet: EmulatedKubelet,
        probe: ProbePod,
        queues: ComponentQueues | None = None,
        retry: Callable[[], None] | None = None,
        failed_writes: Callable[[], int] = lambda: 0,
    ) -> None:
        """`queues` is None if the metrics of the components cannot be read.

        `retry` makes the scheduler retry pending pods. It is None if the deletion of a claim does that.
        `failed_writes` returns how many writes have failed because the scenario lets them fail.
        """
        self._failed_writes = failed_writes
        self._retry = retry
        self._claims = _uids(watch.claims())
        """The claims since the last look at deleted claims."""
        self._queues = queues
        self._watch = watch
        self._kubelet = kubelet
        self._probe = probe
        self._polls = 0
        self._accepted: ObjectStates = frozenset()
        """The state of pods and claims in which unfinished work is accepted."""
        self._rests: Counter[tuple[bytes, int]] = Counter()
        """How often nothing changed for a while in each state and with so many failed writes, with changes in
        between."""
        self._rested_after = -1
        self._began = float("inf")
        """The time of the first step."""
        self._earlier_failures: frozenset[str] = frozenset()
        """The versions of the events of failed generations before the step."""

    def settle(self, now: Callable[[], float] = time.monotonic) -> None:
        """Wait for the steady state; raises NoSteadyState."""
        self._polls = 0
        self._began = min(self._began, now())
        self._accepted = frozenset()
        self._rests.clear()
        self._earlier_failures = frozenset(map(_version, self._failures()))
        if self._queues:
            self._queues.begin()
        while True:
            states = self._wait_until_stable(STABLE_SECONDS, now)
            probe_seconds = self.handle_probe()
            unchanged_for = max(FINAL_SECONDS, 3 * probe_seconds)
            if self._wait_until_stable(unchanged_for, now) != states or not self._watch.is_current():
                continue
            if not self._retry_after_deletion():
                return

    def handle_probe(self) -> float:
        """Return the seconds until the components have handled a probe pod; raises NoSteadyState."""
        try:
            return self._probe.send()
        except Unreachable as error:
            raise NoSteadyState(str(error)) from None

    def _retry_after_deletion(self) -> bool:
        """Make the scheduler retry pending pods if a claim was deleted; return whether it was necessary."""
        claims = _uids(self._watch.claims())
        deleted, self._claims = self._claims - claims, claims
        pending = any(not pod["spec"].get("nodeName") for pod in self._watch.pods())
        if self._retry is None or not deleted or not pending:
            return False
        self._retry()
        return True

    def _wait_until_stable(self, seconds: float, now: Callable[[], float]) -> ObjectStates:
        """Wait until nothing has changed for some seconds; return the states of pods and claims then."""
        while True:
            self._count_poll()
            self._claims |= _uids(self._watch.claims())
            if self._watch.wait(seconds, self._watch.changes) or self.run_kubelet():
                continue
            states = self._watch.object_states()
            if any(self._work()) and not self._is_accepted(states) and self._changes_from(states, now):
                continue
            return states

    def _is_accepted(self, states: ObjectStates) -> bool:
        """Whether unfinished work is accepted in this state, in which nothing has changed for a while."""
        recurring = self._watch.recurring_state(), self._failed_writes()
        if self._rested_after != self._watch.changes:
            self._rested_after = self._watch.changes
            self._rests[recurring] += 1
        return states == self._accepted or self._rests[recurring] > RETURNS

    def _changes_from(self, states: ObjectStates, now: Callable[[], float]) -> bool:
        """Whether a pod or a claim changes, a write fails on purpose, or the work is finished, within the
        time limit.

        If not, accept the unfinished work.
        """
        end = now() + UNCHANGED_SECONDS + PROBE_FACTOR * self._probe.seconds
        if any(work.endswith(GENERATION_RETRIED) for work in self._work()):
            # The time between two attempts doubles, so it is at most the time since the first one.
            end += now() - self._began
        next_look, failed = now(), self._failed_writes()
        while (self._watch.object_states(), self._failed_writes()) == (states, failed) and any(self._work()):
            left = end - now()
            idle = now() >= next_look and self._components_idle()
            if now() >= next_look:
                next_look = now() + LOOK_SECONDS
            if left <= 0 or (idle and self._watch.object_states() == states):
                self._accepted = states
                return False
            self._count_poll()
            self._watch.wait(min(left, STABLE_SECONDS), self._watch.changes)
            self.run_kubelet()
        return True

    def _components_idle(self) -> bool:
        """Whether the queues of the components are empty, also after they handled all earlier changes."""
        if self._queues is None or any(work.endswith(DELAYED) for work in self._work()):
            return False
        if not self._queues.idle():
            return False
        try:
            self._probe.send()
        except Unreachable as error:
            raise NoSteadyState(str(error)) from None
        return poll(_POLLS_FOR_PROBE, self._queues.idle)

    def _count_poll(self) -> None:
        self._polls += 1
        if self._polls > MAX_POLLS:
            raise NoSteadyState(f"the cluster does not reach a steady state within {MAX_POLLS} polls")

    def run_kubelet(self) -> bool:
        """Run one round of the emulated kubelet; return whether it has written anything."""
        return self._kubelet.work(self._watch.pods(), self._watch.claims())

    def _work(self) -> Iterator[str]:
        failed: dict[str, bool] = {}
        for event in self._failures():
            uid = event["regarding"]["uid"]
            failed[uid] = failed.get(uid, False) or _version(event) not in self._earlier_failures
        pods, claims = self._watch.pods(), self._watch.claims()
        return unfinished(pods, claims, failed, writes_failed=self._failed_writes() > 0)

    def _failures(self) -> Iterator[Json]:
        """Yield the events of failed generations; a repeated failure has a new version."""
        return (event for event in self._watch.events() if event.get("reason") == FAILED_GENERATION)


def _version(raw: Json) -> str:
    return f"{raw['metadata']['uid']} {raw['metadata']['resourceVersion']}"


def _uids(objects: Iterable[Json]) -> frozenset[str]:
    return frozenset(raw["metadata"]["uid"] for raw in objects)

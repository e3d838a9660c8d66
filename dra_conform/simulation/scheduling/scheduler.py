"""The scheduler's queue: pods without a node in creation order, retried after changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from dra_conform.cluster_state.pods import DEFAULT_SCHEDULER, finished
from dra_conform.kube.json_values import Json
from dra_conform.kube.switches.scheduler import SchedulerSwitches
from dra_conform.simulation.client import Client
from dra_conform.simulation.metrics import MetricGrowth
from dra_conform.simulation.scheduling.cycle import Cycle
from dra_conform.simulation.scheduling.phases import Code, PhaseFailed, PhaseResult
from dra_conform.simulation.scheduling.scheduler_log import SchedulerLog
from dra_conform.simulation.scheduling.scheduling_cycle import SchedulingCycle
from dra_conform.simulation.shared_state import Events

ClusterState = tuple[float, int, int]
"""Time, revision and number of failed writes: equal states mean that nothing has changed."""
_RESULTS = {Code.ERROR: "Error"}
"""The result of a failed attempt by code; for other codes it is `Unschedulable`."""


@dataclass(frozen=True, slots=True)
class SchedulingAttempt:
    """The result of one attempt to schedule a pod (`namespace/name`); `node` is empty if it failed.

    `result` is `Scheduled`, `Unschedulable`, `Error`, or `Waiting` for a pod that is not bound yet. `message`
    is the reason why the pod is not bound.
    """

    pod: str
    node: str
    result: str
    message: str
    phases: Sequence[PhaseResult]


def no_progress(done: int, total: int) -> None:
    """Report nothing."""


class Scheduler:
    """Schedules pending pods; a restart of the component clears its state.

    `new_cycle` returns the cycle of a pod, given the pods that are assumed to be bound. `state` and `quotas`
    return the current state of the cluster and the content of the ResourceQuotas. `progress` is called after
    each attempt with the number of processed pods and of all pending pods.
    """

    def __init__(
        self,
        client: Client,
        new_cycle: Callable[[Json, list[Json]], SchedulingCycle],
        events: Events,
        state: Callable[[], ClusterState],
        quotas: Callable[[], Json],
        metrics: MetricGrowth,
        log: SchedulerLog,
        progress: Callable[[int, int], None] = no_progress,
    ) -> None:
        self._client = client
        self._metrics = metrics
        self._log = log
        self._progress = progress
        self._new_cycle = new_cycle
        self._events = events
        self._state = state
        self._quotas = quotas
        self._started = client.started
        self._tried: dict[str, tuple[ClusterState, Json, Json]] = {}
        """The state and the quotas before and after the last attempt, by UID of the pod.

        An attempt that creates and deletes a claim changes the quotas for a while. This must not cause a
        retry.
        """
        self._binding: dict[str, tuple[SchedulingCycle, str]] = {}
        """The cycles of pods that are not bound yet, each with the condition that it waits for, by UID."""
        self._rejecting: dict[str, frozenset[str]] = {}
        """The plugins that reject each unschedulable pod, by UID."""
        self._still_counted: Counter[str] = Counter()
        """The number of deleted pods that each plugin counts, if the release does not subtract them."""
        self._attempts: list[SchedulingAttempt] = []

    def run(self) -> None:
        """Continue binding pods, then try each pending pod once if something changed since its last
        attempt."""
        if self._started != self._client.started:
            self._started = self._client.started
            self._tried, self._binding, self._rejecting = {}, {}, {}
            self._still_counted.clear()
        pods = [pod for pod in self._client.all("Pod") if _pending(pod)]
        pending = {pod["metadata"]["uid"] for pod in pods}
        for uid in self._rejecting.keys() - pending:
            plugins = self._rejecting.pop(uid)
            if not SchedulerSwitches.of(self._client.profile).deleted_pods_uncounted:
                self._still_counted.update(plugins)
        self._continue_binding(pending)
        for number, pod in enumerate(pods, 1):
            uid = pod["metadata"]["uid"]
            if uid not in self._binding and not self._is_unchanged(uid):
                self._try(pod, uid)
                self._progress(number, len(pods))

    def take_attempts(self) -> list[SchedulingAttempt]:
        """Return the attempts that ended since the last call in order, then the waiting attempts."""
        waiting = [
            _attempt(attempt.cycle, "Waiting", condition) for attempt, condition in self._binding.values()
        ]
        taken, self._attempts = [*self._attempts, *waiting], []
        return taken

    def unschedulable_pods(self) -> Counter[str]:
        """Return the number of unschedulable pods that each plugin counts, by name of the plugin."""
        rejecting = Counter(plugin for plugins in self._rejecting.values() for plugin in plugins)
        return rejecting + self._still_counted

    @property
    def waiting(self) -> int:
        """The number of unschedulable pods."""
        return len(self._rejecting)

    def _is_unchanged(self, uid: str) -> bool:
        """Whether nothing changed since the last attempt for a pod."""
        state, *quotas = self._tried.get(uid, (None,))
        return state == self._state() and self._quotas() in quotas

    def _continue_binding(self, pending: set[str]) -> None:
        for uid, (attempt, _) in list(self._binding.items()):
            del self._binding[uid]
            if uid in pending:
                self._bind(attempt, uid, attempt.continue_binding)
            else:
                attempt.abandon()

    def attempt(self, pod: Json) -> SchedulingCycle:
        """Return a new attempt to schedule a pod, before its first phase."""
        return self._new_cycle(pod, [attempt.cycle.assumed for attempt, _ in self._binding.values()])

    def _try(self, pod: Json, uid: str) -> None:
        attempt = self.attempt(pod)
        self._bind(attempt, uid, attempt.run)

    def _bind(self, attempt: SchedulingCycle, uid: str, step: Callable[[], str]) -> None:
        cycle, quotas = attempt.cycle, self._quotas()
        self._rejecting.pop(uid, None)
        try:
            waiting = step()
        except PhaseFailed as failure:
            # The frames refer to the exception; without this, each attempt leaves a reference cycle.
            failure.__traceback__ = failure.__context__ = None
            result = _RESULTS.get(failure.code, "Unschedulable")
            self._attempts.append(
                SchedulingAttempt(cycle.name, "", result, str(failure), tuple(cycle.results))
            )
            self._events.add(cycle.pod, "FailedScheduling", str(failure))
            again = None if failure.code is Code.ERROR else partial(self.attempt, cycle.pod)
            self._log.failed(attempt, str(failure), again)
            if failure.code is not Code.ERROR:
                self._rejecting[uid] = failure.plugins
            if not failure.retryable:
                self._tried[uid] = self._state(), quotas, self._quotas()
            return
        if waiting:
            self._binding[uid] = attempt, waiting
            return
        self._log.allocated(attempt)
        self._metrics.record_scheduled()
        self._attempts.append(_attempt(cycle, "Scheduled", ""))
        self._events.add(cycle.pod, "Scheduled", f"Successfully assigned {cycle.name} to {cycle.node}")


def _pending(pod: Json) -> bool:
    spec = pod["spec"]
    if spec.get("nodeName") or spec.get("schedulingGates") or "deletionTimestamp" in pod["metadata"]:
        return False
    return spec.get("schedulerName") in (None, DEFAULT_SCHEDULER) and not finished(pod)


def _attempt(cycle: Cycle, result: str, message: str) -> SchedulingAttempt:
    return SchedulingAttempt(cycle.name, cycle.node, result, message, tuple(cycle.results))

"""The scheduler: pods without a node in creation order, retried after changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.events import Events
from dra_conform.controlplane.simulation.pods import finished
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused, PhaseResult
from dra_conform.controlplane.simulation.scheduling.scheduling_cycle import SchedulingCycle

Json = Any
Moment = tuple[float, int, int]
"""Equal moments: nothing has happened in between."""
_RESULTS = {Code.ERROR: "Error"}
"""How an attempt is said to end by the code that ended it; of all others `Unschedulable`."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """How one attempt to schedule a pod (`namespace/name`) ended; `node` is empty if it failed.

    `result` is `Scheduled`, `Unschedulable`, `Error`, or `Waiting` for a pod that is not bound yet. `message`
    says why the pod is not bound.
    """

    pod: str
    node: str
    result: str
    message: str
    phases: Sequence[PhaseResult]


def nobody_watches(done: int, total: int) -> None:
    """Progress that nobody looks at."""


class Scheduler:
    """`begun` makes the cycle of a pod, given the pods that are assumed to be on nodes; `moment` is asked for
    the present one. All that the scheduler remembers is forgotten when the component is restarted.

    `progress` is called after each attempt of a round with the number of pods that were looked at and that of
    all pods that have no node.
    """

    def __init__(
        self,
        client: Client,
        begun: Callable[[Json, list[Json]], SchedulingCycle],
        events: Events,
        moment: Callable[[], Moment],
        quotas: Callable[[], Json],
        progress: Callable[[int, int], None] = nobody_watches,
    ) -> None:
        self._client = client
        self._progress = progress
        self._begun = begun
        self._events = events
        self._moment = moment
        self._quotas = quotas
        self._started = client.started
        self._tried: dict[str, tuple[Moment, Json, Json]] = {}
        """When each pod was tried last, and what quotas counted before and after it.

        What an attempt creates and takes back is counted for a while; that alone is no reason to try again.
        """
        self._binding: dict[str, tuple[SchedulingCycle, str]] = {}
        """Pods that are assumed to be on a node and not bound yet, with what each waits for."""
        self._attempts: list[Attempt] = []

    def run(self) -> None:
        """Go on with each pod that is being bound, then one attempt for each pod for which something has
        changed since the last one."""
        if self._started != self._client.started:
            self._started = self._client.started
            self._tried, self._binding = {}, {}
        pods = [pod for pod in self._client.all("Pod") if _pending(pod)]
        self._go_on({pod["metadata"]["uid"] for pod in pods})
        for number, pod in enumerate(pods, 1):
            uid = pod["metadata"]["uid"]
            if uid not in self._binding and not self._in_vain(uid):
                self._attempt(pod, uid)
                self._progress(number, len(pods))

    def take_attempts(self) -> list[Attempt]:
        """How each attempt since the last call ended, in order, and then those that still wait."""
        waiting = [_ended(one.cycle, "Waiting", what) for one, what in self._binding.values()]
        taken, self._attempts = [*self._attempts, *waiting], []
        return taken

    def _in_vain(self, uid: str) -> bool:
        """Whether nothing has changed for a pod since it was tried."""
        moment, *counted = self._tried.get(uid, (None,))
        return moment == self._moment() and self._quotas() in counted

    def _go_on(self, pending: set[str]) -> None:
        for uid, (attempt, _) in list(self._binding.items()):
            del self._binding[uid]
            if uid in pending:
                self._bind(attempt, uid, attempt.go_on)
            else:
                attempt.give_up()

    def attempt(self, pod: Json) -> SchedulingCycle:
        """The attempt to schedule a pod now, before its first phase."""
        return self._begun(pod, [one.cycle.assumed for one, _ in self._binding.values()])

    def _attempt(self, pod: Json, uid: str) -> None:
        attempt = self.attempt(pod)
        self._bind(attempt, uid, attempt.begin)

    def _bind(self, attempt: SchedulingCycle, uid: str, step: Callable[[], str]) -> None:
        cycle, counted = attempt.cycle, self._quotas()
        try:
            waiting = step()
        except PhaseRefused as refused:
            refused.__traceback__ = refused.__context__ = (
                None  # their frames hold it: a cycle for each attempt
            )
            result = _RESULTS.get(refused.code, "Unschedulable")
            self._attempts.append(Attempt(cycle.name, "", result, str(refused), tuple(cycle.results)))
            self._events.add(cycle.pod, "FailedScheduling", str(refused))
            if not refused.again:
                self._tried[uid] = self._moment(), counted, self._quotas()
            return
        if waiting:
            self._binding[uid] = attempt, waiting
            return
        self._attempts.append(_ended(cycle, "Scheduled", ""))
        self._events.add(cycle.pod, "Scheduled", f"Successfully assigned {cycle.name} to {cycle.node}")


def _pending(pod: Json) -> bool:
    spec = pod["spec"]
    if spec.get("nodeName") or spec.get("schedulingGates") or "deletionTimestamp" in pod["metadata"]:
        return False
    return spec.get("schedulerName") in (None, "default-scheduler") and not finished(pod)


def _ended(cycle: Cycle, result: str, message: str) -> Attempt:
    return Attempt(cycle.name, cycle.node, result, message, tuple(cycle.results))

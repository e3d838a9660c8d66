"""The scheduler: pods that have no node, in the order they were created, again whenever something changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


class Scheduler:
    """`begun` makes the cycle of a pod, given the pods that are assumed to be on nodes; `moment` is asked for
    the present one. All that the scheduler remembers is forgotten when the component is restarted."""

    def __init__(
        self,
        client: Client,
        begun: Callable[[Json, list[Json]], SchedulingCycle],
        events: Events,
        moment: Callable[[], Moment],
        quotas: Callable[[], Json],
    ) -> None:
        self._client = client
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
        self._attempts: list[dict[str, Json]] = []

    def run(self) -> None:
        """Go on with each pod that is being bound, then one attempt for each pod for which something has
        changed since the last one."""
        if self._started != self._client.started:
            self._started = self._client.started
            self._tried, self._binding = {}, {}
        pods = [pod for pod in self._client.all("Pod") if _pending(pod)]
        self._go_on({pod["metadata"]["uid"] for pod in pods})
        for pod in pods:
            uid = pod["metadata"]["uid"]
            if uid not in self._binding and not self._in_vain(uid):
                self._attempt(pod, uid)

    def take_attempts(self) -> list[dict[str, Json]]:
        """How each attempt since the last call ended, in order, and then those that still wait."""
        waiting = [_told(one.cycle, "Waiting", what) for one, what in self._binding.values()]
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

    def _attempt(self, pod: Json, uid: str) -> None:
        assumed = [one.cycle.assumed for one, _ in self._binding.values()]
        attempt = self._begun(pod, assumed)
        self._bind(attempt, uid, attempt.begin)

    def _bind(self, attempt: SchedulingCycle, uid: str, step: Callable[[], str]) -> None:
        cycle, counted = attempt.cycle, self._quotas()
        try:
            waiting = step()
        except PhaseRefused as refused:
            said = _told(cycle, _RESULTS.get(refused.code, "Unschedulable"), str(refused))
            self._attempts.append({**said, "node": ""})
            self._events.add(cycle.pod, "FailedScheduling", str(refused))
            if not refused.again:
                self._tried[uid] = self._moment(), counted, self._quotas()
            return
        if waiting:
            self._binding[uid] = attempt, waiting
            return
        self._attempts.append(_told(cycle, "Scheduled", ""))
        self._events.add(cycle.pod, "Scheduled", f"Successfully assigned {cycle.name} to {cycle.node}")


def _pending(pod: Json) -> bool:
    spec = pod["spec"]
    if spec.get("nodeName") or spec.get("schedulingGates") or "deletionTimestamp" in pod["metadata"]:
        return False
    return spec.get("schedulerName") in (None, "default-scheduler") and not finished(pod)


def _told(cycle: Cycle, result: str, message: str) -> dict[str, Json]:
    return {
        "pod": cycle.name,
        "node": cycle.node,
        "result": result,
        "message": message,
        "phases": [_phase(one) for one in cycle.results],
    }


def _phase(result: PhaseResult) -> Mapping[str, Json]:
    said: dict[str, Json] = {"phase": result.phase.value, "code": result.code.value}
    if result.nodes:
        said["nodes"] = list(result.nodes)
    if result.reason:
        said["reason"] = result.reason
    if result.score is not None:
        said["score"] = result.score
    return said

"""The scheduler: pods that have no node, in the order they were created, again whenever something changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.events import Events
from dra_conform.controlplane.simulation.pods import finished
from dra_conform.controlplane.simulation.scheduling_cycle import CycleEnded, Result, SchedulingCycle

Json = Any
Moment = tuple[float, int, int]
"""Equal moments: nothing has happened in between."""


class Scheduler:
    """`moment` is asked for the present one. What was tried is forgotten when the component is restarted."""

    def __init__(
        self, client: Client, cycle: SchedulingCycle, events: Events, moment: Callable[[], Moment]
    ) -> None:
        self._client = client
        self._cycle = cycle
        self._events = events
        self._moment = moment
        self._tried: dict[tuple[str, int], Moment] = {}
        self._attempts: list[dict[str, str]] = []

    def run(self) -> None:
        """One attempt for each pod for which something has changed since the last one."""
        for pod in self._client.all("Pod"):
            key = pod["metadata"]["uid"], self._client.started
            if _pending(pod) and self._tried.get(key) != self._moment():
                again = self._attempt(pod)
                if not again:
                    self._tried[key] = self._moment()

    def take_attempts(self) -> list[dict[str, str]]:
        """How each attempt since the last call ended, in order."""
        taken, self._attempts = self._attempts, []
        return taken

    def _attempt(self, pod: Json) -> bool:
        """One attempt; whether the next round is to make another, whatever changes."""
        name = f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"
        attempt = {"pod": name, "node": "", "result": Result.SCHEDULED.value, "message": ""}
        self._attempts.append(attempt)
        try:
            attempt["node"] = self._cycle.place(pod)
        except CycleEnded as end:
            attempt.update(result=end.result.value, message=str(end))
            self._events.add(pod, "FailedScheduling", str(end))
            return end.again
        self._events.add(pod, "Scheduled", f"Successfully assigned {name} to {attempt['node']}")
        return False


def _pending(pod: Json) -> bool:
    spec = pod["spec"]
    if spec.get("nodeName") or spec.get("schedulingGates") or "deletionTimestamp" in pod["metadata"]:
        return False
    return spec.get("schedulerName") in (None, "default-scheduler") and not finished(pod)

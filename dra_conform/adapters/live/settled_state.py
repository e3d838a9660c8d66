"""The observation of a steady state: served objects, events, scheduling attempts and metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dra_conform.adapters.live.metric_deltas import MetricDeltas
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.scenario_setup import without_allocation_time
from dra_conform.adapters.live.scenario_watch import ScenarioWatch
from dra_conform.kube.objects import COLLECTIONS

Json = Any

_RESULTS = {"Scheduled": "Scheduled", "FailedScheduling": "Unschedulable"}


class SettledState:
    """Observations of steady states; each has the new and repeated events since the previous one.

    `setup_time` is the allocationTimestamp that the setup has got and the scenario does not know.
    """

    def __init__(
        self,
        scenario: ScenarioNamespace,
        watch: ScenarioWatch,
        setup_time: str,
        metrics: MetricDeltas | None = None,
    ) -> None:
        self._setup_time = setup_time
        self._scenario = scenario
        self._watch = watch
        self._metrics = metrics
        self._reported: set[tuple[str, str]] = set()

    def observe(self) -> dict[str, Json]:
        """Return the observation of the action `settle`.

        The field `attempts` is absent if no event reports a scheduling attempt.
        """
        objects = {name: self._scenario.all(kind) for kind, name in COLLECTIONS.items()}
        claims = COLLECTIONS["ResourceClaim"]
        objects[claims] = [without_allocation_time(claim, self._setup_time) for claim in objects[claims]]
        events = self._new_events()
        attempts = list(_attempts(events, objects[COLLECTIONS["Pod"]]))
        return {
            "outcome": "settled",
            "objects": {name: items for name, items in objects.items() if items},
            "events": [_event(event) for event in events],
            **({"attempts": attempts} if attempts else {}),
            **({"metrics": self._metrics.observe()} if self._metrics else {}),
        }

    def _new_events(self) -> list[Json]:
        versions = {
            (event["metadata"]["uid"], event["metadata"]["resourceVersion"]): event
            for event in self._watch.events()
        }
        new = {version: event for version, event in versions.items() if version not in self._reported}
        self._reported |= new.keys()
        in_order = sorted(new.values(), key=lambda event: int(event["metadata"]["resourceVersion"]))
        return [self._scenario.names.in_scenario(event) for event in in_order]


def _event(event: Json) -> dict[str, str]:
    regarding = event.get("regarding") or {}
    return {
        "kind": regarding.get("kind", ""),
        "name": regarding.get("name", ""),
        "namespace": regarding.get("namespace", ""),
        "reason": event.get("reason", ""),
        "message": event.get("note", ""),
    }


def _attempts(events: Iterable[Json], pods: Iterable[Json]) -> Iterator[dict[str, str]]:
    """Yield the attempts that events report; a pod condition tells errors from unschedulable pods."""
    by_uid = {pod["metadata"]["uid"]: pod for pod in pods}
    for event in events:
        regarding = event.get("regarding") or {}
        result = _RESULTS.get(event.get("reason", ""))
        if result and regarding.get("kind") == "Pod":
            pod = by_uid.get(regarding.get("uid"), {})
            yield {
                "pod": f"{regarding.get('namespace')}/{regarding.get('name')}",
                "node": pod.get("spec", {}).get("nodeName", "") if result == "Scheduled" else "",
                "result": "Error" if result == "Unschedulable" and _in_error(pod) else result,
                "message": event.get("note", ""),
            }


def _in_error(pod: Json) -> bool:
    conditions = pod.get("status", {}).get("conditions") or ()
    return any(condition.get("reason") == "SchedulerError" for condition in conditions)

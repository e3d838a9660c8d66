"""The served state of a cluster in a steady state, with what its events tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dra_conform.adapters.live.metric_deltas import MetricsGrowth
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.scenario_watch import ScenarioWatch
from dra_conform.kube.objects import COLLECTIONS

Json = Any

_RESULTS = {"Scheduled": "Scheduled", "FailedScheduling": "Unschedulable"}


class SettledState:
    """Remembers which events it has told. An event that came again counts anew. `metrics`, where known."""

    def __init__(
        self, room: ScenarioNamespace, watch: ScenarioWatch, metrics: MetricsGrowth | None = None
    ) -> None:
        self._room = room
        self._watch = watch
        self._metrics = metrics
        self._told: set[tuple[str, str]] = set()

    def observe(self) -> dict[str, Json]:
        """The observation `settled`.

        Nothing is said of attempts where events tell of none: a pod that is kept from the queue has no event.
        """
        objects = {name: self._room.all(kind) for kind, name in COLLECTIONS.items()}
        events = self._new_events()
        attempts = list(_attempts(events, objects[COLLECTIONS["Pod"]]))
        return {
            "outcome": "settled",
            "objects": {name: found for name, found in objects.items() if found},
            "events": [_event(one) for one in events],
            **({"attempts": attempts} if attempts else {}),
            **({"metrics": self._metrics.look()} if self._metrics else {}),
        }

    def _new_events(self) -> list[Json]:
        found = [
            one
            for one in self._watch.events()
            if (one["metadata"]["uid"], one["metadata"]["resourceVersion"]) not in self._told
        ]
        self._told |= {(one["metadata"]["uid"], one["metadata"]["resourceVersion"]) for one in found}
        in_order = sorted(found, key=lambda one: int(one["metadata"]["resourceVersion"]))
        return [self._room.names.said(one) for one in in_order]


def _event(event: Json) -> dict[str, str]:
    about = event.get("regarding") or {}
    return {
        "kind": about.get("kind", ""),
        "name": about.get("name", ""),
        "namespace": about.get("namespace", ""),
        "reason": event.get("reason", ""),
        "message": event.get("note", ""),
    }


def _attempts(events: Iterable[Json], pods: Iterable[Json]) -> Iterator[dict[str, str]]:
    """The scheduling attempts that events tell of. Only the pod says whether the newest was an error."""
    by_uid = {one["metadata"]["uid"]: one for one in pods}
    for event in events:
        about = event.get("regarding") or {}
        result = _RESULTS.get(event.get("reason", ""))
        if result and about.get("kind") == "Pod":
            pod = by_uid.get(about.get("uid"), {})
            yield {
                "pod": f"{about.get('namespace')}/{about.get('name')}",
                "node": pod.get("spec", {}).get("nodeName", "") if result == "Scheduled" else "",
                "result": "Error" if result == "Unschedulable" and _in_error(pod) else result,
                "message": event.get("note", ""),
            }


def _in_error(pod: Json) -> bool:
    conditions = pod.get("status", {}).get("conditions") or ()
    return any(one.get("reason") == "SchedulerError" for one in conditions)

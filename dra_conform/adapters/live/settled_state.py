"""The observation of a steady state: served objects, events, scheduling attempts, and differences of metrics
since an earlier point in time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.scenario_setup import without_allocation_time
from dra_conform.adapters.live.scenario_watch import ScenarioWatch
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS

_Series = tuple[str, tuple[tuple[str, str], ...]]
"""A time series: the name of a metric with its labels."""

_LINE = re.compile(r"([a-zA-Z_:]+)(?:\{(.*)\})? ([0-9.e+]+)")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_UNSCHEDULABLE = "scheduler_unschedulable_pods"
_PREFIXES = (
    "scheduler_resourceclaim_",
    _UNSCHEDULABLE,
    "resourceclaim_controller_",
    "dynamic_resource_allocation_",
    "scheduler_pending_pods",
    "scheduler_pod_scheduling_sli_duration_seconds_count",
    "workqueue_adds_total",
    "apiserver_request_total",
    "kube_pod_resource_",
)
"""Prefixes of the metrics that are observed."""
_STARTED = "process_start_time_seconds"
_CREATES = (
    "resourceclaim_controller_creates_total",
    "dynamic_resource_allocation_resourceclaim_creates_total",
)
"""Metrics that count the generated claim of a probe pod."""


class MetricDeltas:
    """The differences of metrics between two observations, by component.

    `read` returns the metrics of each component in Prometheus format, `probes` the number of probe pods so
    far. The generated claims of probe pods are subtracted, because they do not belong to the scenario, and
    the deleted probe pods themselves if the scheduler still counts them (`deleted_pods_counted`).
    """

    def __init__(
        self,
        read: Callable[[], Mapping[str, str] | None],
        probes: Callable[[], int],
        *,
        deleted_pods_counted: bool = False,
    ) -> None:
        self._read = read
        self._probes = probes
        self._deleted_pods_counted = deleted_pods_counted
        self._previous = self._read_series()
        self._previous_probes = probes()

    def observe(self) -> list[Json]:
        """Return the changes of all series since the previous observation, summed over components."""
        previous, self._previous = self._previous, self._read_series()
        previous_probes, self._previous_probes = self._previous_probes, self._probes()
        new_probes = self._previous_probes - previous_probes
        total: Counter[_Series] = Counter()
        for component, current in self._previous.items():
            for series, delta in _deltas(previous.get(component, {}), current).items():
                total[series] += delta
        return [
            {"name": name, "labels": dict(labels), "growth": rest}
            for (name, labels), delta in sorted(total.items())
            if (rest := delta - (new_probes if self._counts_probes(name, labels) else 0))
        ]

    def _counts_probes(self, name: str, labels: tuple[tuple[str, str], ...]) -> bool:
        if name == _UNSCHEDULABLE:
            return self._deleted_pods_counted and ("plugin", "DynamicResources") in labels
        return name in _CREATES and {("status", "success"), ("admin_access", "false")} <= set(labels)

    def _read_series(self) -> dict[str, Mapping[_Series, int]]:
        return {component: series_in(text) for component, text in (self._read() or {}).items()}


def series_in(text: str) -> Mapping[_Series, int]:
    """Return the observed series in the metrics of a component, and its start time."""
    series: dict[_Series, int] = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match and match[1].startswith((*_PREFIXES, _STARTED)):
            labels = tuple(sorted(_LABEL.findall(match[2] or "")))
            if not _may_be_of_probes(labels):
                series[match[1], labels] = int(float(match[3]))
    return series


def _deltas(previous: Mapping[_Series, int], current: Mapping[_Series, int]) -> dict[_Series, int]:
    """Return the changes of all series; only counters of a restarted component start at 0."""
    restarted = previous.get((_STARTED, ())) != current.get((_STARTED, ()))

    def base(series: _Series) -> int:
        return 0 if restarted and series[0].endswith(("_total", "_count")) else previous.get(series, 0)

    return {
        series: current.get(series, 0) - base(series)
        for series in {**previous, **current}
        if series[0] != _STARTED
    }


def _may_be_of_probes(labels: tuple[tuple[str, str], ...]) -> bool:
    """Whether a gauge may count ResourceClaims of probe pods: from a template and unallocated."""
    return {("source", "resource_claim_template"), ("allocated", "false")} <= set(labels)


_RESULTS = {"Scheduled": "Scheduled", "FailedScheduling": "Unschedulable"}


class SettledState:
    """Observations of steady states; each has the new and repeated events since the previous one.

    `setup_time` is the allocationTimestamp that the setup has got and the scenario does not know. `others`
    has the functions that observe something else, by the names of their lists.
    """

    def __init__(
        self,
        scenario: ScenarioNamespace,
        watch: ScenarioWatch,
        setup_time: str,
        others: Mapping[str, Callable[[], list[Json]]] = MappingProxyType({}),
    ) -> None:
        self._setup_time = setup_time
        self._scenario = scenario
        self._watch = watch
        self._others = others
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
            **{name: self._scenario.names.in_scenario(observe()) for name, observe in self._others.items()},
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

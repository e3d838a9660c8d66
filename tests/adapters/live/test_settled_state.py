"""The observation of a steady state: differences of component metrics."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live.settled_state import MetricDeltas
from dra_conform.kube.json_values import Json

CREATES = 'scheduler_resourceclaim_creates_total{status="success"}'
MADE = 'resourceclaim_controller_creates_total{admin_access="false",status="success"}'
THERE = 'resourceclaim_controller_resource_claims{admin_access="false",allocated="%s",source="%s"}'


class ScrapedComponents:
    """The metrics of two components; `started` is the start time of the scheduler."""

    def __init__(self) -> None:
        self.started, self.probes = 1.5e9, 0
        self.scheduler: dict[str, int] = {}
        self.controllers: dict[str, int] = {}

    def read(self) -> dict[str, str]:
        series = {"process_start_time_seconds": self.started, **self.scheduler}
        return {"scheduler": _text(series), "controller-manager": _text(self.controllers)}

    def deltas(self, *, deleted_pods_counted: bool = False) -> MetricDeltas:
        return MetricDeltas(self.read, lambda: self.probes, deleted_pods_counted=deleted_pods_counted)


def _text(series: Any) -> str:
    lines = ["# HELP some_total Words.", "go_goroutines 12"]
    return "\n".join([*lines, *(f"{name} {count}" for name, count in series.items())])


def observed(deltas: MetricDeltas) -> Json:
    return [(one["name"], one["labels"].get("status"), one["growth"]) for one in deltas.observe()]


def test_earlier_values_are_no_difference() -> None:
    cluster = ScrapedComponents()
    cluster.scheduler[CREATES] = 4
    deltas = cluster.deltas()
    assert observed(deltas) == []
    cluster.scheduler[CREATES] = 6
    assert observed(deltas) == [("scheduler_resourceclaim_creates_total", "success", 2)]
    assert observed(deltas) == []


def test_counters_of_a_restarted_component_start_at_zero() -> None:
    cluster = ScrapedComponents()
    cluster.scheduler[CREATES] = 4
    deltas = cluster.deltas()
    cluster.started, cluster.scheduler[CREATES] = 1.6e9, 5
    assert observed(deltas) == [("scheduler_resourceclaim_creates_total", "success", 5)]


def test_claims_of_probe_pods_are_not_counted() -> None:
    cluster = ScrapedComponents()
    deltas = cluster.deltas()
    cluster.controllers[MADE], cluster.probes = 3, 2
    cluster.controllers[THERE % ("false", "resource_claim_template")] = 2
    assert observed(deltas) == [("resourceclaim_controller_creates_total", "success", 1)]


@pytest.mark.parametrize(("deleted_pods_counted", "growth"), [(False, 3), (True, 1)])
def test_deleted_probe_pods_are_subtracted_where_the_scheduler_counts_them(
    deleted_pods_counted: bool, growth: int
) -> None:
    cluster = ScrapedComponents()
    deltas = cluster.deltas(deleted_pods_counted=deleted_pods_counted)
    for plugin in ("DynamicResources", "NodeAffinity"):
        cluster.scheduler[
            f'scheduler_unschedulable_pods{{plugin="{plugin}",profile="default-scheduler"}}'
        ] = 3
    cluster.probes = 2
    growths = {one["labels"]["plugin"]: one["growth"] for one in deltas.observe()}
    assert growths == {"DynamicResources": growth, "NodeAffinity": 3}


def test_a_gauge_may_decrease() -> None:
    cluster = ScrapedComponents()
    cluster.controllers[THERE % ("true", "extended_resource")] = 1
    deltas = cluster.deltas()
    cluster.controllers.clear()
    assert deltas.observe() == [
        {
            "name": "resourceclaim_controller_resource_claims",
            "labels": {"admin_access": "false", "allocated": "true", "source": "extended_resource"},
            "growth": -1,
        }
    ]


def test_a_gauge_of_a_restarted_component_does_not_start_at_zero() -> None:
    cluster = ScrapedComponents()
    name = "scheduler_unschedulable_pods"
    cluster.scheduler[name + '{plugin="DynamicResources"}'] = 2
    deltas = cluster.deltas()
    cluster.started, cluster.scheduler[name + '{plugin="DynamicResources"}'] = 1.6e9, 1
    assert observed(deltas) == [(name, None, -1)]

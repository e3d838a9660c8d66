"""What components count is told by how much it has grown."""

from __future__ import annotations

from typing import Any

from dra_conform.adapters.live.metric_deltas import MetricDeltas

Json = Any
CREATES = 'scheduler_resourceclaim_creates_total{status="success"}'
MADE = 'resourceclaim_controller_creates_total{admin_access="false",status="success"}'
THERE = 'resourceclaim_controller_resource_claims{admin_access="false",allocated="%s",source="%s"}'


class ObservedScenario:
    """Two components as they are scraped; `started` is when the scheduler was."""

    def __init__(self) -> None:
        self.started, self.probes = 1.5e9, 0
        self.scheduler: dict[str, int] = {}
        self.controllers: dict[str, int] = {}

    def read(self) -> dict[str, str]:
        said = {"process_start_time_seconds": self.started, **self.scheduler}
        return {"scheduler": _text(said), "controller-manager": _text(self.controllers)}

    def growth(self) -> MetricDeltas:
        return MetricDeltas(self.read, lambda: self.probes)


def _text(series: Any) -> str:
    lines = ["# HELP some_total Words.", "go_goroutines 12"]
    return "\n".join([*lines, *(f"{name} {count}" for name, count in series.items())])


def told(growth: MetricDeltas) -> Json:
    return [(one["name"], one["labels"].get("status"), one["growth"]) for one in growth.observe()]


def test_what_was_there_before_has_not_grown() -> None:
    cluster = ObservedScenario()
    cluster.scheduler[CREATES] = 4
    growth = cluster.growth()
    assert told(growth) == []
    cluster.scheduler[CREATES] = 6
    assert told(growth) == [("scheduler_resourceclaim_creates_total", "success", 2)]
    assert told(growth) == []


def test_a_component_that_was_restarted_counts_from_zero() -> None:
    cluster = ObservedScenario()
    cluster.scheduler[CREATES] = 4
    growth = cluster.growth()
    cluster.started, cluster.scheduler[CREATES] = 1.6e9, 5
    assert told(growth) == [("scheduler_resourceclaim_creates_total", "success", 5)]


def test_the_claims_of_canaries_are_none_of_the_story() -> None:
    cluster = ObservedScenario()
    growth = cluster.growth()
    cluster.controllers[MADE], cluster.probes = 3, 2
    cluster.controllers[THERE % ("false", "resource_claim_template")] = 2
    assert told(growth) == [("resourceclaim_controller_creates_total", "success", 1)]


def test_claims_that_are_gone_are_counted_less() -> None:
    cluster = ObservedScenario()
    cluster.controllers[THERE % ("true", "extended_resource")] = 1
    growth = cluster.growth()
    cluster.controllers.clear()
    assert growth.observe() == [
        {
            "name": "resourceclaim_controller_resource_claims",
            "labels": {"admin_access": "false", "allocated": "true", "source": "extended_resource"},
            "growth": -1,
        }
    ]

"""Clusters whose components have faulty metrics (KEP-5004 and KEP-5075 "Monitoring Requirements")."""

from __future__ import annotations

from dra_conform.kube.json_values import Json
from tests.faulty.implementations.components import ComponentCluster

_BY_SCHEDULER = "scheduler_resourceclaim_creates_total"
_BY_CONTROLLER = "resourceclaim_controller_creates_total"
_UNSCHEDULABLE = "scheduler_unschedulable_pods"


class _Counting(ComponentCluster):
    """Changes each reported metric."""

    def observed(self, observation: Json) -> Json:
        if "metrics" not in observation:
            return observation
        return {**observation, "metrics": [self.grown(metric) for metric in observation["metrics"]]}

    def grown(self, counter: Json) -> Json:
        return counter


class CountsEachCreateTwice(_Counting):
    def grown(self, counter: Json) -> Json:
        return {**counter, "growth": 2 * counter["growth"]} if counter["name"] == _BY_SCHEDULER else counter


class CountsEveryCreateAsSuccess(_Counting):
    def grown(self, counter: Json) -> Json:
        by_status = counter["name"] == _BY_SCHEDULER
        return {**counter, "labels": {**counter["labels"], "status": "success"}} if by_status else counter


class CountsForTheController(_Counting):
    """Counts claims that the scheduler creates as created by the claim controller."""

    def grown(self, counter: Json) -> Json:
        return {**counter, "name": _BY_CONTROLLER} if counter["name"] == _BY_SCHEDULER else counter


class TakesAllClaimsForThoseOfTemplates(_Counting):
    def grown(self, counter: Json) -> Json:
        has_source = counter["labels"].get("source")
        return (
            {**counter, "labels": {**counter["labels"], "source": "resource-claim-template"}}
            if has_source
            else counter
        )


class OmitsTheSourceLabel(_Counting):
    def grown(self, counter: Json) -> Json:
        return {
            **counter,
            "labels": {name: value for name, value in counter["labels"].items() if name != "source"},
        }


class KeepsCountingRunningPods(_Counting):
    def grown(self, counter: Json) -> Json:
        shrinks = counter["name"] == _UNSCHEDULABLE and counter["growth"] < 0
        return {**counter, "growth": 0} if shrinks else counter


class CountsPodsForNodeResourcesFit(_Counting):
    def grown(self, counter: Json) -> Json:
        if counter["name"] != _UNSCHEDULABLE:
            return counter
        return {**counter, "labels": {**counter["labels"], "plugin": "NodeResourcesFit"}}


WRONG: dict[type[ComponentCluster], str] = {
    CountsEachCreateTwice: "KEP-5004/metrics/creates-total",
    CountsEveryCreateAsSuccess: "KEP-5004/metrics/creates-total",
    CountsForTheController: "KEP-5004/metrics/creates-separate-from-controller",
    TakesAllClaimsForThoseOfTemplates: "KEP-5004/metrics/source-from-annotation",
    OmitsTheSourceLabel: "KEP-5004/metrics/resource-claims-source-label",
    KeepsCountingRunningPods: "KEP-5075/metrics/unschedulable-pods",
    CountsPodsForNodeResourcesFit: "KEP-5075/metrics/unschedulable-pods",
}
"""Each faulty cluster with a requirement that it violates."""

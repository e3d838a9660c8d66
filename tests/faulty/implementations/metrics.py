"""Clusters whose components count claims wrong (KEP-5004 "Monitoring Requirements")."""

from __future__ import annotations

from typing import Any

from tests.faulty.implementations.components import ComponentCluster

Json = Any
_BY_SCHEDULER = "scheduler_resourceclaim_creates_total"
_BY_CONTROLLER = "resourceclaim_controller_creates_total"


class _Counting(ComponentCluster):
    """What is told of metrics is changed one by one."""

    def observed(self, observation: Json) -> Json:
        if "metrics" not in observation:
            return observation
        return {**observation, "metrics": [self.grown(metric) for metric in observation["metrics"]]}

    def grown(self, one: Json) -> Json:
        return one


class CountsEachCreateTwice(_Counting):
    def grown(self, one: Json) -> Json:
        return {**one, "growth": 2 * one["growth"]} if one["name"] == _BY_SCHEDULER else one


class CountsEveryCreateAsSuccess(_Counting):
    def grown(self, one: Json) -> Json:
        by_status = one["name"] == _BY_SCHEDULER
        return {**one, "labels": {**one["labels"], "status": "success"}} if by_status else one


class CountsForTheController(_Counting):
    """What the scheduler creates counts with what the claim controller creates."""

    def grown(self, one: Json) -> Json:
        return {**one, "name": _BY_CONTROLLER} if one["name"] == _BY_SCHEDULER else one


class TakesAllClaimsForThoseOfTemplates(_Counting):
    def grown(self, one: Json) -> Json:
        has_source = one["labels"].get("source")
        return (
            {**one, "labels": {**one["labels"], "source": "resource-claim-template"}} if has_source else one
        )


class TellsNoSource(_Counting):
    def grown(self, one: Json) -> Json:
        return {**one, "labels": {name: said for name, said in one["labels"].items() if name != "source"}}


WRONG: dict[type[ComponentCluster], str] = {
    CountsEachCreateTwice: "KEP-5004/metrics/creates-total",
    CountsEveryCreateAsSuccess: "KEP-5004/metrics/creates-total",
    CountsForTheController: "KEP-5004/metrics/creates-separate-from-controller",
    TakesAllClaimsForThoseOfTemplates: "KEP-5004/metrics/source-from-annotation",
    TellsNoSource: "KEP-5004/metrics/resource-claims-source-label",
}
"""Each with a requirement in which it must be caught."""

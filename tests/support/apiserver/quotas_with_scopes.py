"""Specs of ResourceQuotas with every scope, alone and in pairs, and with every kind of resource."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from dra_conform.kube.json_values import Json

SCOPES = (
    *("Terminating", "NotTerminating", "BestEffort", "NotBestEffort"),
    *("PriorityClass", "CrossNamespacePodAffinity", "VolumeAttributesClass", "Odd"),
)
HARD = (
    *("pods", "cpu", "requests.memory", "limits.cpu", "ephemeral-storage", "requests.storage"),
    *("persistentvolumeclaims", "hugepages-2Mi", "services", "example.com/gpu", "requests.example.com/gpu"),
    *("gpu.deviceclass.resource.k8s.io/devices", "count/resourceclaims.resource.k8s.io"),
)
OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Odd")


def quota(spec: Json) -> Json:
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": spec}


def specs() -> Iterator[Json]:
    for scope in SCOPES:
        yield from ({"hard": {name: "1"}, "scopes": [scope]} for name in HARD)
        yield from ({"hard": {name: "1"}, "scopeSelector": selector(scope, "Exists")} for name in HARD)
        for operator in OPERATORS:
            for values in ([], ["a"]):
                yield {"hard": {"pods": "1"}, "scopeSelector": selector(scope, operator, values)}
    for pair in combinations(SCOPES, 2):
        yield {"hard": {"pods": "1", "cpu": "1"}, "scopes": [*pair]}
        both = [
            selector_of_scope["matchExpressions"][0]
            for selector_of_scope in (selector(scope, "Exists") for scope in pair)
        ]
        yield {"hard": {"pods": "1", "cpu": "1"}, "scopeSelector": {"matchExpressions": both}}
    yield {"hard": {"services": "1"}, "scopes": ["BestEffort", "BestEffort"]}


def selector(scope: str, operator: str, values: Json = ()) -> Json:
    named = {"scopeName": scope, "operator": operator}
    return {"matchExpressions": [named | ({"values": [*values]} if values else {})]}

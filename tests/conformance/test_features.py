"""The features that a case's objects use, and the gates that they need."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dra_conform.conformance.features import FEATURES, GATES, features_of, needed_gates
from dra_conform.kube.gates import GATES as KNOWN_GATES
from dra_conform.kube.json_values import Json
from tests.support.conformance.suite.writing import golden


def claim(asked: Json = None, **devices: Json) -> Json:
    requests = [{"name": "r0", "exactly": {"deviceClassName": "k", **(asked or {})}}]
    return {
        "resourceClaims": [
            {"metadata": {"name": "c"}, "spec": {"devices": {"requests": requests, **devices}}}
        ]
    }


def device(body: Json = None, **spec: Json) -> Json:
    return {
        "resourceSlices": [
            {"metadata": {"name": "s"}, "spec": {"devices": [{"name": "d", **(body or {})}], **spec}}
        ]
    }


def pod(limits: Json) -> Json:
    return {"pods": [{"spec": {"initContainers": [{"name": "i", "resources": {"limits": limits}}]}}]}


USES: dict[str, tuple[Json, set[str]]] = {
    "no feature": ({**claim(), **device()}, set()),
    "a shared device": (device({"allowMultipleAllocations": True}), {"consumable-capacity"}),
    "a capacity request": (claim({"capacity": {"requests": {"bw": "3"}}}), {"consumable-capacity"}),
    "an empty capacity request": (claim({"capacity": {}}), {"consumable-capacity"}),
    "capacity alone": (device({"capacity": {"bw": {"value": "10"}}}), set()),
    "a selector": (claim({"selectors": [{"cel": {"expression": "true"}}]}), {"cel-selectors"}),
    "a class with a selector": (
        {
            "deviceClasses": [
                {"metadata": {"name": "k"}, "spec": {"selectors": [{"cel": {"expression": "true"}}]}}
            ]
        },
        {"cel-selectors"},
    ),
    "a class": ({"deviceClasses": [{"metadata": {"name": "k"}}]}, set()),
    "match": (claim(constraints=[{"matchAttribute": "a/b"}]), {"match-attribute"}),
    "distinct": (claim(constraints=[{"distinctAttribute": "a/b"}]), {"distinct-attribute"}),
    "mode All": (claim({"allocationMode": "All"}), {"allocation-mode-all"}),
    "admin access": (claim({"adminAccess": True}), {"admin-access"}),
    "a toleration": (claim({"tolerations": [{"key": "k"}]}), {"device-taints"}),
    "a taint": (device({"taints": [{"key": "k", "effect": "NoSchedule"}]}), {"device-taints"}),
    "a taint rule": ({"deviceTaintRules": [{"metadata": {"name": "t"}}]}, {"device-taints"}),
    "counters": (device({"consumesCounters": [{"counterSet": "c"}]}), {"partitionable-devices"}),
    "counter sets": (device(sharedCounters=[{"name": "c"}]), {"partitionable-devices"}),
    "nodes of devices": (device(perDeviceNodeSelection=True), {"partitionable-devices"}),
    "compatibility groups": (
        device({"consumesCounters": [{"counterSet": "c", "compatibilityGroups": ["g"]}]}),
        {"partitionable-devices", "compatibility-groups"},
    ),
    "binding conditions": (device({"bindingConditions": ["ready"]}), {"binding-conditions"}),
    "a list attribute": (device({"attributes": {"a": {"strings": ["x"]}}}), {"list-attributes"}),
    "a DeviceClass that backs an extended resource": (
        {"deviceClasses": [{"metadata": {"name": "k"}, "spec": {"extendedResourceName": "example.com/gpu"}}]},
        {"extended-resources"},
    ),
    "a class by its implicit name": (
        pod({"deviceclass.resource.kubernetes.io/k": "1"}),
        {"extended-resources"},
    ),
    "another extended resource": (pod({"example.com/gpu": "1"}), set()),
    "the status of an extended-resource claim": (
        {"pods": [{"spec": {}, "status": {"extendedResourceClaimStatus": {}}}]},
        {"extended-resources"},
    ),
    "a plain attribute": (device({"attributes": {"a": {"string": "x"}}}), set()),
}


@pytest.mark.parametrize("name", USES)
def test_features(name: str) -> None:
    objects, expected = USES[name]
    assert features_of(objects) == expected
    assert expected <= set(FEATURES)


def test_features_of_subrequests() -> None:
    alternatives = [{"name": "s", "deviceClassName": "k", "allocationMode": "All"}]
    requests = [{"name": "r0", "firstAvailable": alternatives}]
    objects = {"resourceClaims": [{"metadata": {"name": "c"}, "spec": {"devices": {"requests": requests}}}]}
    assert features_of(objects) == {"prioritized-list", "allocation-mode-all"}


@pytest.mark.parametrize("feature", FEATURES)
def test_gates(feature: str) -> None:
    (case,) = golden()
    gates = needed_gates(replace(case, features=frozenset({feature})))
    assert gates <= set(KNOWN_GATES)
    assert (GATES.get(feature) in gates) == (feature in GATES)


def test_some_features_need_two_gates() -> None:
    (case,) = golden()
    assert needed_gates(replace(case, features=frozenset({"binding-conditions"}))) == {
        "DRADeviceBindingConditions",
        "DRAResourceClaimDeviceStatus",
    }
    assert needed_gates(replace(case, features=frozenset({"distinct-attribute"}))) == {
        "DRAConsumableCapacity"
    }

"""ResourceSlice: validation and immutable fields."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.apiserver import Admitted
from tests.support.apiserver.objects import (
    POOL,
    Errors,
    changed,
    counter_slice,
    create,
    errors,
    profile,
    slice_of,
    stored,
    update,
)

D = "spec.devices[0]"
TERM = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}
PARTITION = {"name": "d", "consumesCounters": [{"counterSet": "s", "counters": {"memory": {"value": "1Gi"}}}]}


def node(**spec: Any) -> dict[str, Any]:
    return changed(slice_of(), {"spec.nodeName": None}) | {"spec": {"driver": "a", "pool": POOL, **spec}}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (node(nodeName="n"), set()),
        (node(allNodes=True), set()),
        (node(nodeSelector={"nodeSelectorTerms": [TERM]}), set()),
        (node(perDeviceNodeSelection=True), set()),
        (node(), {("spec", "Required")}),
        (node(nodeName="n", allNodes=True), {("spec", "Invalid")}),
        (node(nodeName=""), {("spec.nodeName", "Invalid"), ("spec", "Required")}),
        (node(nodeName="Bad!"), {("spec.nodeName", "Invalid")}),
        (node(allNodes=False), {("spec.allNodes", "Invalid"), ("spec", "Required")}),
        (
            node(perDeviceNodeSelection=False),
            {("spec.perDeviceNodeSelection", "Invalid"), ("spec", "Required")},
        ),
        (
            node(nodeSelector={"nodeSelectorTerms": [TERM, TERM]}),
            {("spec.nodeSelector.nodeSelectorTerms", "Invalid")},
        ),
        (
            node(nodeSelector={}),
            {
                ("spec.nodeSelector.nodeSelectorTerms", "Required"),
                ("spec.nodeSelector.nodeSelectorTerms", "Invalid"),
            },
        ),
        (node(nodeName="n", devices=[{"name": "d", "allNodes": True}]), {(D, "Invalid")}),
        (node(perDeviceNodeSelection=True, devices=[{"name": "d"}]), {(D, "Required")}),
        (
            node(perDeviceNodeSelection=True, devices=[{"name": "d", "allNodes": True, "nodeName": "n"}]),
            {(D, "Invalid")},
        ),
        (
            node(perDeviceNodeSelection=True, devices=[{"name": "d", "nodeName": ""}]),
            {(f"{D}.nodeName", "Invalid"), (D, "Required")},
        ),
    ],
)
def test_node_access(raw: Any, expected: Errors) -> None:
    assert errors(create(raw)) == expected


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ({"key": "k", "operator": "Exists"}, set()),
        ({"key": "k", "operator": "Gt", "values": ["1"]}, set()),
        ({"key": "k", "operator": "Exists", "values": ["v"]}, {("values", "Forbidden")}),
        ({"key": "k", "operator": "In"}, {("values", "Required")}),
        ({"key": "k", "operator": "Lt", "values": ["1", "2"]}, {("values", "Required")}),
        ({"key": "k", "operator": "Like"}, {("operator", "Invalid")}),
        ({"key": "", "operator": "Exists"}, {("key", "Invalid")}),
        ({"key": "k", "operator": "In", "values": ["bad value"]}, {("values[0]", "Invalid")}),
    ],
)
def test_node_selector_requirements(requirement: Any, expected: Errors) -> None:
    raw = node(nodeSelector={"nodeSelectorTerms": [{"matchExpressions": [requirement]}]})
    path = "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0]"
    assert errors(create(raw)) == {(f"{path}.{field}", kind) for field, kind in expected}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"spec.driver": ""}, {("spec.driver", "Required")}),
        ({"spec.driver": "a" * 64}, {("spec.driver", "TooLong")}),
        ({"spec.driver": "under_score"}, {("spec.driver", "Invalid")}),
        ({"spec.pool.name": ""}, {("spec.pool.name", "Required")}),
        ({"spec.pool.name": "a//b"}, {("spec.pool.name", "Invalid")}),
        ({"spec.pool.name": "a/" * 126 + "ab"}, {("spec.pool.name", "TooLong")}),
        ({"spec.pool.generation": -1}, {("spec.pool.generation", "Invalid")}),
        ({"spec.pool.resourceSliceCount": 0}, {("spec.pool.resourceSliceCount", "Invalid")}),
    ],
)
def test_pool_and_driver(changes: Any, expected: Errors) -> None:
    assert errors(create(changed(slice_of(), changes))) == expected


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        ({}, {("name", "Invalid")}),
        ({"name": "Upper"}, {("name", "Invalid")}),
        ({"name": "d", "attributes": {"a": {}}}, {("attributes[a]", "Invalid")}),
        ({"name": "d", "attributes": {"a": {"int": 0, "bool": False}}}, {("attributes[a]", "Invalid")}),
        ({"name": "d", "attributes": {"a": {"int": 0}, "b": {"bool": False}}}, set()),
        ({"name": "d", "attributes": {"a": {"string": "x" * 65}}}, {("attributes[a].string", "TooLong")}),
        ({"name": "d", "attributes": {"a": {"version": "1.2"}}}, {("attributes[a].version", "Invalid")}),
        (
            {"name": "d", "attributes": {"a": {"strings": []}}},
            {("attributes[a]", "Invalid"), ("attributes[a].strings", "Invalid")},
        ),
        (
            {"name": "d", "attributes": {"a": {"versions": ["1.0.0", "x"]}}},
            {("attributes[a].versions[1]", "Invalid")},
        ),
        ({"name": "d", "attributes": {"bad-name": {"int": 1}}}, {("attributes", "Invalid")}),
        ({"name": "d", "attributes": {"x" * 33: {"int": 1}}}, {("attributes", "TooLong")}),
        ({"name": "d", "attributes": {"/a": {"int": 1}}}, {("attributes", "Invalid")}),
        ({"name": "d", "capacity": {"a.example.com/b": {"value": "-1"}}}, set()),
        ({"name": "d", "capacity": {"a b": {"value": "1"}}}, {("capacity", "Invalid")}),
        ({"name": "d", "taints": [{"key": "k", "effect": "None"}]}, set()),
        ({"name": "d", "taints": [{"effect": "NoSchedule"}]}, {("taints[0].key", "Invalid")}),
        ({"name": "d", "taints": [{"key": "k"}]}, {("taints[0].effect", "Required")}),
        (
            {"name": "d", "taints": [{"key": "k", "effect": "Sometimes", "value": "bad value"}]},
            {("taints[0].effect", "NotSupported"), ("taints[0].value", "Invalid")},
        ),
        ({"name": "d", "bindingConditions": ["a"], "bindingFailureConditions": ["b"]}, set()),
        ({"name": "d", "bindingConditions": ["a"]}, {("bindingFailureConditions", "Invalid")}),
        ({"name": "d", "bindingFailureConditions": ["a"]}, {("bindingConditions", "Invalid")}),
        (
            {"name": "d", "bindingConditions": ["a", "a"], "bindingFailureConditions": ["a"]},
            {("bindingConditions[1]", "Duplicate"), ("bindingFailureConditions[0]", "Invalid")},
        ),
        (
            {"name": "d", "bindingConditions": [""], "bindingFailureConditions": ["b"]},
            {("bindingConditions[0]", "Invalid")},
        ),
        (PARTITION, set()),
        (
            changed(PARTITION, {"consumesCounters.0.counterSet": ""}),
            {("consumesCounters[0].counterSet", "Required")},
        ),
        (
            changed(PARTITION, {"consumesCounters.0.counters": {}}),
            {("consumesCounters[0].counters", "Required")},
        ),
        (
            changed(PARTITION, {"consumesCounters.0.counters": {"a/b": {"value": "1"}}}),
            {("consumesCounters[0].counters", "Invalid")},
        ),
        (
            changed(PARTITION, {"consumesCounters": PARTITION["consumesCounters"] * 2}),
            {("consumesCounters[1]", "Duplicate")},
        ),
        (
            changed(PARTITION, {"consumesCounters.0.compatibilityGroups": ["a", "a"]}),
            {("consumesCounters[0].compatibilityGroups[1]", "Duplicate")},
        ),
        (
            changed(PARTITION, {"consumesCounters.0.compatibilityGroups": ["A", "x" * 64]}),
            {
                ("consumesCounters[0].compatibilityGroups[0]", "Invalid"),
                ("consumesCounters[0].compatibilityGroups[1]", "Invalid"),
            },
        ),
    ],
)
def test_devices(device: Any, expected: Errors) -> None:
    assert errors(create(slice_of(device))) == {(f"{D}.{field}", kind) for field, kind in expected}


def test_names_of_devices_and_counter_sets_are_unique() -> None:
    assert errors(create(slice_of({"name": "a"}, {"name": "b"}, {"name": "a"}))) == {
        ("spec.devices[2]", "Duplicate")
    }
    assert errors(create(counter_slice("a", "a"))) == {("spec.sharedCounters[1]", "Duplicate")}
    older = profile("kubernetes-1.34")
    assert errors(create(slice_of({"name": "a"}, {"name": "a"}), older)) == {
        ("spec.devices[1].name", "Duplicate")
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [("kubernetes-1.35", {("spec", "Invalid")}), ("kubernetes-1.34", set()), ("kep", set())],
)
def test_counters_together_with_devices(name: str, expected: Errors) -> None:
    raw = slice_of(PARTITION, sharedCounters=counter_slice("s")["spec"]["sharedCounters"])
    assert errors(create(raw, profile(name))) == expected


def test_until_1_34_devices_consume_counters_of_their_own_slice() -> None:
    where = profile("kubernetes-1.34")
    path = f"{D}.consumesCounters[0]"
    assert errors(create(slice_of(PARTITION), where)) == {(f"{path}.counterSet", "Invalid")}
    other = changed(PARTITION, {"consumesCounters.0.counters": {"cores": {"value": "1"}}})
    raw = slice_of(other, sharedCounters=counter_slice("s")["spec"]["sharedCounters"])
    assert errors(create(raw, where)) == {(f"{path}.counters", "Invalid")}


MAPPED = {"name": "d", "capacity": {"cores": {"value": "4"}}}


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({"cpu": {"mapping": {"capacityKey": "cores", "capacityMultiplier": "1"}}}, set()),
        ({"memory": {"mapping": {"deviceMultiplier": "1Gi"}, "overhead": {"perPod": "1Mi"}}}, set()),
        ({"hugepages-2Mi": {"overhead": {"perContainer": "0"}}}, set()),
        ({"cpu": {}}, {("[cpu]", "Required")}),
        ({"example.com/gpu": {"overhead": {"perPod": "1"}}}, {("[example.com/gpu]", "Invalid")}),
        ({"cpu": {"mapping": {}}}, {("[cpu].mapping", "Invalid")}),
        ({"cpu": {"mapping": {"capacityKey": "cores"}}}, {("[cpu].mapping.capacityMultiplier", "Required")}),
        (
            {"cpu": {"mapping": {"capacityMultiplier": "1"}}},
            {("[cpu].mapping", "Invalid"), ("[cpu].mapping.capacityKey", "Required")},
        ),
        (
            {"cpu": {"mapping": {"capacityKey": "none", "capacityMultiplier": "0"}}},
            {("[cpu].mapping.capacityKey", "NotFound"), ("[cpu].mapping.capacityMultiplier", "Invalid")},
        ),
        (
            {"cpu": {"mapping": {"deviceMultiplier": "-1"}, "overhead": {}}},
            {("[cpu].mapping.deviceMultiplier", "Invalid"), ("[cpu].overhead", "Invalid")},
        ),
        ({"cpu": {"overhead": {"perPod": "-1"}}}, {("[cpu].overhead.perPod", "Invalid")}),
    ],
)
def test_node_allocatable_resources(resources: Any, expected: Errors) -> None:
    raw = slice_of({**MAPPED, "nodeAllocatableResources": resources})
    assert errors(create(raw)) == {(f"{D}.nodeAllocatableResources{path}", kind) for path, kind in expected}


@pytest.mark.parametrize(
    ("mappings", "expected"),
    [
        ({"cpu": {"capacityKey": "cores"}}, set()),
        ({"foo": {"allocationMultiplier": "2"}}, set()),
        ({"example.com/gpu": {"allocationMultiplier": "2"}}, {("[example.com/gpu]", "Invalid")}),
        ({"cpu": {"allocationMultiplier": "0"}}, {("[cpu].allocationMultiplier", "Invalid")}),
        ({"cpu": {"capacityKey": "none"}}, {("[cpu].capacityKey", "NotFound")}),
        ({"cpu": {"capacityKey": ""}}, {("[cpu].capacityKey", "Invalid")}),
    ],
)
@pytest.mark.parametrize("name", ["kubernetes-1.36", "kep"])
def test_mappings_of_1_36(mappings: Any, expected: Errors, name: str) -> None:
    raw = slice_of({**MAPPED, "nodeAllocatableResourceMappings": mappings})
    path = f"{D}.nodeAllocatableResourceMappings"
    assert errors(create(raw, profile(name))) == {(f"{path}{place}", kind) for place, kind in expected}


@pytest.mark.parametrize("name", ["kubernetes-1.36", "kep"])
def test_a_missing_multiplier_becomes_one(name: str) -> None:
    raw = slice_of({**MAPPED, "nodeAllocatableResourceMappings": {"cpu": {}}})
    device = stored(create(raw, profile(name)))["spec"]["devices"][0]
    assert device["nodeAllocatableResourceMappings"] == {"cpu": {"allocationMultiplier": "1"}}


def test_taints_get_the_time() -> None:
    taints = [
        {"key": "a", "effect": "NoSchedule"},
        {"key": "b", "effect": "NoExecute", "timeAdded": "2020-01-01T00:00:00Z"},
    ]
    found = stored(create(slice_of({"name": "d", "taints": taints})))["spec"]["devices"][0]["taints"]
    assert [taint["timeAdded"] for taint in found] == ["2026-05-01T12:00:00Z", "2020-01-01T00:00:00Z"]


def test_an_upper_case_driver_causes_a_warning() -> None:
    answer = create(changed(slice_of(), {"spec.driver": "Dra.Example.Com"}))
    assert isinstance(answer, Admitted)
    assert answer.warnings == ("spec.driver: driver names should be lowercase",)


@pytest.mark.parametrize("path", ["driver", "pool.name", "nodeName"])
def test_immutable_fields(path: str) -> None:
    new = changed(slice_of(), {f"spec.{path}": "other"})
    assert errors(update(new, slice_of())) == {(f"spec.{path}", "Invalid")}


def test_unchanged_taints_are_not_validated_again() -> None:
    old = slice_of(
        {"name": "d", "taints": [{"key": "k", "effect": "Old", "timeAdded": "2020-01-01T00:00:00Z"}]}
    )
    assert errors(update(changed(old, {"spec.pool.generation": 2}), old)) == set()
    assert errors(update(changed(old, {"spec.devices.0.taints.0.value": "v"}), old)) == {
        (f"{D}.taints[0].effect", "NotSupported")
    }


@pytest.mark.parametrize(
    ("name", "attribute", "keys"),
    [
        ("kubernetes-1.34", "Required", "attributes[bad-name]"),
        ("kubernetes-1.35", "Invalid", "attributes[bad-name]"),
        ("kubernetes-1.36", "Invalid", "attributes"),
    ],
)
def test_how_releases_report_attributes(name: str, attribute: str, keys: str) -> None:
    where = profile(name)
    assert errors(create(slice_of({"name": "d", "attributes": {"a": {}}}), where)) == {
        (f"{D}.attributes[a]", attribute)
    }
    raw = slice_of({"name": "d", "attributes": {"bad-name": {"int": 1}}})
    assert errors(create(raw, where)) == {(f"{D}.{keys}", "Invalid")}

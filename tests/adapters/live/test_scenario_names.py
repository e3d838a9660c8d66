"""Conversion of the names of a scenario to the cluster and back."""

from __future__ import annotations

import pytest

from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation_fields import (
    patch_with_isolation,
    path_without_isolation,
    with_isolation,
    without_isolation,
)
from dra_conform.adapters.live.scenario_names import ScenarioNames
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.kube.json_values import Json

DRIVER = "dra.example.com"
SLICE = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "s"},
    "spec": {
        "driver": DRIVER,
        "nodeName": "node-1",
        "pool": {"name": "pool-1", "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "d", "attributes": {f"{DRIVER}/kind": {"string": "big"}}}],
    },
}
CLASS = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "gpu"},
    "spec": {"extendedResourceName": "example.com/gpu"},
}
NAMES = ScenarioNames("r", "1", [SLICE, CLASS, {"kind": "Node", "metadata": {"name": "node-2"}}])
OWN = "dra-conform-r-1."


def claim(expression: str) -> Json:
    request = {"deviceClassName": "gpu", "selectors": [{"cel": {"expression": expression}}]}
    devices = {
        "requests": [{"name": "gpu", "exactly": request}],
        "constraints": [{"matchAttribute": f"{DRIVER}/numa"}],
    }
    return {"kind": "ResourceClaim", "metadata": {"name": "gpu"}, "spec": {"devices": devices}}


def test_resources_and_classes_in_quotas_are_renamed() -> None:
    resource, implicit = "requests.example.com/gpu", "requests.deviceclass.resource.kubernetes.io/gpu"
    cluster_value = NAMES.on_cluster({"hard": {resource: "1", implicit: "1"}})
    assert cluster_value["hard"] == {
        f"requests.{OWN}example.com/gpu": "1",
        f"requests.deviceclass.resource.kubernetes.io/{OWN}gpu": "1",
    }
    assert NAMES.in_scenario(cluster_value)["hard"] == {resource: "1", implicit: "1"}


def test_a_resource_that_a_class_backs_after_a_change_is_renamed() -> None:
    """Otherwise scenarios that run at the same time would have classes for one resource."""
    change = {"do": "change", "of": CLASS, "fields": {"spec.extendedResourceName": "test.com/gpu"}}
    names = ScenarioNames("r", "1", [CLASS, change])
    changed = names.on_cluster({**CLASS, "spec": {"extendedResourceName": "test.com/gpu"}})
    pod = names.on_cluster({"kind": "Pod", "metadata": {}, "requests": {"test.com/gpu": "1"}})
    assert changed["spec"]["extendedResourceName"] == f"{OWN}test.com/gpu"
    assert pod["requests"] == {f"{OWN}test.com/gpu": "1"}


def test_only_changed_fields_have_paths() -> None:
    """A label is not the name of an object, and a key may be anything."""
    labels = {"team.namespace": "blue", "team.driver": "a.b", 1: "one"}
    names = ScenarioNames("r", "1", [{"kind": "Pod", "metadata": {"name": "p", "labels": labels}}])
    assert names.namespaces == ("default",)
    assert names.on_cluster(["a.b"]) == ["a.b"]


def test_implicit_extended_resources_in_a_status_are_renamed() -> None:
    resource = "deviceclass.resource.kubernetes.io/gpu"
    status = {"extendedResourceClaimStatus": {"requestMappings": [{"resourceName": resource}]}}
    names = ScenarioNames("run", "1", [status])
    cluster_value = names.on_cluster(status)
    [mapping] = cluster_value["extendedResourceClaimStatus"]["requestMappings"]
    assert mapping["resourceName"] == "deviceclass.resource.kubernetes.io/dra-conform-run-1.gpu"
    assert names.in_scenario(cluster_value) == status


def test_a_class_with_the_name_of_a_driver_gets_one_prefix() -> None:
    named = {"kind": "DeviceClass", "metadata": {"name": DRIVER}, "spec": {}}
    assert ScenarioNames("r", "1", [SLICE, named]).on_cluster(named)["metadata"] == {"name": f"{OWN}{DRIVER}"}


@pytest.mark.parametrize(
    "value",
    [
        {"spec": {"pool": {"name": "pool-1", "generation": 2, "resourceSliceCount": 1}}},
        {"results": [{"request": "r0", "driver": DRIVER, "pool": "pool-1", "device": "d"}]},
        {"deviceSelector": {"pool": "pool-1"}},
    ],
)
def test_pools_are_renamed_because_releases_look_devices_up_without_their_driver(value: Json) -> None:
    on_cluster = NAMES.on_cluster(value)
    assert f"{OWN}pool-1" in str(on_cluster)
    assert "'pool-1'" not in str(on_cluster)
    assert NAMES.in_scenario(on_cluster) == value


def test_other_fields_named_pool_are_not_renamed() -> None:
    for value in ({"labels": {"pool": "pool-1"}}, {"pool": {"name": ""}}, {"deviceSelector": {"pool": 1}}):
        assert NAMES.on_cluster(value) == value


def test_uids_are_replaced_wherever_they_are_mentioned() -> None:
    pod = {"kind": "Pod", "metadata": {"name": "p", "uid": "1-2"}}
    claim = {"kind": "ResourceClaim", "metadata": {"name": "c", "ownerReferences": [{"uid": "1-2"}]}}
    first, second = (ScenarioNames("r", number, [pod, claim]) for number in ("1", "2"))
    owned = first.on_cluster(claim)["metadata"]["ownerReferences"][0]["uid"]
    assert owned == first.on_cluster(pod)["metadata"]["uid"] != second.on_cluster(pod)["metadata"]["uid"]
    assert first.in_scenario(owned) == "1-2"


def test_cluster_scoped_names_are_replaced_wherever_they_are_mentioned() -> None:
    cluster_value = NAMES.on_cluster(SLICE)
    assert cluster_value["metadata"] == {"name": f"{OWN}s"}
    assert cluster_value["spec"]["driver"] == f"{OWN}{DRIVER}"
    assert cluster_value["spec"]["nodeName"] == f"{OWN}node-1"
    assert cluster_value["spec"]["pool"]["name"] == f"{OWN}pool-1"
    assert list(cluster_value["spec"]["devices"][0]["attributes"]) == [f"{OWN}{DRIVER}/kind"]


def test_a_claim_keeps_its_name_in_a_renamed_namespace() -> None:
    cluster_value = NAMES.on_cluster(claim("true"))
    assert cluster_value["metadata"] == {"namespace": "dra-conform-r-1-default", "name": "gpu"}
    devices = cluster_value["spec"]["devices"]
    assert devices["requests"][0]["name"] == "gpu"
    assert devices["requests"][0]["exactly"]["deviceClassName"] == f"{OWN}gpu"
    assert devices["constraints"] == [{"matchAttribute": f"{OWN}{DRIVER}/numa"}]


@pytest.mark.parametrize(
    ("scenario_value", "cluster_value"),
    [
        (f'device.driver == "{DRIVER}"', f'device.driver == "{OWN}{DRIVER}"'),
        (f'device.attributes["{DRIVER}"].kind == "big"', f'device.attributes["{OWN}{DRIVER}"].kind == "big"'),
        (f"device.capacity['{DRIVER}'].bw", f"device.capacity['{OWN}{DRIVER}'].bw"),
        ('device.driver == "gpu.dra.example.com"', 'device.driver == "gpu.dra.example.com"'),
        ('device.driver == "dra.example.com.au"', 'device.driver == "dra.example.com.au"'),
        ('"dra-example-com" in x', '"dra-example-com" in x'),
    ],
)
def test_drivers_inside_expressions(scenario_value: str, cluster_value: str) -> None:
    [request] = NAMES.on_cluster(claim(scenario_value))["spec"]["devices"]["requests"]
    assert request["exactly"]["selectors"][0]["cel"]["expression"] == cluster_value
    assert NAMES.in_scenario(cluster_value) == scenario_value


@pytest.mark.parametrize(
    ("scenario_value", "cluster_value"),
    [
        ({"kind": "Node", "name": "x"}, {"kind": "Node", "name": f"{OWN}x"}),
        (
            {"kind": "Pod", "name": "x", "namespace": "a"},
            {"kind": "Pod", "name": "x", "namespace": "dra-conform-r-1-a"},
        ),
        (
            {"kind": "ResourceClaim", "specialOf": "a/p"},
            {"kind": "ResourceClaim", "specialOf": "dra-conform-r-1-a/p"},
        ),
        ({"requests": {"example.com/gpu": "1"}}, {"requests": {f"{OWN}example.com/gpu": "1"}}),
        ({"deviceclass.resource.kubernetes.io/gpu": 1}, {f"deviceclass.resource.kubernetes.io/{OWN}gpu": 1}),
        (
            {"gpu.deviceclass.resource.k8s.io/devices": 1},
            {f"{OWN}gpu.deviceclass.resource.k8s.io/devices": 1},
        ),
        (
            {"key": "metadata.name", "values": ["node-2"]},
            {"key": "metadata.name", "values": [f"{OWN}node-2"]},
        ),
        ({"key": "zone", "values": ["a"]}, {"key": "zone", "values": ["a"]}),
        ({"name": "system:node:node-1"}, {"name": f"system:node:{OWN}node-1"}),
        ({"kubernetes.io/hostname": "node-2"}, {"kubernetes.io/hostname": f"{OWN}node-2"}),
        ({"spec": None, "count": 1}, {"spec": None, "count": 1}),
    ],
)
def test_mentions(scenario_value: Json, cluster_value: Json) -> None:
    assert NAMES.on_cluster(scenario_value) == cluster_value
    assert NAMES.in_scenario(cluster_value) == scenario_value


def test_messages_have_the_names_of_the_scenario() -> None:
    scenario_value = NAMES.in_scenario(
        f"pods in dra-conform-r-1-default: {OWN}{DRIVER} and dra-conform-r-12.x"
    )
    assert scenario_value == f"pods in default: {DRIVER} and dra-conform-r-12.x"


def test_a_class_with_32_selectors_cannot_run() -> None:
    device_class: Json = {**CLASS, "spec": {"selectors": [{"cel": {"expression": "true"}}] * 32}}
    scenario = ScenarioNamespace(None, None, NAMES)  # type: ignore[arg-type]
    with pytest.raises(CannotRun, match="has 32 selectors, expected fewer"):
        scenario.create(device_class)


def test_a_driver_too_long_for_the_prefix_cannot_run() -> None:
    with pytest.raises(CannotRun, match="becomes too long with the prefix"):
        ScenarioNames("r", "1", {"driver": f"{'d' * 50}.example.com"})


@pytest.mark.parametrize(
    "raw",
    [
        SLICE,
        CLASS,
        {
            "kind": "Node",
            "metadata": {"name": "n"},
            "spec": {"taints": [{"key": "k", "effect": "NoExecute"}]},
        },
        {
            "kind": "Pod",
            "metadata": {"name": "p", "labels": {"a": "b"}},
            "spec": {"nodeSelector": {"zone": "a"}},
        },
        {"kind": "Namespace", "metadata": {"name": "n"}},
    ],
)
def test_isolation_fields_are_removed(raw: Json) -> None:
    written = with_isolation(raw, NAMES)
    assert written["metadata"]["labels"]["dra-conform/run"] == "r"
    seen = without_isolation(written, NAMES)
    assert {name: value for name, value in seen.items() if value} == raw


ZONE = {"key": "zone", "operator": "In", "values": ["a"]}
IN_SCENARIO = {"key": "dra-conform/scenario", "operator": "In", "values": ["r-1"]}


def selector(*expressions: Json) -> Json:
    return {"nodeSelectorTerms": [{"matchExpressions": list(expressions)}]}


@pytest.mark.parametrize(
    ("scenario_value", "cluster_value"),
    [
        ({"allNodes": True}, {"nodeSelector": selector(IN_SCENARIO)}),
        ({"nodeSelector": selector(ZONE)}, {"nodeSelector": selector(ZONE, IN_SCENARIO)}),
        ({"nodeSelector": {"nodeSelectorTerms": [{}]}}, {"nodeSelector": {"nodeSelectorTerms": [{}]}}),
        ({"nodeName": "n"}, {"nodeName": "n"}),
        ({"allNodes": True, "nodeName": "n"}, {"allNodes": True, "nodeName": "n"}),
        ({"allNodes": False, "devices": 1}, {"allNodes": False, "devices": 1}),
        (
            {"devices": [{"name": "d", "allNodes": True}, 1]},
            {"devices": [{"name": "d", "nodeSelector": selector(IN_SCENARIO)}, 1]},
        ),
        (
            {"devices": [{"basic": {"allNodes": True}}]},
            {"devices": [{"basic": {"nodeSelector": selector(IN_SCENARIO)}}]},
        ),
    ],
)
def test_devices_are_limited_to_nodes_of_the_scenario(scenario_value: Json, cluster_value: Json) -> None:
    written = with_isolation({"kind": "ResourceSlice", "metadata": {}, "spec": scenario_value}, NAMES)
    assert written["spec"] == cluster_value
    assert without_isolation(written, NAMES)["spec"] == scenario_value
    assert patch_with_isolation("ResourceSlice", {"spec": scenario_value}, NAMES) == {"spec": cluster_value}


@pytest.mark.parametrize(
    ("cluster_value", "scenario_value"),
    [
        ({"nodeSelector": selector(IN_SCENARIO)}, {}),
        ({"nodeSelector": selector(ZONE, IN_SCENARIO, IN_SCENARIO)}, {"nodeSelector": selector(ZONE)}),
        ({"devices": {}}, {"devices": {}}),
    ],
)
def test_an_allocation_has_no_isolation_requirement(cluster_value: Json, scenario_value: Json) -> None:
    claim = {"kind": "ResourceClaim", "metadata": {}, "status": {"allocation": cluster_value}}
    assert without_isolation(claim, NAMES)["status"]["allocation"] == scenario_value


def test_the_isolation_selector_comes_first() -> None:
    selectors = with_isolation({**CLASS, "spec": {"selectors": [{"cel": {"expression": "true"}}]}}, NAMES)[
        "spec"
    ]["selectors"]
    assert selectors[0] == {"cel": {"expression": f'device.driver.startsWith("{OWN}")'}}
    assert (
        path_without_isolation("DeviceClass", "spec.selectors[1].cel.expression")
        == "spec.selectors[0].cel.expression"
    )
    assert path_without_isolation("ResourceClaim", "spec.selectors[1]") == "spec.selectors[1]"


def test_a_patch_keeps_isolation_fields() -> None:
    patch = patch_with_isolation(
        "DeviceClass", {"spec": {"selectors": None}, "metadata": {"finalizers": []}}, NAMES
    )
    assert len(patch["spec"]["selectors"]) == 1
    assert patch["metadata"] == {"finalizers": []}
    assert patch_with_isolation("Node", {"spec": {"podCIDR": None}}, NAMES) == {"spec": {"podCIDR": None}}


@pytest.mark.parametrize(
    "raw", [{"kind": "Pod", "metadata": {"labels": 1}, "spec": []}, {"kind": "Pod", "metadata": 3}]
)
def test_malformed_objects_are_unchanged(raw: Json) -> None:
    cluster_value = with_isolation(NAMES.on_cluster(raw), NAMES)
    assert {name: cluster_value[name] for name in raw if name != "metadata"} == {
        "kind": "Pod",
        **({"spec": []} if "spec" in raw else {}),
    }


@pytest.mark.parametrize(
    ("given", "written", "observed"),
    [
        ({}, "mine", "default-scheduler"),
        ({"schedulerName": "default-scheduler"}, "mine", "default-scheduler"),
        ({"schedulerName": "other"}, "other", "other"),
    ],
)
def test_pods_of_the_default_scheduler_go_to_the_scheduler_of_the_run(
    given: Json, written: str, observed: str
) -> None:
    names = ScenarioNames("r", "1", [], "mine")
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": given}
    stored = with_isolation(names.on_cluster(pod), names)
    assert stored["spec"]["schedulerName"] == written
    assert without_isolation(stored, names)["spec"]["schedulerName"] == observed

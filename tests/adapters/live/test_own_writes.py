"""Only objects of the run are written on a cluster, whatever a scenario contains."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from dra_conform.adapters.live import live_scenarios
from dra_conform.adapters.live.api import APPLY, MERGE
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.own_writes import OwnWrites
from dra_conform.adapters.live.resources import RESOURCES, Address
from dra_conform.adapters.live.write_guards import EveryWrite, NoWrites, Write
from dra_conform.kube.json_values import Json
from tests.support.adapters.live.hostile_scenarios import (
    RUN_ID,
    foreign_writes,
    hostile_scenario,
    recorded_run,
    run_scenario,
)
from tests.support.rows import mostly_slow

_OWN = {"dra-conform/run": RUN_ID}
_TAINTED = {"taints": [{"key": "dra-conform/scenario", "effect": "NoSchedule"}]}
_UP = "../../../../../../api/v1/namespaces/kube-system"


def address(
    kind: str, name: str = "", namespace: str = f"dra-conform-{RUN_ID}-1", subresource: str = ""
) -> Address:
    return RESOURCES[kind].address("v1", namespace, name, subresource)


def stored(name: str, labels: Json = None) -> Answer:
    return Answer(200, {"metadata": {"name": name, "uid": "u", "resourceVersion": "7", "labels": labels}})


_GPU_OF_OTHERS = Answer(200, {"items": [{"spec": {"extendedResourceName": "example.com/gpu"}}]})


def checked(write: Write, found: Answer | None = None, run: str = RUN_ID) -> Write | Answer:
    """Return the write as it is sent, to a cluster where each read returns `found`."""
    return OwnWrites(run).checked(write, lambda at: found or stored(at.name, _OWN))


def created(kind: str, spec: Json, **metadata: Json) -> Write:
    return Write(
        "POST", address(kind), {"kind": kind, "metadata": metadata, "spec": spec}, "application/json"
    )


def deleted(kind: str, name: str) -> Write:
    return Write("DELETE", address(kind, name), {}, "application/json")


@pytest.mark.parametrize(
    "numbers", [range(5), pytest.param(range(5, 200), marks=pytest.mark.slow)], ids=["first", "more"]
)
def test_hostile_scenarios_write_only_objects_of_the_run(numbers: range) -> None:
    scenarios = [hostile_scenario(random.Random(number)) for number in numbers]
    with recorded_run() as (cluster, scenarios_on_cluster):
        with ThreadPoolExecutor(48) as pool:
            answers = list(pool.map(partial(run_scenario, scenarios_on_cluster), scenarios))
        scenarios_on_cluster.close()
    assert "" in answers
    assert len(cluster.writes) > len(scenarios)
    assert foreign_writes(cluster) == []


@pytest.mark.slow
def test_hostile_scenarios_write_other_objects_without_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_scenarios, "OwnWrites", lambda run: EveryWrite())
    scenarios = [hostile_scenario(random.Random(number)) for number in range(30)]
    with recorded_run() as (cluster, scenarios_on_cluster):
        with ThreadPoolExecutor(30) as pool:
            list(pool.map(partial(run_scenario, scenarios_on_cluster), scenarios))
        scenarios_on_cluster.close()
    assert foreign_writes(cluster) != []


@pytest.mark.parametrize("do", mostly_slow(["delete", "patch", "apply", "update", "change"]))
def test_a_name_does_not_lead_to_another_object(do: str) -> None:
    of = {"kind": "ResourceClaim", "name": _UP}
    raw = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": _UP}, "spec": {}}
    action = {
        "do": do,
        "of": of,
        "object": raw,
        "patch": {"spec": {}},
        "fields": {"spec.x": 1},
        "manager": "m",
    }
    with recorded_run() as (cluster, scenarios_on_cluster):
        why = run_scenario(scenarios_on_cluster, ({}, {"actions": [action]}))
        scenarios_on_cluster.close()
    assert "may not be '.' or '..' or contain '/' or '%'" in why
    assert foreign_writes(cluster) == []


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        (("v1", "..", "c", ""), "the namespace '..'"),
        (("v1", "n", "a/b", ""), "the name 'a/b'"),
        (("v1", "n", "%2e%2e", ""), "the name '%2e%2e'"),
        (("v1/../..", "n", "c", ""), "'v1/../..' is not an API version"),
        (("v1", "n", "c", "proxy"), "subresource 'proxy'"),
    ],
)
def test_an_address_rejects_invalid_parts(parts: tuple[str, ...], problem: str) -> None:
    with pytest.raises(CannotRun, match=problem):
        RESOURCES["Pod"].address(*parts)


def test_parts_of_an_address_are_quoted() -> None:
    assert str(address("Pod", "a b?c#d", "n")) == "/api/v1/namespaces/n/pods/a%20b%3Fc%23d"


def test_a_connection_without_a_guard_is_read_only() -> None:
    with pytest.raises(CannotRun, match="read-only connection"):
        NoWrites().checked(deleted("Node", "n"), stored)


@pytest.mark.parametrize(
    ("write", "problem"),
    [
        (
            Write("DELETE", address("Pod", "p", "kube-system"), {}, MERGE),
            "the namespace of a Pod is 'kube-system'",
        ),
        (Write("DELETE", address("Pod", "p", ""), {}, MERGE), "the namespace of a Pod is ''"),
        (Write("DELETE", address("Pod"), {}, MERGE), "a deletion without the name of an object"),
        (Write("DELETE", address("Pod", "p"), {}, MERGE, {"name": "admin"}), "impersonates a user"),
        (deleted("Node", "worker"), "the name of a Node is 'worker'"),
        (
            deleted("DeviceClass", "dra-conform-running.c"),
            "the name of a DeviceClass is 'dra-conform-running.c'",
        ),
        (created("Node", _TAINTED, name=f"dra-conform-{RUN_ID}-1.n"), "a Node without the label"),
        (created("Node", _TAINTED, name="n", labels=_OWN), "the name of a Node is 'n'"),
        (created("Node", _TAINTED, labels=_OWN), "the name of a Node is None"),
        (created("Namespace", {}, generateName="n-"), "the name of a Namespace is 'n-'"),
        (created("Pod", {"nodeName": "worker"}, name="p"), "nodeName in a Pod is 'worker'"),
        (created("Pod", {"containers": []}, name="p"), "a Pod that could run on nodes outside the scenario"),
        (
            created(
                "ResourceClaim",
                {"devices": {"requests": [{"exactly": {"deviceClassName": "gpu"}}]}},
                name="c",
            ),
            "deviceClassName in a ResourceClaim is 'gpu'",
        ),
        (
            created(
                "ResourceQuota",
                {},
                name="q",
                ownerReferences=[{"apiVersion": "v1", "kind": "Node", "name": "w"}],
            ),
            "the owner of a ResourceQuota is 'w'",
        ),
        (
            created(
                "ResourceQuota",
                {},
                name="q",
                ownerReferences=[{"apiVersion": "apps/v1", "kind": "Deployment"}],
            ),
            "whose owner has a kind that scenarios do not support",
        ),
    ],
)
def test_rejected_writes(write: Write, problem: str) -> None:
    with pytest.raises(CannotRun, match=problem):
        checked(write)


@pytest.mark.parametrize(
    ("kind", "spec", "problem"),
    [
        (
            "DeviceClass",
            {"selectors": [{"cel": {"expression": "true"}}]},
            "selects devices outside the scenario",
        ),
        ("DeviceClass", {"extendedResourceName": "nvidia.com/gpu"}, "extendedResourceName in a DeviceClass"),
        ("DeviceTaintRule", {"deviceSelector": {}}, "without a driver"),
        ("DeviceTaintRule", {"deviceSelector": {"driver": "gpu.nvidia.com"}}, "driver in a DeviceTaintRule"),
        (
            "ResourceSlice",
            {"driver": f"dra-conform-{RUN_ID}-1.d", "allNodes": True},
            "available on nodes outside the scenario",
        ),
        (
            "ResourceSlice",
            {"driver": f"dra-conform-{RUN_ID}-1.d", "nodeSelector": {}},
            "matches nodes outside the scenario",
        ),
        (
            "DeviceClass",
            {
                "selectors": [
                    {"cel": {"expression": f'device.driver.startsWith("dra-conform-{RUN_ID}-1.") || true'}}
                ]
            },
            "selects devices outside the scenario",
        ),
        ("Node", {}, "a Node on which pods outside the scenario could run"),
        ("Node", {"taints": "x"}, "a Node on which pods outside the scenario could run"),
        ("Namespace", {"finalizers": ["x.com/hold"]}, "a Namespace with a finalizer"),
        ("Node", {"providerID": "aws:///i-1"}, "which components use to find its machine"),
    ],
)
def test_objects_that_could_affect_others_are_rejected(kind: str, spec: Json, problem: str) -> None:
    with pytest.raises(CannotRun, match=problem):
        checked(created(kind, spec, name=f"dra-conform-{RUN_ID}-1.x", labels=_OWN))


@pytest.mark.parametrize("labels", [None, {}, {"dra-conform/run": "other"}])
def test_an_object_without_the_label_of_the_run_is_not_written(labels: Json) -> None:
    write = deleted("DeviceClass", f"dra-conform-{RUN_ID}-1.c")
    with pytest.raises(CannotRun, match="was not created by this run"):
        checked(write, stored("c", labels))
    pod = Write("DELETE", address("Pod", "p"), {}, "application/json")
    with pytest.raises(CannotRun, match="was not created by this run"):
        checked(pod, stored("n", labels))


def test_a_deletion_has_the_uid_and_version_that_were_read() -> None:
    write = checked(deleted("DeviceClass", f"dra-conform-{RUN_ID}-1.c"))
    assert isinstance(write, Write)
    assert write.body == {"preconditions": {"uid": "u", "resourceVersion": "7"}}


def test_a_missing_object_is_no_error() -> None:
    not_found = Answer(404, {"kind": "Status", "reason": "NotFound"})
    assert checked(deleted("DeviceClass", f"dra-conform-{RUN_ID}-1.c"), not_found) is not_found


def test_a_patch_has_the_uid_that_was_read() -> None:
    for content_type in (MERGE, APPLY):
        labels = {**_OWN, "a": "b"}
        body = {"metadata": {"labels": labels}, "spec": _TAINTED}
        out = checked(Write("PATCH", address("Node", f"dra-conform-{RUN_ID}-1.n"), body, content_type))
        assert isinstance(out, Write)
        assert out.body == {"metadata": {"uid": "u", "labels": labels}, "spec": _TAINTED}


@pytest.mark.parametrize("labels", [None, {"dra-conform/run": None}, {"dra-conform/run": "other"}])
def test_the_label_of_the_run_cannot_be_removed(labels: Json) -> None:
    write = Write(
        "PATCH", address("Node", f"dra-conform-{RUN_ID}-1.n"), {"metadata": {"labels": labels}}, MERGE
    )
    with pytest.raises(CannotRun, match="removes the label"):
        checked(write)


def test_cleanup_of_all_runs_removes_only_objects_of_runs() -> None:
    of_other_run = stored("x", {"dra-conform/run": "another"})
    assert isinstance(checked(deleted("Node", "dra-conform-another-1.n"), of_other_run, run=""), Write)
    with pytest.raises(CannotRun, match="the name of a Node"):
        checked(deleted("Node", "dra-conformity"), of_other_run, run="")


@pytest.mark.parametrize("how", ["POST", "apply"])
def test_a_pod_stays_on_nodes_of_the_run(how: str) -> None:
    raw = {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": []}}
    write = Write("POST", address("Pod"), raw, "application/json")
    applied = Write("PATCH", address("Pod", "p"), raw, APPLY)
    with pytest.raises(CannotRun, match="a Pod that could run on nodes outside the scenario"):
        checked(write if how == "POST" else applied)


@pytest.mark.parametrize(
    ("resource", "problem"),
    [
        ("example.com/gpu", "a Pod that requests example.com/gpu, a resource of another user's DeviceClass"),
        ("deviceclass.resource.kubernetes.io/gpu", "deviceclass.resource.kubernetes.io/ in a Pod is 'gpu'"),
    ],
)
def test_a_pod_requests_no_devices_of_others(resource: str, problem: str) -> None:
    container = {"name": "c", "resources": {"requests": {"cpu": "1", resource: "1"}}}
    spec = {"nodeSelector": {"dra-conform/scenario": "1"}, "containers": [container]}
    write = created("Pod", spec, name="p")
    with pytest.raises(CannotRun, match=problem):
        OwnWrites(RUN_ID).checked(write, lambda at: stored("n", _OWN) if at.name else _GPU_OF_OTHERS)
    own = resource.replace("example.com", "other.com").replace("/gpu", f"/dra-conform-{RUN_ID}-1.gpu")
    container["resources"] = {"requests": {own: "1"}}
    assert (
        OwnWrites(RUN_ID).checked(write, lambda at: stored("n", _OWN) if at.name else _GPU_OF_OTHERS) is write
    )


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (Answer(403, {"reason": "Forbidden", "message": "no"}), "cannot list DeviceClasses: Forbidden: no"),
        (Answer(200, {"metadata": {"continue": "x"}, "items": []}), "DeviceClasses: the list is incomplete"),
    ],
)
def test_a_pod_with_an_extended_resource_needs_all_device_classes(answer: Answer, problem: str) -> None:
    container = {"name": "c", "resources": {"requests": {"example.com/gpu": "1"}}}
    spec = {"nodeSelector": {"dra-conform/scenario": "1"}, "containers": [container]}
    write = created("Pod", spec, name="p")
    with pytest.raises(CannotRun, match=problem):
        OwnWrites(RUN_ID).checked(write, lambda at: stored("n", _OWN) if at.name else answer)
    release_1_33 = Answer(404, {"reason": "NotFound"})
    guard = OwnWrites(RUN_ID)
    assert guard.checked(write, lambda at: stored("n", _OWN) if at.name else release_1_33) is write


def test_a_scenario_without_generated_claims_cannot_run() -> None:
    """The probe pod would wait for its claim until the limit."""
    off = {"controller-manager": {"gates": {"DynamicResourceAllocation": False}}}
    with recorded_run() as (_, scenarios_on_cluster):
        why = run_scenario(scenarios_on_cluster, ({}, {"actions": [{"do": "settle"}], "components": off}))
        scenarios_on_cluster.close()
    assert why == "without DynamicResourceAllocation in the controller manager, no probe pod gets its claim"

"""The emulated nodes of a scenario: default resources for pods, and the kubelet, which runs pods of existing nodes."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.emulated_nodes import (
    EmulatedKubelet,
    redeclare_features,
    with_default_resources,
)
from dra_conform.adapters.live.isolation_fields import without_isolation
from dra_conform.adapters.live.resources import Address
from dra_conform.adapters.live.scenario_names import ScenarioNames
from dra_conform.cluster_state.declared_features import declared_by
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile


def test_resources_that_are_not_set_have_defaults() -> None:
    node = {"kind": "Node", "status": {"allocatable": {"example.com/gpu": "0", "cpu": "4"}}}
    allocatable = with_default_resources(node)["status"]["allocatable"]
    assert allocatable == {
        "example.com/gpu": "0",
        "cpu": "4",
        "memory": "256Gi",
        "pods": "110",
        "ephemeral-storage": "1Ti",
    }


def test_other_objects_are_unchanged() -> None:
    for written in ({"kind": "Node", "spec": {}}, {"kind": "Pod", "status": {"allocatable": {"cpu": "1"}}}):
        assert with_default_resources(written) == written


class _Nodes:
    """A scenario namespace with nodes, by their declared features."""

    def __init__(self, **declared: list[str]) -> None:
        self.declared = declared

    def all(self, _: str) -> list[Json]:
        return [
            {"metadata": {"name": name}, "status": {"declaredFeatures": features}}
            for name, features in self.declared.items()
        ]

    def patch(self, _: str, name: str, __: str, body: Json, ___: str) -> None:
        self.declared[name] = body["status"]["declaredFeatures"]


def test_nodes_declare_the_features_of_the_current_kubelet() -> None:
    before = Profile.named("kubernetes-1.37")
    now = before.with_gates({"DRANodeAllocatableResources": True})
    scenario: Json = _Nodes(emulated=declared_by(before), other=["Other"])
    redeclare_features(scenario, before, now)
    assert scenario.declared == {"emulated": declared_by(now), "other": ["Other"]}
    assert "DRANodeAllocatableResources" in declared_by(now)
    assert "DRANodeAllocatableResources" not in declared_by(before)


@pytest.mark.parametrize(("release", "declares"), [("1.35", False), ("1.36", False), ("1.37", True)])
def test_kubelets_declare_features_since_1_37(release: str, declares: bool) -> None:
    on = Profile.named(f"kubernetes-{release}").with_gates({"DRANodeAllocatableResources": True})
    assert ("DRANodeAllocatableResources" in declared_by(on)) is declares


class Written:
    """An API server that accepts every patch."""

    def __init__(self, *nodes: str) -> None:
        self.nodes = nodes
        self.patches: list[tuple[str, Json]] = []

    def get(self, address: Address) -> Answer:
        name = address.name
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}
        return Answer(200, node) if name in self.nodes else Answer(404, {})

    def patch(self, address: Address, body: Json) -> Answer:
        self.patches.append((str(address), body))
        return Answer(200, {})


def running(cpu: str) -> Json:
    container = {"name": "main", "image": "none", "resources": {"requests": {"cpu": cpu}, "claims": []}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "default", "uid": "p"},
        "spec": {"nodeName": "n", "containers": [container, {"name": "idle", "image": "none"}]},
        "status": {"phase": "Running"},
    }


def test_container_resources_are_reported_when_they_change() -> None:
    api: Any = Written()
    kubelet = EmulatedKubelet(api, lambda: Profile.named("kubernetes-1.36"))
    assert kubelet.work([running("3")], [])
    assert not kubelet.work([running("3")], [])
    assert kubelet.work([running("1")], [])
    reported = [body["status"]["containerStatuses"] for _, body in api.patches]
    assert [[(one["name"], one["resources"]) for one in each] for each in reported] == [
        [("main", {"requests": {"cpu": "3"}})],
        [("main", {"requests": {"cpu": "1"}})],
    ]


def test_a_pod_runs_only_if_its_node_exists() -> None:
    waiting = {**running("3"), "status": {"phase": "Pending"}}
    api: Any = Written()
    kubelet = EmulatedKubelet(api, lambda: Profile.named("kubernetes-1.36"))
    assert not kubelet.work([waiting], [])
    api.nodes = ("n",)
    assert kubelet.work([waiting], [])
    assert [body["status"]["phase"] for _, body in api.patches] == ["Running"]


def test_container_statuses_are_not_observed() -> None:
    served = running("3")
    served["status"]["containerStatuses"] = [{"name": "main"}]
    names = ScenarioNames("run", "1", [])
    assert without_isolation(served, names)["status"] == {"phase": "Running"}

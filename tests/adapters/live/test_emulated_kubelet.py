"""The emulated kubelet runs pods of existing nodes and reports the resources of running containers once."""

from __future__ import annotations

from typing import Any

from dra_conform.adapters.live.api import Answer
from dra_conform.adapters.live.emulated_kubelet import EmulatedKubelet
from dra_conform.adapters.live.isolation_fields import without_isolation
from dra_conform.adapters.live.resources import Address
from dra_conform.adapters.live.scenario_names import ScenarioNames
from dra_conform.kube.profile import Profile

Json = Any


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

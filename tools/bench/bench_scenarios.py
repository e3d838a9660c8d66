"""Benchmark of the simulated cluster: a scenario of six actions that turns a gate off and on again."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from row import Row

from dra_conform.kube.profile import Profile
from dra_conform.simulation.simulated_cluster import run_scenario

ROUNDS = 50
_GATE = "DRAConsumableCapacity"
_COMPONENTS = ["apiserver", "scheduler"]


def bench() -> list[Row]:
    """Return the milliseconds of one run of the scenario, each run in a new cluster."""
    objects, ask, profile = _objects(), {"actions": _actions()}, Profile.named("kep")
    run_scenario(objects, ask, profile)
    begin = perf_counter()
    for _ in range(ROUNDS):
        assert len(run_scenario(objects, ask, profile)["observations"]) == 6
    figure = (perf_counter() - begin) / ROUNDS * 1000
    return [Row("a scenario of 6 actions, gate on, off and on", figure, "ms", 20, at_most=True)]


def _actions() -> list[dict[str, Any]]:
    gates: list[dict[str, Any]] = [
        {"do": "set-gates", "components": _COMPONENTS, "gates": {_GATE: on}} for on in (False, True)
    ]
    settle = {"do": "settle"}
    return [settle, gates[0], {"do": "create", "object": _pod("p2")}, settle, gates[1], settle]


def _objects() -> dict[str, list[Any]]:
    api = "resource.k8s.io/v1"
    device = {"name": "d", "allowMultipleAllocations": True, "capacity": {"bw": {"value": "10G"}}}
    pool = {"name": "pool", "generation": 1, "resourceSliceCount": 1}
    published = {"driver": "dra.example.com", "nodeName": "n", "pool": pool, "devices": [device]}
    exactly = {"deviceClassName": "any", "capacity": {"requests": {"bw": "2G"}}}
    claim = {"spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}}

    def named(kind: str, name: str, spec: Any, version: str = api) -> dict[str, Any]:
        return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}

    return {
        "nodes": [named("Node", "n", {}, "v1")],
        "deviceClasses": [named("DeviceClass", "any", {})],
        "resourceSlices": [named("ResourceSlice", "s", published)],
        "resourceClaimTemplates": [named("ResourceClaimTemplate", "t", claim)],
        "pods": [_pod("p0"), _pod("p1")],
    }


def _pod(name: str) -> dict[str, Any]:
    entry = {"name": "nic", "resourceClaimTemplateName": "t"}
    spec = {"containers": [{"name": "c", "image": "i"}], "resourceClaims": [entry]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}

"""The simulated cluster: pods with claims from a template, where every second device is taken already."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from row import Row

from dra_conform.controlplane.parts import Parts
from dra_conform.controlplane.simulation import SimulatedCluster
from dra_conform.kube.profile import Profile

Json = Any

NODES, DEVICES, PODS = 500, 10, 2_500
FEW = 250
_API = "resource.k8s.io/v1"
_DRIVER = "dra.example.com"


def bench() -> list[Row]:
    """All pods are there at the beginning, and all of them run in the end.

    What a cluster without pods takes, which is to read what it is given, is left out.
    """
    name = f"{PODS:,} pods, {NODES} nodes x {DEVICES} devices, half full, settled"
    flat = f"the same for {FEW} pods on 5,000 nodes, time as on 100"
    return [
        Row(name, PODS / _of_pods(NODES, PODS), "pods/s", 1_000),
        Row(flat, _of_pods(5_000, FEW) / _of_pods(100, FEW), "times", 1.5, at_most=True),
    ]


def _of_pods(nodes: int, pods: int) -> float:
    return settle(nodes, pods) - settle(nodes, 0)


def settle(nodes: int, pods: int) -> float:
    """The seconds that a cluster of so many nodes takes to run so many pods."""
    objects = {
        "nodes": [_node(index) for index in range(nodes)],
        "deviceClasses": [_object("DeviceClass", "any", {})],
        "resourceSlices": [_slice(index) for index in range(nodes)],
        "resourceClaimTemplates": [_object("ResourceClaimTemplate", "t", {"spec": _one_device()})],
        "resourceClaims": [_held(index, place) for index in range(nodes) for place in range(0, DEVICES, 2)],
        "pods": [_pod(number) for number in range(pods)],
    }
    cluster = SimulatedCluster(Parts(), Profile.named("kubernetes-1.36"))
    started = perf_counter()
    [settled] = cluster.tell(objects, {"actions": [{"do": "settle"}]})
    seconds = perf_counter() - started
    running = [one for one in settled["objects"].get("pods", ()) if one["status"]["phase"] == "Running"]
    assert len(running) == pods, f"{len(running)} of {pods} pods run"
    return seconds


def _object(kind: str, name: str, spec: Json, version: str = _API) -> Json:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}


def _node(index: int) -> Json:
    return {**_object("Node", f"node-{index}", {}, "v1"), "status": {"allocatable": {"cpu": "64"}}}


def _slice(index: int) -> Json:
    name = f"node-{index}"
    pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
    devices = [{"name": f"device-{place}"} for place in range(DEVICES)]
    return _object(
        "ResourceSlice", name, {"driver": _DRIVER, "nodeName": name, "pool": pool, "devices": devices}
    )


def _one_device() -> Json:
    return {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "any"}}]}}


def _held(index: int, place: int) -> Json:
    result = {"request": "gpu", "driver": _DRIVER, "pool": f"node-{index}", "device": f"device-{place}"}
    claim = _object("ResourceClaim", f"held-{index}-{place}", _one_device())
    return {**claim, "status": {"allocation": {"devices": {"results": [result]}}}}


def _pod(number: int) -> Json:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    entries = [{"name": "gpu", "resourceClaimTemplateName": "t"}]
    return _object("Pod", f"pod-{number}", {"containers": [container], "resourceClaims": entries}, "v1")

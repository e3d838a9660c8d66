"""The simulated cluster: pods with one device each, where every second device is taken already."""

from __future__ import annotations

from enum import StrEnum
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
_RESOURCE = "example.com/gpu"


class Asking(StrEnum):
    """How pods ask for their device."""

    TEMPLATE = "with claims from a template"
    EXTENDED = "with an extended resource"
    MAPPED = "with a device that takes of its node"


def bench() -> list[Row]:
    """All pods are there at the beginning, and all of them run in the end.

    What a cluster without pods takes, which is to read what it is given, is left out.
    """
    rows = []
    for how in Asking:
        name = f"{PODS:,} pods {how}, {NODES} nodes x {DEVICES} devices, half full"
        rows.append(Row(name, PODS / _of_pods(NODES, PODS, how), "pods/s", 1_000))
    for how in Asking:
        longer = _of_pods(5_000, FEW, how) / _of_pods(100, FEW, how)
        rows.append(Row(f"{FEW} pods {how}, 5,000 nodes as 100", longer, "times", 1.5, at_most=True))
    return rows


def _of_pods(nodes: int, pods: int, how: Asking) -> float:
    return settle(nodes, pods, how) - settle(nodes, 0, how)


def settle(nodes: int, pods: int, how: Asking = Asking.TEMPLATE) -> float:
    """The seconds that a cluster of so many nodes takes to run so many pods."""
    spec = {"extendedResourceName": _RESOURCE} if how is Asking.EXTENDED else {}
    objects = {
        "nodes": [_node(index) for index in range(nodes)],
        "deviceClasses": [_object("DeviceClass", "any", spec)],
        "resourceSlices": [_slice(index, how) for index in range(nodes)],
        "resourceClaimTemplates": [_object("ResourceClaimTemplate", "t", {"spec": _one_device()})],
        "resourceClaims": [_held(index, place) for index in range(nodes) for place in range(0, DEVICES, 2)],
        "pods": [_pod(number, how) for number in range(pods)],
    }
    profile = Profile.named("kubernetes-1.36")
    gates = {
        "DRAExtendedResource": how is Asking.EXTENDED,
        "DRANodeAllocatableResources": how is Asking.MAPPED,
    }
    cluster = SimulatedCluster(Parts(), profile.with_gates(gates))
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


def _slice(index: int, how: Asking) -> Json:
    name = f"node-{index}"
    pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
    takes = {"nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "2"}}}
    mapped = takes if how is Asking.MAPPED else {}
    devices = [{"name": f"device-{place}", **mapped} for place in range(DEVICES)]
    return _object(
        "ResourceSlice", name, {"driver": _DRIVER, "nodeName": name, "pool": pool, "devices": devices}
    )


def _one_device() -> Json:
    return {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "any"}}]}}


def _held(index: int, place: int) -> Json:
    result = {"request": "gpu", "driver": _DRIVER, "pool": f"node-{index}", "device": f"device-{place}"}
    claim = _object("ResourceClaim", f"held-{index}-{place}", _one_device())
    return {**claim, "status": {"allocation": {"devices": {"results": [result]}}}}


def _pod(number: int, how: Asking) -> Json:
    requests = {"cpu": "1", **({_RESOURCE: "1"} if how is Asking.EXTENDED else {})}
    resources: Json = {"requests": requests, "limits": requests}
    spec: Json = {"containers": [{"name": "c", "image": "i", "resources": resources}]}
    if how is not Asking.EXTENDED:
        spec["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "t"}]
        resources["claims"] = [{"name": "gpu"}]
    return _object("Pod", f"pod-{number}", spec, "v1")

"""The simulated cluster: pods with one device each, where every second device is taken already."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from time import process_time
from typing import Any

from row import Row

from dra_conform.controlplane.parts import Parts
from dra_conform.controlplane.simulation.components import Components
from dra_conform.controlplane.simulation.running import Running
from dra_conform.kube.garbage import without_collection
from dra_conform.kube.profile import Profile

Json = Any

NODES, DEVICES, PODS = 500, 10, 2_500
FEW = 500
FLAT = 130
"""How many percent of its time among the fewest nodes a pod may take among the most."""
_API = "resource.k8s.io/v1"
_DRIVER = "dra.example.com"
_RESOURCE = "example.com/gpu"


class Asking(StrEnum):
    """How pods ask for their device."""

    TEMPLATE = "with claims from a template"
    EXTENDED = "with an extended resource"
    MAPPED = "with a device that takes of its node"


def bench() -> Iterator[Row]:
    """Seconds of processor time from the moment that the pods are there until all of them run.

    The cluster has read all else before, for a pod that got the one device more that is free. FEW pods are
    enough to see what one costs on clusters of two sizes.
    """
    for how in Asking:
        name = f"{PODS:,} pods {how}, {NODES} nodes x {DEVICES} devices, half full"
        yield Row(name, PODS / seconds(NODES, PODS, how), "pods/s", 1_000)
    for how in Asking:
        longer = seconds(5_000, FEW, how) / seconds(100, FEW, how)
        yield Row(f"{FEW} pods {how}, 5,000 nodes as 100", 100 * longer, "%", FLAT, at_most=True)


def seconds(nodes: int, pods: int, how: Asking = Asking.TEMPLATE) -> float:
    """What a cluster of so many nodes takes to run so many pods."""
    spec = {"extendedResourceName": _RESOURCE} if how is Asking.EXTENDED else {}
    taken = [(index, place) for index in range(nodes) for place in range(0, DEVICES, 2)]
    given = [
        *(_node(index) for index in range(nodes)),
        _object("DeviceClass", "any", spec),
        *(_slice(index, how) for index in range(nodes)),
        _object("ResourceClaimTemplate", "t", {"spec": _one_device()}),
        *(_held(index, place) for index, place in taken[1:]),
    ]
    gates = {
        "DRAExtendedResource": how is Asking.EXTENDED,
        "DRANodeAllocatableResources": how is Asking.MAPPED,
    }
    profile = Profile.named("kubernetes-1.36").with_gates(gates)
    with without_collection():
        cluster = Running(Parts(), Components({}, profile), seed=0)
        _load(cluster, [*given, _pod(pods, how)])
        started = process_time()
        _load(cluster, [_pod(number, how) for number in range(pods)])
        took = process_time() - started
    running = [pod for pod in cluster.server.all("Pod") if pod["status"]["phase"] == "Running"]
    assert len(running) == pods + 1, f"{len(running)} of {pods + 1} pods run"
    return took


def _load(cluster: Running, objects: list[Json]) -> None:
    for raw in objects:
        cluster.server.load(raw)
    cluster.settle()


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

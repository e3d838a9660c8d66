"""Benchmark of the simulated cluster: pods with one device each, where every second device is allocated."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from time import process_time

from row import Row

from dra_conform.cluster_state.components import Components
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import Parts
from dra_conform.simulation.running import RunningCluster

NODES, DEVICES, PODS = 500, 10, 2_500
FEW = 500
FLAT = 130
"""Upper bound of the time per pod in the large cluster, in percent of that in the small cluster."""
_API = "resource.k8s.io/v1"
_DRIVER = "dra.example.com"
_RESOURCE = "example.com/gpu"


class RequestStyle(StrEnum):
    """How pods request their device."""

    TEMPLATE = "with claims from a template"
    EXTENDED = "with an extended resource"
    MAPPED = "with a device that maps to CPU of its node"


def bench() -> Iterator[Row]:
    """Measure CPU seconds from the creation of the pods until all of them run.

    A first pod runs before, so that the cluster has read all objects. FEW pods are enough to compare the
    time per pod on clusters of two sizes.
    """
    for how in RequestStyle:
        name = f"{PODS:,} pods {how}, {NODES} nodes x {DEVICES} devices, half full"
        yield Row(name, PODS / seconds(NODES, PODS, how), "pods/s", 1_000)
    for how in RequestStyle:
        longer = seconds(5_000, FEW, how) / seconds(100, FEW, how)
        yield Row(f"{FEW} pods {how}, 5,000 nodes compared to 100", 100 * longer, "%", FLAT, at_most=True)


def seconds(nodes: int, pods: int, how: RequestStyle = RequestStyle.TEMPLATE) -> float:
    """Return the CPU seconds in which a cluster runs the pods."""
    spec = {"extendedResourceName": _RESOURCE} if how is RequestStyle.EXTENDED else {}
    taken = [(index, place) for index in range(nodes) for place in range(0, DEVICES, 2)]
    objects = [
        *(_node(index) for index in range(nodes)),
        _object("DeviceClass", "any", spec),
        *(_slice(index, how) for index in range(nodes)),
        _object("ResourceClaimTemplate", "t", {"spec": _one_device()}),
        *(_held(index, place) for index, place in taken[1:]),
    ]
    gates = {
        "DRAExtendedResource": how is RequestStyle.EXTENDED,
        "DRANodeAllocatableResources": how is RequestStyle.MAPPED,
    }
    profile = Profile.named("kubernetes-1.36").with_gates(gates)
    with without_garbage_collection():
        cluster = RunningCluster(Parts(), Components({}, profile), seed=0)
        _load(cluster, [*objects, _pod(pods, how)])
        started = process_time()
        _load(cluster, [_pod(number, how) for number in range(pods)])
        took = process_time() - started
    running = [pod for pod in cluster.server.all("Pod") if pod["status"]["phase"] == "Running"]
    assert len(running) == pods + 1, f"{len(running)} of {pods + 1} pods run"
    return took


def _load(cluster: RunningCluster, objects: list[Json]) -> None:
    for raw in objects:
        cluster.server.load(raw)
    cluster.settle()


def _object(kind: str, name: str, spec: Json, version: str = _API) -> Json:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}


def _node(index: int) -> Json:
    return {**_object("Node", f"node-{index}", {}, "v1"), "status": {"allocatable": {"cpu": "64"}}}


def _slice(index: int, how: RequestStyle) -> Json:
    name = f"node-{index}"
    pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
    takes = {"nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "2"}}}
    mapped = takes if how is RequestStyle.MAPPED else {}
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


def _pod(number: int, how: RequestStyle) -> Json:
    requests = {"cpu": "1", **({_RESOURCE: "1"} if how is RequestStyle.EXTENDED else {})}
    resources: Json = {"requests": requests, "limits": requests}
    spec: Json = {"containers": [{"name": "c", "image": "i", "resources": resources}]}
    if how is not RequestStyle.EXTENDED:
        spec["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "t"}]
        resources["claims"] = [{"name": "gpu"}]
    return _object("Pod", f"pod-{number}", spec, "v1")

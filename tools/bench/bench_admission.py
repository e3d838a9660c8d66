"""Benchmark of the simulated API server, in process: writes per second."""

from __future__ import annotations

import time
from collections.abc import Iterator

from row import Row

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import admit

WRITES = 5_000
KEP = Profile.named("kep")
NAMESPACES = {"namespaces": [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}]}


def resource_slice(devices: int) -> Json:
    """Return a ResourceSlice whose devices have three attributes and a capacity with a request policy."""
    policy = {"default": "1Gi", "validRange": {"min": "1Gi", "max": "40Gi", "step": "1Gi"}}
    device = {
        "attributes": {"model": {"string": "a"}, "numa": {"int": 1}, "driverVersion": {"version": "1.2.3"}},
        "capacity": {"memory": {"value": "40Gi", "requestPolicy": policy}},
        "allowMultipleAllocations": True,
    }
    spec = {
        "driver": "dra.example.com",
        "nodeName": "node-1",
        "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": f"device-{number}", **device} for number in range(devices)],
    }
    return _object("ResourceSlice", spec)


def claim() -> Json:
    """Return a ResourceClaim whose request has a selector, a toleration and a capacity request."""
    exactly = {
        "deviceClassName": "gpu.example.com",
        "selectors": [{"cel": {"expression": 'device.driver == "dra.example.com"'}}],
        "tolerations": [{"key": "example.com/unhealthy", "operator": "Exists"}],
        "capacity": {"requests": {"memory": "10Gi"}},
    }
    return _object("ResourceClaim", {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}})


def allocated() -> Json:
    """Return the ResourceClaim with an allocated device."""
    result = {"request": "gpu", "driver": "dra.example.com", "pool": "node-1", "device": "device-0"}
    return {**claim(), "status": {"allocation": {"devices": {"results": [result]}}}}


def bench() -> list[Row]:
    return list(_rows())


def _rows() -> Iterator[Row]:
    create = {"verb": "create"}
    status = {"verb": "update", "subresource": "status", "old": claim()}
    for name, ask, target in (
        ("create a ResourceSlice with 1 device", {**create, "object": resource_slice(1)}, 5_000),
        ("create a ResourceSlice with 128 devices", {**create, "object": resource_slice(128)}, 0),
        ("create a ResourceClaim", {**create, "object": claim()}, 5_000),
        ("allocate a ResourceClaim", {**status, "object": allocated()}, 5_000),
    ):
        yield Row(f"admission: {name}", _rate(ask), "writes/s", target)


def _rate(ask: Json) -> float:
    assert admit(NAMESPACES, ask, KEP)["outcome"] == "admitted"
    writes = WRITES if len(str(ask)) < 2_000 else WRITES // 50
    started = time.perf_counter()
    for _ in range(writes):
        admit(NAMESPACES, ask, KEP)
    return writes / (time.perf_counter() - started)


def _object(kind: str, spec: Json) -> Json:
    api_version = "resource.k8s.io/v1"
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}, "spec": spec}

"""The questions of `adapter check`: a ResourceClaim for one device, with and without a device."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.operation import Probe

Json = Any

_RESOURCE = "resource.k8s.io/v1"


def _probe(title: str, devices: int) -> Probe:
    node: Json = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}
    device_class = {"apiVersion": _RESOURCE, "kind": "DeviceClass", "metadata": {"name": "any"}}
    resource_slice = {
        "apiVersion": _RESOURCE,
        "kind": "ResourceSlice",
        "metadata": {"name": "pool-1-slice"},
        "spec": {
            "driver": "dra.example.com",
            "nodeName": "node-1",
            "pool": {"name": "pool-1", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": f"device-{n}"} for n in range(devices)],
        },
    }
    exactly = {"deviceClassName": "any", "allocationMode": "ExactCount", "count": 1}
    claim = {
        "apiVersion": _RESOURCE,
        "kind": "ResourceClaim",
        "metadata": {"name": "c", "namespace": "default"},
        "spec": {"devices": {"requests": [{"name": "r0", "exactly": exactly}]}},
    }
    objects = {
        "nodes": (node,),
        "deviceClasses": (device_class,),
        "resourceSlices": (resource_slice,),
        "resourceClaims": (claim,),
    }
    return Probe(title, objects, {"node": "node-1", "claims": ["default/c"]})


PROBES = (
    _probe("a ResourceClaim that can be allocated", 1),
    _probe("a ResourceClaim that cannot be allocated", 0),
)

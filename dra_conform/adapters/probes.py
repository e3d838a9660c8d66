"""The tiny worlds that `adapter check` asks about. They test the talk, not the answer."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.implementation import Request
from dra_conform.kube.profile import Profile

Json = Any

RESOURCE = "resource.k8s.io/v1"
DRIVER = "dra.example.com"


def case_id(number: int) -> str:
    """The case id of a probe."""
    return f"check/{number}"


def request(number: int, *, devices: int, odd_fields: bool = False) -> Request:
    """One claim for one device, in a world with that many; `odd_fields` adds what no version knows."""
    node: Json = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}
    device_class = {"apiVersion": RESOURCE, "kind": "DeviceClass", "metadata": {"name": "any"}}
    resource_slice = {
        "apiVersion": RESOURCE,
        "kind": "ResourceSlice",
        "metadata": {"name": "pool-1-slice"},
        "spec": {
            "driver": DRIVER,
            "nodeName": "node-1",
            "pool": {"name": "pool-1", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": f"device-{n}"} for n in range(devices)],
        },
    }
    exactly = {"deviceClassName": "any", "allocationMode": "ExactCount", "count": 1}
    claim = {
        "apiVersion": RESOURCE,
        "kind": "ResourceClaim",
        "metadata": {"name": "c", "namespace": "default"},
        "spec": {"devices": {"requests": [{"name": "r0", "exactly": exactly}]}},
    }
    objects: dict[str, tuple[Json, ...]] = {
        "nodes": (node,),
        "deviceClasses": (device_class,),
        "resourceSlices": (resource_slice,),
        "resourceClaims": (claim,),
    }
    ask: dict[str, Json] = {"node": "node-1", "claims": ["default/c"]}
    if odd_fields:
        objects["futureObjects"] = ()
        ask["futureHint"] = {"some": ["thing"]}
    return Request(number, case_id(number), "allocate", Profile.named("kep"), objects, ask)

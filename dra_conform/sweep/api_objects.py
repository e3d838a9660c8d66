"""The API objects of requests and of golden cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.conformance.steps.given import CLASS, DRIVER, NODE, RESOURCE, share_id
from dra_conform.kube.json_values import Json

ROW = "row"
"""The name of the attribute by which a subrequest selects its device."""

NODE_OBJECT: Json = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}}
CLASS_OBJECT: Json = {
    "apiVersion": RESOURCE,
    "kind": "DeviceClass",
    "metadata": {"name": CLASS},
    "spec": {},
}


def resource_slice(pool: str, devices: Sequence[Json]) -> dict[str, Json]:
    """Return the only ResourceSlice of a pool, on the node of golden cases."""
    return {
        "apiVersion": RESOURCE,
        "kind": "ResourceSlice",
        "metadata": {"name": pool},
        "spec": {
            "driver": DRIVER,
            "pool": {"name": pool, "generation": 1, "resourceSliceCount": 1},
            "nodeName": NODE,
            "devices": list(devices),
        },
    }


def claim_object(name: str, requests: Sequence[Json]) -> dict[str, Json]:
    """Return a ResourceClaim."""
    return {
        "apiVersion": RESOURCE,
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"devices": {"requests": list(requests)}},
    }


def allocated_claim(name: str, pool: str, device: str, consumed: Mapping[str, str]) -> Json:
    """Return a ResourceClaim with a shared allocation of a device."""
    exactly = {"deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1}
    claim = claim_object(name, [{"name": "r0", "exactly": exactly}])
    result = {
        "request": "r0",
        "driver": DRIVER,
        "pool": pool,
        "device": device,
        "shareID": share_id(f"{name}-0"),
        "consumedCapacity": dict(consumed),
    }
    return {**claim, "status": {"allocation": {"devices": {"results": [result]}}}}


def subrequest(name: str, device: int) -> dict[str, Json]:
    """Return a subrequest for the device whose attribute `row` is `device`."""
    return {
        "name": name,
        "deviceClassName": CLASS,
        "allocationMode": "ExactCount",
        "count": 1,
        "selectors": selectors(device),
    }


def selectors(row: int) -> list[Json]:
    """Return the selectors for the device whose attribute `row` has this value."""
    return [{"cel": {"expression": f'device.attributes["{DRIVER}"].{ROW} == {row}'}}]

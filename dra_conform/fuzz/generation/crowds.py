"""Random scenarios with many devices, requests, claims or shared allocations."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.steps.given import CLASS, DRIVER, NAMESPACE, POOL, cel_selectors, share_id
from dra_conform.fuzz.generation.chance import Choose
from dra_conform.fuzz.scenario import api_object

Json = Any


def crowd(choose: Choose, features: frozenset[str], node: str) -> tuple[list[Json], tuple[str, ...]]:
    """Generate a DeviceClass, slices of the node and claims; return them and the keys to allocate."""
    shared = "consumable-capacity" in features and choose((True, True, False))
    selected = "cel-selectors" in features
    devices = [
        _device(number, shared=shared, numbered=selected) for number in range(choose((5, 8, 65, 129, 140)))
    ]
    slices = _slices(devices, choose((128, 64, 60)), node)
    allocated = [_allocated_claim(number, shared=shared) for number in range(choose((0, 5, 9, 16)))]
    claims, requests = choose(((1, 4), (1, 6), (1, 8), (4, 1), (6, 1), (3, 2)))
    last = len(devices) - 1
    selectors = choose(
        ([], [], [f'device.attributes["{DRIVER}"].number >= {last - 3}', "true"], ["true", "true", "true"])
    )
    requesting = []
    for number in range(claims):
        asked: dict[str, Json] = {"deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1}
        if selectors and selected:
            asked["selectors"] = cel_selectors(selectors)
        if shared:
            asked["capacity"] = {"requests": {"bw": choose(("1", "2", "3", "9"))}}
        wanted = [{"name": f"r{number}", "exactly": asked} for number in range(requests)]
        requesting.append(
            api_object("ResourceClaim", f"c{number}", {"devices": {"requests": wanted}}, namespace=NAMESPACE)
        )
    keys = tuple(f"{NAMESPACE}/{claim['metadata']['name']}" for claim in requesting)
    return [api_object("DeviceClass", CLASS, {}), *slices, *allocated, *requesting], keys


def _device(number: int, *, shared: bool, numbered: bool) -> Json:
    body: dict[str, Json] = {"name": f"d{number}"}
    if numbered:
        body["attributes"] = {"number": {"int": number}}
    if shared:
        body |= {"allowMultipleAllocations": True, "capacity": {"bw": {"value": "10"}}}
    return body


def _slices(devices: list[Json], size: int, node: str) -> list[Json]:
    parts = [devices[start : start + size] for start in range(0, len(devices), size)]
    pool = {"name": POOL, "generation": 1, "resourceSliceCount": len(parts)}
    return [
        api_object(
            "ResourceSlice",
            f"{POOL}-{number}",
            {"driver": DRIVER, "pool": pool, "nodeName": node, "devices": part},
        )
        for number, part in enumerate(parts)
    ]


def _allocated_claim(number: int, *, shared: bool) -> Json:
    """Make a claim with a shared allocation of one of the first two devices, or with its own device."""
    device = f"d{number % 2 if shared else number}"
    result: dict[str, Json] = {"request": "r0", "driver": DRIVER, "pool": POOL, "device": device}
    if shared:
        result |= {"shareID": share_id(f"h{number}"), "consumedCapacity": {"bw": "1"}}
    asked = {"deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1}
    spec = {"devices": {"requests": [{"name": "r0", "exactly": asked}]}}
    claim = api_object("ResourceClaim", f"h{number}", spec, namespace=NAMESPACE)
    claim["status"] = {"allocation": {"devices": {"results": [result]}}}
    return claim

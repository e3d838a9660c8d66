"""Scenarios with many devices, requests, claims or shared allocations, also near the limit of 32 devices.

There are always enough devices: a search that fails by one device can take 2^32 steps.
"""

from __future__ import annotations

from dra_conform.conformance.steps.given import CLASS, DRIVER, NAMESPACE, POOL, cel_selectors, share_id
from dra_conform.fuzz.generation.chance import Choose
from dra_conform.fuzz.scenario import api_object
from dra_conform.kube.json_values import Json


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


SubrequestCounts = tuple[int, ...]
"""The counts of the subrequests of a request, 0 for all devices. A single count means no subrequests."""

_EXACTLY: tuple[tuple[SubrequestCounts, ...], ...] = (
    *(((32,),), ((33,),), ((31,), (1,)), ((31,), (2,)), ((16,), (16,))),
)
_FIRST_AVAILABLE: tuple[tuple[SubrequestCounts, ...], ...] = (
    ((33, 1),),
    ((33, 32),),
    ((33, 34),),
    ((32, 16), (32, 16)),
    ((31, 1), (2,)),
    ((32, 30), (1,), (1,)),
    ((16, 1), (17, 16)),
)
_ALL: tuple[tuple[SubrequestCounts, ...], ...] = (((0,),), ((0,), (1,)))
_FIRST_AVAILABLE_ALL: tuple[tuple[SubrequestCounts, ...], ...] = (
    *(((0, 1),), ((0, 32),), ((1,), (0, 31)), ((33, 0),)),
)


def near_device_limit(choose: Choose, features: frozenset[str], node: str) -> tuple[list[Json], str]:
    """Generate a DeviceClass, a slice on the node and a claim; return them and the key of the claim."""
    claims = list(_EXACTLY)
    if "prioritized-list" in features:
        claims += _FIRST_AVAILABLE
    if "allocation-mode-all" in features:
        claims += _ALL
    if {"prioritized-list", "allocation-mode-all"} <= features:
        claims += _FIRST_AVAILABLE_ALL
    counts = choose(claims)
    shared = "consumable-capacity" in features and choose((0, 1))
    multiple = {"allowMultipleAllocations": True} if shared else {}
    devices = [
        {"name": f"d{number}", **multiple}
        for number in range(choose((33, 34, 32 if counts in _ALL + _FIRST_AVAILABLE_ALL else 40)))
    ]
    spec = {
        "driver": DRIVER,
        "pool": {"name": POOL, "generation": 1, "resourceSliceCount": 1},
        "nodeName": node,
        "devices": devices,
    }
    requests = [_request(f"r{number}", count) for number, count in enumerate(counts)]
    claim = api_object("ResourceClaim", "c0", {"devices": {"requests": requests}}, namespace=NAMESPACE)
    published = api_object("ResourceSlice", f"{POOL}-slice", spec)
    return [api_object("DeviceClass", CLASS, {}), published, claim], f"{NAMESPACE}/c0"


def _request(name: str, counts: SubrequestCounts) -> Json:
    requested = [
        {
            "deviceClassName": CLASS,
            **({"allocationMode": "ExactCount", "count": count} if count else {"allocationMode": "All"}),
        }
        for count in counts
    ]
    if len(requested) == 1:
        return {"name": name, "exactly": requested[0]}
    return {
        "name": name,
        "firstAvailable": [{"name": f"s{at}", **subrequest} for at, subrequest in enumerate(requested)],
    }

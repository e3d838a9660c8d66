"""Scenarios near the limit of 32 devices for each claim.

There are always enough devices: a search that fails by one device can take 2^32 steps.
"""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.steps.given import CLASS, DRIVER, NAMESPACE, POOL
from dra_conform.fuzz.generation.chance import Choose
from dra_conform.fuzz.scenario import api_object

Json = Any
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

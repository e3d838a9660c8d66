"""Around the limit of 32 devices for a claim: many equal devices, and requests that come near it.

There are enough devices for every count: to find that one is missing takes 2^32 steps.
"""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.building import CLASS, DRIVER, NAMESPACE, POOL
from dra_conform.fuzz.scenario import Choose, api_object

Json = Any
Request = tuple[int, ...]
"""The counts of a request's alternatives; 0 is all devices. One alternative is a plain request."""

_PLAIN: tuple[tuple[Request, ...], ...] = (((32,),), ((33,),), ((31,), (1,)), ((31,), (2,)), ((16,), (16,)))
_LISTS: tuple[tuple[Request, ...], ...] = (
    ((33, 1),),
    ((33, 32),),
    ((33, 34),),
    ((32, 16), (32, 16)),
    ((31, 1), (2,)),
    ((32, 30), (1,), (1,)),
    ((16, 1), (17, 16)),
)
_EVERY: tuple[tuple[Request, ...], ...] = (((0,),), ((0,), (1,)))
_EVERY_LISTS: tuple[tuple[Request, ...], ...] = (((0, 1),), ((0, 32),), ((1,), (0, 31)), ((33, 0),))


def crowd(choose: Choose, features: frozenset[str], node: str) -> tuple[list[Json], str]:
    """Slices, a class and one claim; the claim's name is the second."""
    shapes = list(_PLAIN)
    if "prioritized-list" in features:
        shapes += _LISTS
    if "allocation-mode-all" in features:
        shapes += _EVERY
    if {"prioritized-list", "allocation-mode-all"} <= features:
        shapes += _EVERY_LISTS
    shape = choose(shapes)
    extra = {"allowMultipleAllocations": True} if "consumable-capacity" in features and choose((0, 1)) else {}
    devices = [
        {"name": f"d{number}", **extra}
        for number in range(choose((33, 34, 32 if shape in _EVERY + _EVERY_LISTS else 40)))
    ]
    spec = {
        "driver": DRIVER,
        "pool": {"name": POOL, "generation": 1, "resourceSliceCount": 1},
        "nodeName": node,
        "devices": devices,
    }
    requests = [_request(f"r{number}", one) for number, one in enumerate(shape)]
    claim = api_object("ResourceClaim", "c0", {"devices": {"requests": requests}}, namespace=NAMESPACE)
    published = api_object("ResourceSlice", f"{POOL}-slice", spec)
    return [api_object("DeviceClass", CLASS, {}), published, claim], f"{NAMESPACE}/c0"


def _request(name: str, counts: Request) -> Json:
    asked = [
        {
            "deviceClassName": CLASS,
            **({"allocationMode": "ExactCount", "count": one} if one else {"allocationMode": "All"}),
        }
        for one in counts
    ]
    if len(asked) == 1:
        return {"name": name, "exactly": asked[0]}
    return {"name": name, "firstAvailable": [{"name": f"s{at}", **one} for at, one in enumerate(asked)]}

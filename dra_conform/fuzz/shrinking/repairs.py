"""Repairs after a removal: dangling references, empty lists, requests of missing capacities."""

from __future__ import annotations

from typing import Any

Json = Any


def repair(objects: Json) -> None:
    """Remove dangling references and empty claims, in place."""
    objects["resourceClaims"] = [claim for claim in objects["resourceClaims"] if _is_not_empty(claim)]
    _forget_consumed(objects)


def _is_not_empty(claim: Json) -> bool:
    devices = claim["spec"]["devices"]
    requests = [
        request for request in devices["requests"] if request.get("exactly") or request.get("firstAvailable")
    ]
    devices["requests"] = requests
    names = {request["name"] for request in requests}
    names |= {
        f"{request['name']}/{sub['name']}"
        for request in requests
        for sub in request.get("firstAvailable", ())
    }
    for field in ("constraints", "config"):
        entries = [kept for entry in devices.pop(field, ()) if (kept := _in_scope(entry, names)) is not None]
        if entries:
            devices[field] = entries
    results = ((claim.get("status") or {}).get("allocation") or {}).get("devices", {}).get("results")
    return bool(requests) and results != []


def _in_scope(entry: Json, names: set[str]) -> Json | None:
    """Return a constraint or configuration without removed requests, None if no request is left."""
    named = entry.get("requests", ())
    scope = [name for name in named if name in names]
    if named and not scope:
        return None
    others = {key: value for key, value in entry.items() if key != "requests"}
    return {**({"requests": scope} if scope else {}), **others}


def _forget_consumed(objects: Json) -> None:
    """Remove consumed capacity that the published device does not have."""
    published = {
        (
            resource_slice["spec"]["driver"],
            resource_slice["spec"]["pool"]["name"],
            device["name"],
        ): device.get("capacity") or {}
        for resource_slice in objects.get("resourceSlices", ())
        for device in resource_slice["spec"].get("devices", ())
    }
    for claim in objects["resourceClaims"]:
        allocation = (claim.get("status") or {}).get("allocation") or {}
        for result in allocation.get("devices", {}).get("results", ()):
            key = (result["driver"], result["pool"], result["device"])
            if key in published and "consumedCapacity" in result:
                consumed = result.pop("consumedCapacity")
                kept = {name: amount for name, amount in consumed.items() if name in published[key]}
                if kept:
                    result["consumedCapacity"] = kept

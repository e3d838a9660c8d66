"""Repairs after a removal: dangling references, empty lists, requests of missing capacities."""

from __future__ import annotations

from typing import Any

Json = Any


def repair(objects: Json) -> None:
    """Remove dangling references and empty claims, in place."""
    objects["resourceClaims"] = [one for one in objects["resourceClaims"] if _is_not_empty(one)]
    _forget_consumed(objects)


def _is_not_empty(claim: Json) -> bool:
    devices = claim["spec"]["devices"]
    requests = [one for one in devices["requests"] if one.get("exactly") or one.get("firstAvailable")]
    devices["requests"] = requests
    names = {one["name"] for one in requests}
    names |= {f"{one['name']}/{sub['name']}" for one in requests for sub in one.get("firstAvailable", ())}
    for field in ("constraints", "config"):
        entries = [kept for one in devices.pop(field, ()) if (kept := _in_scope(one, names)) is not None]
        if entries:
            devices[field] = entries
    results = ((claim.get("status") or {}).get("allocation") or {}).get("devices", {}).get("results")
    return bool(requests) and results != []


def _in_scope(entry: Json, names: set[str]) -> Json | None:
    """Return a constraint or configuration with its existing requests, None if all are gone."""
    named = entry.get("requests", ())
    scope = [name for name in named if name in names]
    if named and not scope:
        return None
    others = {key: value for key, value in entry.items() if key != "requests"}
    return {**({"requests": scope} if scope else {}), **others}


def _forget_consumed(objects: Json) -> None:
    """Remove consumed capacity that the published device does not have."""
    published = {
        (one["spec"]["driver"], one["spec"]["pool"]["name"], device["name"]): device.get("capacity") or {}
        for one in objects.get("resourceSlices", ())
        for device in one["spec"].get("devices", ())
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

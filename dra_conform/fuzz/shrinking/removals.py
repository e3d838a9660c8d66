"""Removals from a scenario: objects, fields, list entries and gates, outer parts first.

After a removal, dangling references, empty lists and requests of missing capacities are repaired.
"""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.kube.json_values import Json

FieldPath = tuple[str | int, ...]
"""Keys and indexes from the scenario, or from its objects, to a value."""


def value_at(whole: Json, path: FieldPath) -> Json:
    """Return the value at a path. Raises KeyError and IndexError."""
    for key in path:
        whole = whole[key]
    return whole


_REMOVABLE_KEYS = frozenset(
    {
        *("allowMultipleAllocations", "attributes", "requestPolicy", "step", "max", "taints", "adminAccess"),
        *("bindingConditions", "bindingFailureConditions", "bindsToNode", "constraints", "selectors"),
        *("capacity", "labels", "consumesCounters", "compatibilityGroups", "config", "deviceSelector"),
        *("tolerations", "tolerationSeconds"),
    }
)
_REMOVABLE_ENTRIES = frozenset(
    {"attributes", "capacity", "requests", "labels", "counters", "compatibilityGroups", "deviceSelector"}
)
_REMOVABLE_ITEMS = frozenset(
    {
        *("devices", "requests", "firstAvailable", "constraints", "selectors", "results", "validValues"),
        *("taints", "tolerations", "config", "consumesCounters", "sharedCounters", "compatibilityGroups"),
        *("bindingConditions", "bindingFailureConditions"),
    }
)
_MANY = 16
"""Longer device lists are cut at once: removing single devices only makes the search longer."""

KEPT_OF_MANY = _MANY // 2
"""The number of devices that remain of a long list."""

_COLLECTIONS = ("resourceClaims", "resourceSlices", "deviceTaintRules", "deviceClasses", "nodes")


def removable(whole: Json) -> Iterator[FieldPath]:
    """Yield the path of each part that can be removed, from the whole scenario."""
    yield from _objects(whole)
    yield from _removable_parts(whole["objects"], ("objects",))
    yield from (("gates", gate) for gate in whole["gates"])


def long_device_lists(whole: Json) -> Iterator[FieldPath]:
    """Yield the paths of device lists that are too long to remove devices one by one."""
    for index, resource_slice in enumerate(whole["objects"].get("resourceSlices", ())):
        if len(resource_slice["spec"].get("devices", ())) > _MANY:
            yield "objects", "resourceSlices", index, "spec", "devices"


def _objects(whole: Json) -> Iterator[FieldPath]:
    for collection in _COLLECTIONS:
        for index, item in enumerate(whole["objects"].get(collection, ())):
            if collection != "nodes" or item["metadata"]["name"] != whole["node"]:
                yield "objects", collection, index


def _removable_parts(value: Json, path: FieldPath) -> Iterator[FieldPath]:
    """Yield the paths of removable values, outer values before inner values."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in _REMOVABLE_KEYS or (isinstance(path[-1], str) and path[-1] in _REMOVABLE_ENTRIES):
                yield (*path, key)
            yield from _removable_parts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if path[-1] in _REMOVABLE_ITEMS and len(value) <= _MANY:
                yield (*path, index)
            yield from _removable_parts(inner, (*path, index))


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

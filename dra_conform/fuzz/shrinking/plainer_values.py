"""Simpler values for a scenario: quantities, names, attributes, taints, and quantities in another unit."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dra_conform.conformance.steps.given import CLASS, DRIVER
from dra_conform.fuzz.generation.taints_and_tolerations import BAD
from dra_conform.fuzz.shrinking.removals import FieldPath, value_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import NANO, Quantity

_FACTORS = ((1, 1 << 30), (10, 1), (NANO, 1))
_LARGE = NANO << 20


def quantities(objects: Json) -> Iterator[tuple[FieldPath, str]]:
    """Yield each quantity with its path from the objects by collection."""
    for index, resource_slice in enumerate(objects.get("resourceSlices", ())):
        start: FieldPath = ("resourceSlices", index, "spec")
        for place, device in enumerate(resource_slice["spec"].get("devices", ())):
            for name, capacity in (device.get("capacity") or {}).items():
                path: FieldPath = (*start, "devices", place, "capacity", name)
                yield (*path, "value"), capacity["value"]
                yield from _policy(capacity.get("requestPolicy") or {}, (*path, "requestPolicy"))
            for position, entry in enumerate(device.get("consumesCounters") or ()):
                yield from _counters(entry, (*start, "devices", place, "consumesCounters", position))
        for place, entry in enumerate(resource_slice["spec"].get("sharedCounters") or ()):
            yield from _counters(entry, (*start, "sharedCounters", place))
    for index, claim in enumerate(objects.get("resourceClaims", ())):
        start = ("resourceClaims", index)
        for place, request in enumerate(claim["spec"]["devices"]["requests"]):
            path = (*start, "spec", "devices", "requests", place)
            if "exactly" in request:
                yield from _requested_amounts(request["exactly"], (*path, "exactly"))
            for position, sub in enumerate(request.get("firstAvailable", ())):
                yield from _requested_amounts(sub, (*path, "firstAvailable", position))
        allocation = (claim.get("status") or {}).get("allocation") or {}
        for place, result in enumerate(allocation.get("devices", {}).get("results", ())):
            path = (*start, "status", "allocation", "devices", "results", place, "consumedCapacity")
            for name, text in (result.get("consumedCapacity") or {}).items():
                yield (*path, name), text


def _counters(entry: Json, path: FieldPath) -> Iterator[tuple[FieldPath, str]]:
    for name, counter in (entry.get("counters") or {}).items():
        yield (*path, "counters", name, "value"), counter["value"]


def _policy(policy: Json, path: FieldPath) -> Iterator[tuple[FieldPath, str]]:
    if "default" in policy:
        yield (*path, "default"), policy["default"]
    for index, text in enumerate(policy.get("validValues", ())):
        yield (*path, "validValues", index), text
    for name, text in policy.get("validRange", {}).items():
        yield (*path, "validRange", name), text


def _requested_amounts(requested: Json, path: FieldPath) -> Iterator[tuple[FieldPath, str]]:
    for name, text in ((requested.get("capacity") or {}).get("requests") or {}).items():
        yield (*path, "capacity", "requests", name), text


def rescaled(whole: Json) -> Iterator[Json]:
    """Yield the scenario with all quantities as small integers, if another unit makes them so."""
    nano_by_path = {path: Quantity.parse(text).nano for path, text in quantities(whole["objects"])}
    small = all(nano < _LARGE and nano % NANO == 0 for nano in nano_by_path.values())
    if small:
        return
    for up, down in _FACTORS:
        scaled = {path: nano * up // down for path, nano in nano_by_path.items()}
        exact = all(
            scaled[path] * down == nano * up and not scaled[path] % NANO
            for path, nano in nano_by_path.items()
        )
        if not exact or max(scaled.values()) >= _LARGE:
            continue
        copy = msgspec.json.decode(msgspec.json.encode(whole))
        for path, nano in scaled.items():
            value_at(copy["objects"], path[:-1])[path[-1]] = str(Quantity(nano))
        yield copy


Replacement = tuple[FieldPath, Json]
"""A path in a scenario and its new value."""

AMOUNTS = ("0", "1", "2", "3", "4", "8", "10")
"""Simple quantities, the simplest first."""

_NODE_CHOICES = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
_TAINT = {"key": BAD, "effect": "NoSchedule"}
_TOLERATION = {"operator": "Exists"}
_OPAQUE = {"driver": DRIVER, "parameters": {}}


def plainer_values(whole: Json) -> Iterator[Replacement]:
    """Yield replacements that each simplify one value. No replacement undoes another."""
    objects, node = whole["objects"], whole["node"]
    first = objects["nodes"][0]["metadata"]["name"]
    if node != first:
        yield ("node",), first
    for index, resource_slice in enumerate(objects.get("resourceSlices", ())):
        yield from _slice(resource_slice["spec"], node, ("objects", "resourceSlices", index, "spec"))
    for index, rule in enumerate(objects.get("deviceTaintRules", ())):
        yield from _unless(
            rule["spec"]["taint"], _TAINT, ("objects", "deviceTaintRules", index, "spec", "taint")
        )
    for index, device_class in enumerate(objects.get("deviceClasses", ())):
        yield from _config(device_class["spec"], ("objects", "deviceClasses", index, "spec"))
    for index, claim in enumerate(objects.get("resourceClaims", ())):
        yield from _claim(claim["spec"]["devices"], ("objects", "resourceClaims", index, "spec", "devices"))
    for quantity, text in quantities(objects):
        rank = AMOUNTS.index(text) if text in AMOUNTS else len(AMOUNTS)
        yield from ((("objects", *quantity), plain) for plain in AMOUNTS[:rank])


def _slice(spec: Json, node: str, path: FieldPath) -> Iterator[Replacement]:
    if spec["pool"]["generation"] != 1:
        yield (*path, "pool", "generation"), 1
    if "nodeName" not in spec:
        devices = [_without_place(device) for device in spec.get("devices", ())]
        yield path, {**_without_place(spec), "nodeName": node, **({"devices": devices} if devices else {})}
    elif spec["nodeName"] != node:
        yield (*path, "nodeName"), node
    for place, device in enumerate(spec.get("devices", ())):
        yield from _device(device, node, (*path, "devices", place))


def _device(device: Json, node: str, path: FieldPath) -> Iterator[Replacement]:
    if device.keys() & {"nodeSelector", "allNodes"}:
        yield path, {**_without_place(device), "nodeName": node}
    elif device.get("nodeName", node) != node:
        yield (*path, "nodeName"), node
    for name, value in (device.get("attributes") or {}).items():
        yield from _attribute(value, (*path, "attributes", name))
    for index, taint in enumerate(device.get("taints", ())):
        yield from _unless(taint, _TAINT, (*path, "taints", index))


def _without_place(value: Json) -> Json:
    return {key: item for key, item in value.items() if key not in _NODE_CHOICES}


def _attribute(value: Json, path: FieldPath) -> Iterator[Replacement]:
    if value in ({"int": 0}, {"int": 1}):
        return
    for plain in (0, 1):
        yield path, {"int": plain}
    ((kind, item),) = value.items()
    if isinstance(item, list) and len(item) > 1:
        for index in range(len(item)):
            yield path, {kind: item[:index] + item[index + 1 :]}


def _unless(value: Json, plain: Json, path: FieldPath) -> Iterator[Replacement]:
    if value != plain:
        yield path, dict(plain)


def _config(owner: Json, path: FieldPath) -> Iterator[Replacement]:
    for index, entry in enumerate(owner.get("config", ())):
        yield from _unless(entry["opaque"], _OPAQUE, (*path, "config", index, "opaque"))


def _claim(devices: Json, path: FieldPath) -> Iterator[Replacement]:
    for place, request in enumerate(devices["requests"]):
        request_path: FieldPath = (*path, "requests", place)
        for sub in request.get("firstAvailable", ()):
            exactly = {key: value for key, value in sub.items() if key != "name"}
            yield request_path, {"name": request["name"], "exactly": exactly}
        if "exactly" in request:
            yield from _requested(request["exactly"], (*request_path, "exactly"))
        for position, sub in enumerate(request.get("firstAvailable", ())):
            yield from _requested(sub, (*request_path, "firstAvailable", position))
    yield from _config(devices, path)


def _requested(requested: Json, path: FieldPath) -> Iterator[Replacement]:
    if requested["allocationMode"] != "ExactCount" or requested.get("count", 1) != 1:
        counts = (1, 2) if requested["allocationMode"] != "ExactCount" else range(1, requested["count"])
        for count in counts:
            yield path, {**requested, "allocationMode": "ExactCount", "count": count}
    if requested["deviceClassName"] != CLASS:
        yield (*path, "deviceClassName"), CLASS
    for index, toleration in enumerate(requested.get("tolerations", ())):
        yield from _unless(toleration, _TOLERATION, (*path, "tolerations", index))

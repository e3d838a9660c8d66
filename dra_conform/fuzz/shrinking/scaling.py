"""Scaling of all quantities of a scenario to another unit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dra_conform.fuzz.shrinking.removals import FieldPath, value_at
from dra_conform.kube.quantity import NANO, Quantity

Json = Any

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
                yield from _requested(request["exactly"], (*path, "exactly"))
            for position, sub in enumerate(request.get("firstAvailable", ())):
                yield from _requested(sub, (*path, "firstAvailable", position))
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


def _requested(requested: Json, path: FieldPath) -> Iterator[tuple[FieldPath, str]]:
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

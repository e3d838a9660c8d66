"""Every way to make a scenario one step simpler: first what can go, then what can be plainer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from dra_conform.conformance.building import CLASS, DRIVER
from dra_conform.fuzz.scaling import quantities, rescaled
from dra_conform.fuzz.scenario import Scenario

Json = Any
Path = tuple[str | int, ...]

_pack = msgspec.json.Encoder().encode
_unpack = msgspec.json.Decoder().decode

AMOUNTS = ("0", "1", "2", "3", "4", "8", "10")
"""Amounts that are plain, the plainest first."""

_NUMBERED = (("d", 1), ("r", 0), ("s", 0), ("c", 0), ("h", 0), ("node-", 1), ("pool-", 1))
"""What names begin with, and the number of the first."""

_SPARE_KEYS = frozenset(
    {
        *("allowMultipleAllocations", "attributes", "requestPolicy", "step", "max", "taints", "adminAccess"),
        *("bindingConditions", "bindingFailureConditions", "constraints", "selectors", "tolerations"),
        *("capacity", "labels"),
    }
)
_SPARE_ENTRIES = frozenset({"attributes", "capacity", "requests"})
_SPARE_ITEMS = frozenset(
    {"devices", "requests", "firstAvailable", "constraints", "selectors", "results", "validValues"}
)


def simpler(scenario: Scenario) -> Iterator[Scenario]:
    """Scenarios with one thing less or one thing plainer; not every one holds valid objects.

    No step undoes another, so that following them ends.
    """
    whole = {
        "objects": {name: list(items) for name, items in scenario.objects.items()},
        "node": scenario.node,
        "claims": list(scenario.claims),
        "gates": dict(scenario.gates),
    }
    text = _pack(whole)
    for path in (
        *_objects(whole),
        *_spare(whole["objects"], ("objects",)),
        *(("gates", g) for g in whole["gates"]),
    ):
        copy = _unpack(text)
        _delete(copy, path)
        yield from _finished(copy)
        if path[1] == "resourceSlices" and len(path) == 3:
            _recount(copy)
            yield from _finished(copy)
    for path, value in _plainer(whole, scenario.node):
        copy = _unpack(text)
        _at(copy, path[:-1])[path[-1]] = value
        yield from _finished(copy)
    for change in (_merge, _recount, _rename):
        copy = _unpack(text)
        change(copy)
        yield from _finished(copy)
    yield from (made for other in rescaled(_unpack(text)) for made in _finished(other))


def _objects(whole: Json) -> Iterator[Path]:
    for collection in ("resourceClaims", "resourceSlices", "deviceClasses", "nodes"):
        for index, one in enumerate(whole["objects"].get(collection, ())):
            if collection != "nodes" or one["metadata"]["name"] != whole["node"]:
                yield "objects", collection, index


def _spare(value: Json, path: Path) -> Iterator[Path]:
    """The places that may go, outer ones before those inside them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in _SPARE_KEYS or (isinstance(path[-1], str) and path[-1] in _SPARE_ENTRIES):
                yield (*path, key)
            yield from _spare(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if path[-1] in _SPARE_ITEMS:
                yield (*path, index)
            yield from _spare(inner, (*path, index))


def _plainer(whole: Json, node: str) -> Iterator[tuple[Path, Json]]:
    """Values that another may stand for, with the place."""
    objects = whole["objects"]
    for index, one in enumerate(objects.get("resourceSlices", ())):
        path: Path = ("objects", "resourceSlices", index, "spec")
        spec = one["spec"]
        if spec["pool"]["generation"] != 1:
            yield (*path, "pool", "generation"), 1
        if "nodeName" not in spec:
            others = {key: value for key, value in spec.items() if key not in ("allNodes", "nodeSelector")}
            yield path, {**others, "nodeName": node}
        elif spec["nodeName"] != node:
            yield (*path, "nodeName"), node
        for place, device in enumerate(spec.get("devices", ())):
            for name, value in (device.get("attributes") or {}).items():
                if value not in ({"int": 0}, {"int": 1}):
                    for plain in (0, 1):
                        yield (*path, "devices", place, "attributes", name), {"int": plain}
    for index, one in enumerate(objects.get("resourceClaims", ())):
        path = ("objects", "resourceClaims", index, "spec", "devices", "requests")
        for place, request in enumerate(one["spec"]["devices"]["requests"]):
            for sub in request.get("firstAvailable", ()):
                exactly = {key: value for key, value in sub.items() if key != "name"}
                yield (*path, place), {"name": request["name"], "exactly": exactly}
            if "exactly" in request:
                yield from _plainer_request(request["exactly"], (*path, place, "exactly"))
            for position, sub in enumerate(request.get("firstAvailable", ())):
                yield from _plainer_request(sub, (*path, place, "firstAvailable", position))
    for quantity, text in quantities(objects):
        rank = AMOUNTS.index(text) if text in AMOUNTS else len(AMOUNTS)
        yield from ((("objects", *quantity), plain) for plain in AMOUNTS[:rank])


def _plainer_request(asked: Json, path: Path) -> Iterator[tuple[Path, Json]]:
    if asked["allocationMode"] != "ExactCount" or asked.get("count", 1) != 1:
        for count in (1, 2) if asked["allocationMode"] != "ExactCount" else range(1, asked["count"]):
            yield path, {**asked, "allocationMode": "ExactCount", "count": count}
    if asked["deviceClassName"] != CLASS:
        yield (*path, "deviceClassName"), CLASS


def _merge(whole: Json) -> None:
    """Put the devices of the last slice into one before it of the same pool."""
    slices = whole["objects"].get("resourceSlices", [])
    for one in slices[:-1]:
        last = slices[-1]
        if _pool(one) == _pool(last):
            one["spec"]["devices"] = one["spec"].get("devices", []) + last["spec"].get("devices", [])
            slices.pop()
            _recount(whole)
            return


def _recount(whole: Json) -> None:
    """Make every pool complete."""
    slices = whole["objects"].get("resourceSlices", [])
    for one in slices:
        generation = one["spec"]["pool"]["generation"]
        same = [o for o in slices if _pool(o) == _pool(one) and o["spec"]["pool"]["generation"] == generation]
        one["spec"]["pool"]["resourceSliceCount"] = len(same)


def _rename(whole: Json) -> None:
    """Let the only driver be the usual one, and number names in the order in which they appear."""
    slices = whole["objects"].get("resourceSlices", [])
    drivers = {one["spec"]["driver"] for one in slices}
    for number, one in enumerate(slices, 1):
        one["metadata"]["name"] = f"slice-{number}"
    text = _pack(whole).decode()
    if len(drivers) == 1:
        text = text.replace(f'"{drivers.pop()}"', f'"{DRIVER}"')
    for prefix, first in _NUMBERED:
        found = re.compile(rf"\b{prefix}([0-9])\b")
        order = {name: str(first + at) for at, name in enumerate(dict.fromkeys(found.findall(text)))}
        text = found.sub(lambda match, p=prefix, o=order: p + o[match[1]], text)  # type: ignore[misc] # defaults bind the loop's names
    whole.clear()
    whole.update(_unpack(text))


def _pool(one: Json) -> tuple[str, str]:
    return one["spec"]["driver"], one["spec"]["pool"]["name"]


def _at(value: Json, path: Path) -> Json:
    for key in path:
        value = value[key]
    return value


def _delete(whole: Json, path: Path) -> None:
    del _at(whole, path[:-1])[path[-1]]


def _finished(whole: Json) -> Iterator[Scenario]:
    """The scenario of an edited copy, if there is one: what refers to something gone goes as well."""
    objects = whole["objects"]
    objects["resourceClaims"] = [one for one in objects["resourceClaims"] if _repaired(one)]
    _forget_consumed(objects)
    names = [f"{one['metadata']['namespace']}/{one['metadata']['name']}" for one in objects["resourceClaims"]]
    claims = tuple(name for name in whole["claims"] if name in names)
    if claims:
        kept = {name: tuple(items) for name, items in objects.items() if items}
        yield Scenario(_unpack_tuples(kept), whole["node"], claims, whole["gates"])


def _unpack_tuples(objects: Json) -> dict[str, tuple[Json, ...]]:
    return {name: tuple(_unpack(_pack(one)) for one in items) for name, items in objects.items()}


def _repaired(claim: Json) -> bool:
    """Whether the claim still asks or holds something; empty lists and lost references are taken out."""
    devices = claim["spec"]["devices"]
    requests = [one for one in devices["requests"] if one.get("exactly") or one.get("firstAvailable")]
    devices["requests"] = requests
    names = {one["name"] for one in requests}
    names |= {f"{one['name']}/{sub['name']}" for one in requests for sub in one.get("firstAvailable", ())}
    constraints = []
    for one in devices.pop("constraints", ()):
        scope = [name for name in one.get("requests", ()) if name in names]
        if scope or not one.get("requests"):
            constraints.append({**one, **({"requests": scope} if scope else {})})
    if constraints:
        devices["constraints"] = constraints
    results = ((claim.get("status") or {}).get("allocation") or {}).get("devices", {}).get("results")
    return bool(requests) and results != []


def _forget_consumed(objects: Json) -> None:
    """A share consumes what its device has, as long as the device is published."""
    published = {
        (*_pool(one), device["name"]): device.get("capacity") or {}
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

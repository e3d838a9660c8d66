"""Every way to make a scenario one step simpler: first what can go, then what can be plainer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec

from dra_conform.conformance.building import DRIVER
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.plainer_values import Path, plainer
from dra_conform.fuzz.shrinking.repairs import repair
from dra_conform.fuzz.shrinking.scaling import rescaled

Json = Any

_pack = msgspec.json.Encoder().encode
_unpack = msgspec.json.Decoder().decode

_NUMBERED = (
    *(("d", 1), ("r", 0), ("s", 0), ("c", 0), ("h", 0)),
    *(("node-", 1), ("pool-", 1), ("set-", 1), ("rule-", 0)),
)
"""What names begin with, and the number of the first."""

_SPARE_KEYS = frozenset(
    {
        *("allowMultipleAllocations", "attributes", "requestPolicy", "step", "max", "taints", "adminAccess"),
        *("bindingConditions", "bindingFailureConditions", "bindsToNode", "constraints", "selectors"),
        *("capacity", "labels", "consumesCounters", "compatibilityGroups", "config", "deviceSelector"),
        *("tolerations", "tolerationSeconds"),
    }
)
_SPARE_ENTRIES = frozenset(
    {"attributes", "capacity", "requests", "labels", "counters", "compatibilityGroups", "deviceSelector"}
)
_SPARE_ITEMS = frozenset(
    {
        *("devices", "requests", "firstAvailable", "constraints", "selectors", "results", "validValues"),
        *("taints", "tolerations", "config", "consumesCounters", "sharedCounters", "compatibilityGroups"),
        *("bindingConditions", "bindingFailureConditions"),
    }
)
_MANY = 16
"""Of more devices, one less makes a search of as many requests only longer; they go together."""

_COLLECTIONS = ("resourceClaims", "resourceSlices", "deviceTaintRules", "deviceClasses", "nodes")


def simpler(scenario: Scenario) -> Iterator[Scenario]:
    """Scenarios with one thing less or one thing plainer; not every one holds valid objects.

    No step undoes another, so that following them ends.
    """
    objects = {name: list(items) for name, items in scenario.objects.items()}
    whole = {
        "objects": objects,
        "node": scenario.node,
        "claims": list(scenario.claims),
        "gates": dict(scenario.gates),
    }
    text = _pack(whole)
    for path in (
        *_objects(whole),
        *_spare(objects, ("objects",)),
        *(("gates", gate) for gate in scenario.gates),
    ):
        copy = _unpack(text)
        _delete(copy, path)
        yield from _finished(copy)
        if path[1] == "resourceSlices" and len(path) == 3:
            _recount(copy)
            yield from _finished(copy)
    for path, value in plainer(whole):
        copy = _unpack(text)
        _at(copy, path[:-1])[path[-1]] = value
        yield from _finished(copy)
    for many in _crowds(objects):
        copy = _unpack(text)
        _at(copy, many)[_MANY // 2 :] = []
        yield from _finished(copy)
    for first, last in _mergeable(objects.get("resourceSlices", [])):
        copy = _unpack(text)
        _merge(copy, first, last)
        yield from _finished(copy)
    for change in (_recount, _rename):
        copy = _unpack(text)
        change(copy)
        yield from _finished(copy)
    yield from (made for other in rescaled(_unpack(text)) for made in _finished(other))


def _objects(whole: Json) -> Iterator[Path]:
    for collection in _COLLECTIONS:
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
            if path[-1] in _SPARE_ITEMS and len(value) <= _MANY:
                yield (*path, index)
            yield from _spare(inner, (*path, index))


def _crowds(objects: Json) -> Iterator[Path]:
    """The lists of devices that are too long to be shortened one by one."""
    for index, one in enumerate(objects.get("resourceSlices", ())):
        if len(one["spec"].get("devices", ())) > _MANY:
            yield "objects", "resourceSlices", index, "spec", "devices"


def _mergeable(slices: Json) -> Iterator[tuple[int, int]]:
    """Pairs of slices of one pool that may be one: both have counters, or devices that choose nodes alike."""
    kinds = [
        (*_pool(one), "sharedCounters" in one["spec"], "perDeviceNodeSelection" in one["spec"])
        for one in slices
    ]
    yield from ((i, j) for i, j in combinations(range(len(slices)), 2) if kinds[i] == kinds[j])


def _merge(whole: Json, first: int, last: int) -> None:
    """Put what the later slice has into the earlier one."""
    slices = whole["objects"]["resourceSlices"]
    gone = slices.pop(last)["spec"]
    for field in ("devices", "sharedCounters"):
        if field in gone:
            slices[first]["spec"][field] = slices[first]["spec"].get(field, []) + gone[field]
    _recount(whole)


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
        found = re.compile(rf"\b{prefix}([0-9]{{1,2}})\b")
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
    repair(objects)
    names = [f"{one['metadata']['namespace']}/{one['metadata']['name']}" for one in objects["resourceClaims"]]
    claims = tuple(name for name in whole["claims"] if name in names)
    if claims:
        kept = {name: tuple(items) for name, items in objects.items() if items}
        yield Scenario(_unpack_tuples(kept), whole["node"], claims, whole["gates"])


def _unpack_tuples(objects: Json) -> dict[str, tuple[Json, ...]]:
    return {name: tuple(_unpack(_pack(one)) for one in items) for name, items in objects.items()}

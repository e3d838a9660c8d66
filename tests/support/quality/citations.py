"""Check that a case with a positive outcome depends on the fields of the requirements that it cites.

The fields of a requirement are removed, changed or added elsewhere. At least one of these changes must change the
outcome of the textbook allocator: no allocation, another device or another consumed capacity.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from dra_conform.conformance.case import Case, Objects
from dra_conform.kube.json_values import Json
from tests.support.quality.stripping import outcome

Path = tuple[str | int, ...]

OCCUPANT = "occupant"
"""Pseudo field for an allocated claim: another allocated claim may be added."""

ABOUT: Mapping[str, tuple[str, ...]] = {
    "DRA/admin-access": ("adminAccess",),
    "DRA/allocation-mode": ("allocationMode", "count"),
    "DRA/claim/configuration-applies-to-pod": ("config",),
    "DRA/claim/constraints-limit-devices": ("constraints", "attributes"),
    "API/allocation/available-nodes": ("nodeName", "allNodes", "nodeSelector", "labels"),
    "API/attribute": ("attributes",),
    "API/selector": ("selectors", "driver"),
    "API/slice/one-count": ("resourceSliceCount",),
    "API/binding": ("bindingConditions", "bindingFailureConditions", "bindsToNode"),
    "DRA/claim/exclusive-between-claims": ("status", OCCUPANT),
    "DRA/claim/requests-select-from-class": ("deviceClassName", "selectors"),
    "DRA/claim/selectors-optional": ("selectors",),
    "DRA/class": ("deviceClassName", "selectors", "deviceClasses"),
    "DRA/device-status": ("status",),
    "DRA/feature-gate/alpha-features-off-by-default": ("devices", "sharedCounters", "adminAccess"),
    "DRA/feature-gate/partitionable-components": ("consumesCounters",),
    "DRA/node-access": ("nodeName", "allNodes", "nodeSelector", "perDeviceNodeSelection", "labels"),
    "DRA/partitionable": ("consumesCounters", "sharedCounters", "results"),
    "DRA/pool": ("pool", "driver", "resourceSliceCount", "generation"),
    "DRA/pool/duplicate-device-name": ("name",),
    "DRA/prioritized-list": ("firstAvailable", "config"),
    "DRA/selector": ("selectors", "attributes", "capacity"),
    "DRA/slice": ("attributes", "capacity", "selectors"),
    "DRA/taint": ("taints", "taint", "tolerations"),
    "DRA/taint-rule": ("deviceTaintRules", "deviceSelector", "taint", "tolerations"),
    "DRA/toleration": ("tolerations", "taints", "taint"),
    "DRA/workflow": ("requests", "nodeName", "nodeSelector", "bindsToNode", "devices"),
    "KEP-5075": ("capacity", "allowMultipleAllocations", "results"),
    "KEP-5075/allocation/first-available": ("firstAvailable",),
    "KEP-5075/constraint": ("constraints", "attributes"),
    "KEP-5075/default": ("capacity", "requestPolicy"),
    "KEP-5075/filter": ("capacity", "selectors"),
    "KEP-5075/rounding": ("requestPolicy", "requests"),
    "KEP-5075/selector": ("selectors", "allowMultipleAllocations", "capacity"),
    "KEP-5963": ("compatibilityGroups", "counterSet", OCCUPANT),
    "KEP-5963/compatibility/same-set-name-in-other-pool": ("compatibilityGroups", "driver", "pool"),
    "KEP-5963/composition/conjunction-with-matchattribute": (
        "compatibilityGroups",
        "constraints",
        "attributes",
    ),
    "KEP-5963/snapshot": ("compatibilityGroups", "counterSet", "consumesCounters"),
}
"""Fields of requirements, by the prefix of the requirement's id."""

_MORE: Mapping[str, tuple[str, Json]] = {
    "compatibilityGroups": ("consumesCounters", ["of-nobody-else"]),
    "consumesCounters": (
        "devices",
        [{"counterSet": "gpu-0", "counters": {"units": {"value": "1"}}, "compatibilityGroups": ["put-here"]}],
    ),
    "taints": ("devices", [{"key": "put-here", "effect": "NoSchedule"}]),
    "allowMultipleAllocations": ("devices", True),
    "capacity": ("devices", {"put-here": {"value": "1"}}),
    "adminAccess": ("exactly", True),
    "count": ("exactly", 2),
    "selectors": ("exactly", [{"cel": {"expression": "false"}}]),
    "config": ("spec", [{"opaque": {"driver": "dra.example.com", "parameters": {"put": "here"}}}]),
}
"""Value that may be added where a field is absent, and the field whose members it is added to."""


def shows(case: Case, requirement: str) -> bool:
    """Return whether a change of the requirement's fields changes the outcome of the case."""
    plain = outcome(case, case.objects)
    return any(outcome(case, objects) != plain for objects in _changed(case.objects, about(requirement)))


def about(requirement: str) -> tuple[str, ...]:
    """Return the fields of the longest prefix of the id. Raises KeyError if there is none."""
    prefixes = [prefix for prefix in ABOUT if requirement == prefix or requirement.startswith(f"{prefix}/")]
    return ABOUT[max(prefixes, key=len)] if prefixes else ABOUT[requirement]


def _changed(objects: Objects, fields: tuple[str, ...]) -> Iterator[Objects]:
    """Yield the objects with each of these fields, or a part of it, removed or changed, then with fields added."""
    paths = [path for path in _paths(objects) if any(field in path for field in fields)]
    # From both ends, because the device that decides is the first or the last of hundreds.
    paths = [*chain.from_iterable(zip(paths, reversed(paths), strict=True))][: len(paths)]
    for path in paths:
        yield _without(objects, path)
    by_field = _values(objects)
    for path in paths:
        value = _at(objects, path)
        elsewhere = (other for other in by_field.get(_field(path, value), ()) if other != value)
        for changed in (*elsewhere, *_turned(value)):
            yield _put(objects, path, changed)
    for field in fields:
        if field in _MORE:
            yield from _with_more(objects, field)
    if OCCUPANT in fields:
        yield from _occupied(objects)


def _with_more(objects: Objects, field: str) -> Iterator[Objects]:
    holder, value = _MORE[field]
    for path in _paths(objects):
        inside = path[-1] == holder or (len(path) > 1 and path[-2] == holder and isinstance(path[-1], int))
        members = _at(objects, path)
        if not inside or not isinstance(members, Mapping):
            continue
        if field == "config" and "requests" in members.get("devices", ()):
            yield _put(objects, path, {**members, "devices": {**members["devices"], field: value}})
        elif not members.get(field) and field != "config":
            yield _put(objects, path, {**members, field: value})


def _occupied(objects: Objects) -> Iterator[Objects]:
    """Yield the objects with another allocated claim: of each published device, and of another group."""
    slices = objects["resourceSlices"]
    sets = {
        consumption["counterSet"]: ["of-nobody-else"]
        for item in slices
        for device in item["spec"].get("devices") or ()
        for consumption in device.get("consumesCounters") or ()
    }
    for item in slices:
        pool = {"request": "r0", "driver": item["spec"]["driver"], "pool": item["spec"]["pool"]["name"]}
        yield _held(objects, {**pool, "device": "gone", "compatibilityGroups": sets})
        for device in item["spec"].get("devices") or ():
            yield _held(objects, {**pool, "device": device["name"]})


def _held(objects: Objects, result: Json) -> Objects:
    claim = {
        "metadata": {"name": "occupant", "namespace": "put-here"},
        "spec": {"devices": {}},
        "status": {"allocation": {"devices": {"results": [result]}}},
    }
    return {**objects, "resourceClaims": (*objects["resourceClaims"], claim)}


def _field(path: Path, value: Json) -> tuple[str, type]:
    """Return the name of a field and the type of its value, or of a value in its list."""
    return next(key for key in reversed(path) if isinstance(key, str)), type(value)


def _values(objects: Objects) -> Mapping[tuple[str, type], Sequence[Json]]:
    """Return the different numbers, strings and lists that the objects have, by field."""
    found: dict[tuple[str, type], list[Json]] = defaultdict(list)
    for path in _paths(objects):
        value = _at(objects, path)
        if not isinstance(value, (bool, Mapping)):
            known = found[_field(path, value)]
            if value not in known:
                known.append(value)
    return found


def _paths(value: Json, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    members = (
        value.items()
        if isinstance(value, Mapping)
        else enumerate(value)
        if isinstance(value, (list, tuple))
        else ()
    )
    for key, inner in members:
        yield from _paths(inner, (*path, key))


def _turned(value: Json) -> Iterator[Json]:
    """Yield other values for a scalar."""
    if value is None:
        yield ["of-nobody-else"]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, 0, 1000 * value + 1)
    elif isinstance(value, str):
        yield from (f"{value}0", "0", f"!({value})", "1E")


def _at(value: Json, path: Path) -> Json:
    for key in path:
        value = value[key]
    return value


def _put(value: Json, path: Path, new: Json) -> Json:
    if not path:
        return new
    inner = _put(value[path[0]], path[1:], new)
    if isinstance(value, Mapping):
        return {**value, path[0]: inner}
    return type(value)(inner if place == path[0] else element for place, element in enumerate(value))


def _without(value: Json, path: Path) -> Json:
    *above, last = path
    holder = _at(value, tuple(above))
    fewer: Json = (
        {key: inner for key, inner in holder.items() if key != last}
        if isinstance(holder, Mapping)
        else type(holder)(inner for place, inner in enumerate(holder) if place != last)
    )
    return _put(value, tuple(above), fewer)

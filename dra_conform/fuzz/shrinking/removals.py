"""Removals from a scenario: objects, fields, list entries and gates, outer parts first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dra_conform.fuzz.shrinking.field_path import FieldPath

Json = Any

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

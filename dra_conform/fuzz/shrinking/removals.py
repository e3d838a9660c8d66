"""Removals from a scenario: objects, fields, list entries, gates; outer ones first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dra_conform.fuzz.shrinking.field_path import FieldPath

Json = Any

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

KEPT_OF_MANY = _MANY // 2
"""So many are kept of a long list of devices."""

_COLLECTIONS = ("resourceClaims", "resourceSlices", "deviceTaintRules", "deviceClasses", "nodes")


def removable(whole: Json) -> Iterator[FieldPath]:
    """The paths in the whole scenario of everything that may go, one at a time."""
    yield from _objects(whole)
    yield from _spare(whole["objects"], ("objects",))
    yield from (("gates", gate) for gate in whole["gates"])


def long_device_lists(whole: Json) -> Iterator[FieldPath]:
    """The paths of the lists of devices that are too long to be shortened one by one."""
    for index, one in enumerate(whole["objects"].get("resourceSlices", ())):
        if len(one["spec"].get("devices", ())) > _MANY:
            yield "objects", "resourceSlices", index, "spec", "devices"


def _objects(whole: Json) -> Iterator[FieldPath]:
    for collection in _COLLECTIONS:
        for index, one in enumerate(whole["objects"].get(collection, ())):
            if collection != "nodes" or one["metadata"]["name"] != whole["node"]:
                yield "objects", collection, index


def _spare(value: Json, path: FieldPath) -> Iterator[FieldPath]:
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

"""The fields of a v1 object for server-side apply: which merge, and which are atomic.

A path leads to a field: names of fields and keys of maps are texts, an item of a list is a tuple: the names
and values of its keys, in a set its value. Lists, and a few structs, that the API types call atomic are one
field whatever is in them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

Json = Any
Path = tuple[str | tuple[Any, ...], ...]

_SET: tuple[str, ...] = ()
_BY_NAME = ("name",)
_NODE_ALLOCATABLE = "status.nodeAllocatableResourceClaimStatuses"

_LISTS: Mapping[str, tuple[str, ...]] = {
    "metadata.finalizers": _SET,
    "metadata.ownerReferences": ("uid",),
    "spec.containers": _BY_NAME,
    "spec.containers[].resources.claims": _BY_NAME,
    "spec.initContainers": _BY_NAME,
    "spec.initContainers[].resources.claims": _BY_NAME,
    "spec.resourceClaims": _BY_NAME,
    "spec.resources.claims": _BY_NAME,
    "spec.schedulingGates": _BY_NAME,
    "spec.skipNodeOperations": _SET,
    "status.conditions": ("type",),
    "status.devices": ("driver", "device", "pool", "shareID"),
    "status.devices[].conditions": ("type",),
    _NODE_ALLOCATABLE: ("resourceClaimName",),
    f"{_NODE_ALLOCATABLE}[].containers": _SET,
    f"{_NODE_ALLOCATABLE}[].mapping": _BY_NAME,
    f"{_NODE_ALLOCATABLE}[].overhead": _BY_NAME,
    "status.reservedFor": ("uid",),
    "status.resourceClaimStatuses": _BY_NAME,
}
"""The lists that merge, with the keys of their items (none: a set of values); all others are atomic."""

_ATOMIC = frozenset(
    {
        "metadata.ownerReferences[]",
        "spec.nodeSelector",
        "spec.scopeSelector",
        "status.allocation.nodeSelector",
    }
)
"""Structs and maps that are replaced as a whole."""


def fields_of(value: Json, path: Path = (), place: str = "") -> Iterator[tuple[Path, Json]]:
    """Every field with its value; an item of a list that merges is a field of its own, without a value."""
    if isinstance(value, Mapping) and value and place not in _ATOMIC:
        for name, item in value.items():
            if item is not None:
                yield from fields_of(item, (*path, name), f"{place}.{name}" if place else name)
    elif isinstance(value, list) and place in _LISTS:
        for key, item in _items(value, place):
            if f"{place}[]" in _ATOMIC or _LISTS[place] == _SET:
                yield (*path, key), item
            else:
                yield (*path, key), None
                yield from fields_of(item, (*path, key), f"{place}[]")
    else:
        yield path, value


def merged(live: Json, applied: Json, place: str = "") -> Json:
    """What is there, with what is applied put into it."""
    if isinstance(live, Mapping) and isinstance(applied, Mapping) and place not in _ATOMIC:
        put = {
            name: merged(live.get(name), item, f"{place}.{name}" if place else name)
            for name, item in applied.items()
            if item is not None
        }
        return {**live, **put}
    if isinstance(live, list) and isinstance(applied, list) and place in _LISTS:
        found = dict(_items(live, place))
        put = {key: merged(found.get(key), item, f"{place}[]") for key, item in _items(applied, place)}
        return list({**found, **put}.values())
    return applied


def without(value: Json, gone: Collection[Path], path: Path = (), place: str = "") -> Json:
    """What is there without the fields and items at these paths."""
    if isinstance(value, Mapping) and place not in _ATOMIC:
        return {
            name: without(item, gone, (*path, name), f"{place}.{name}" if place else name)
            for name, item in value.items()
            if (*path, name) not in gone
        }
    if isinstance(value, list) and place in _LISTS:
        return [
            without(item, gone, (*path, key), f"{place}[]")
            for key, item in _items(value, place)
            if (*path, key) not in gone
        ]
    return value


def with_parents(paths: Iterable[Path]) -> set[Path]:
    """The paths, and those of all that they lie in."""
    return {path[:length] for path in paths for length in range(1, len(path) + 1)}


def _items(values: Iterable[Json], place: str) -> Iterator[tuple[tuple[Any, ...], Json]]:
    """The items of a list with their keys."""
    keys = _LISTS[place]
    for item in values:
        of = item if isinstance(item, Mapping) else {}
        yield tuple((name, of.get(name)) for name in keys) if keys else ("", item), item

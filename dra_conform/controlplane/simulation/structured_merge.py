"""Structured merge for server-side apply: the fields of v1 objects, and their merge.

A path consists of strings for fields and map keys, and of tuples for list items. The tuple of a list item
has the names and values of its keys, that of a set item its value. A list or struct that the API types
declare atomic is one field.
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
"""The lists that are merged, with the keys of their items (none for sets); all other lists are atomic."""

_ATOMIC = frozenset(
    {
        "metadata.ownerReferences[]",
        "spec.nodeSelector",
        "spec.scopeSelector",
        "status.allocation.nodeSelector",
    }
)
"""Atomic structs and maps, which are replaced as a whole."""


def fields_of(value: Json, path: Path = (), place: str = "") -> Iterator[tuple[Path, Json]]:
    """Yield every field with its value; an item of a merged list is also a field, with value None."""
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
    """Return the live value with the applied fields merged into it."""
    if isinstance(live, Mapping) and isinstance(applied, Mapping) and place not in _ATOMIC:
        result = {
            name: merged(live.get(name), item, f"{place}.{name}" if place else name)
            for name, item in applied.items()
            if item is not None
        }
        return {**live, **result}
    if isinstance(live, list) and isinstance(applied, list) and place in _LISTS:
        existing = dict(_items(live, place))
        result = {key: merged(existing.get(key), item, f"{place}[]") for key, item in _items(applied, place)}
        return list({**existing, **result}.values())
    return applied


def without(value: Json, removed: Collection[Path], path: Path = (), place: str = "") -> Json:
    """Return the value without the fields and items at these paths."""
    if isinstance(value, Mapping) and place not in _ATOMIC:
        return {
            name: without(item, removed, (*path, name), f"{place}.{name}" if place else name)
            for name, item in value.items()
            if (*path, name) not in removed
        }
    if isinstance(value, list) and place in _LISTS:
        return [
            without(item, removed, (*path, key), f"{place}[]")
            for key, item in _items(value, place)
            if (*path, key) not in removed
        ]
    return value


def with_parents(paths: Iterable[Path]) -> set[Path]:
    """Return the paths and all their parents."""
    return {path[:length] for path in paths for length in range(1, len(path) + 1)}


def _items(values: Iterable[Json], place: str) -> Iterator[tuple[tuple[Any, ...], Json]]:
    """Yield the items of a merged list with their path elements."""
    keys = _LISTS[place]
    for item in values:
        fields = item if isinstance(item, Mapping) else {}
        yield tuple((name, fields.get(name)) for name in keys) if keys else ("", item), item

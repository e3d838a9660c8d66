"""Structured merge for server-side apply: the fields of v1 objects, and their merge.

A path consists of strings for fields and map keys, and of tuples for list items. The tuple of a list item
has the names and values of its keys, that of a set item its value. A list or struct that the API types
declare atomic is one field.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches

Json = Any
Path = tuple[str | tuple[Any, ...], ...]
MergedLists = Mapping[str, tuple[str, ...]]
"""The keys of the items of each list that is merged, none for a set; all other lists are atomic."""

_SET: tuple[str, ...] = ()
_BY_NAME = ("name",)
_NODE_ALLOCATABLE = "status.nodeAllocatableResourceClaimStatuses"

_LISTS: MergedLists = {
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
    "status.reservedFor": ("uid",),
    "status.resourceClaimStatuses": _BY_NAME,
}
"""The lists that every API server merges."""

_CLAIM_STATUSES: MergedLists = {
    _NODE_ALLOCATABLE: ("resourceClaimName",),
    f"{_NODE_ALLOCATABLE}[].containers": _SET,
    f"{_NODE_ALLOCATABLE}[].mapping": _BY_NAME,
    f"{_NODE_ALLOCATABLE}[].overhead": _BY_NAME,
}
"""The further lists of API servers that merge nodeAllocatableResourceClaimStatuses."""

_ATOMIC = frozenset(
    {
        "metadata.ownerReferences[]",
        "spec.nodeSelector",
        "spec.scopeSelector",
        "status.allocation.nodeSelector",
    }
)
"""Atomic structs and maps, which are replaced as a whole."""


def merged_lists(profile: Profile) -> MergedLists:
    """Return the lists that the API server of a profile merges."""
    switches = ApiServerSwitches.of(profile)
    return {**_LISTS, **_CLAIM_STATUSES} if switches.claim_statuses_merged else _LISTS


def fields_of(
    value: Json, lists: MergedLists, path: Path = (), place: str = ""
) -> Iterator[tuple[Path, Json]]:
    """Yield every field with its value; an item of a merged list is also a field, with value None."""
    if isinstance(value, Mapping) and value and place not in _ATOMIC:
        for name, item in value.items():
            if item is not None:
                yield from fields_of(item, lists, (*path, name), f"{place}.{name}" if place else name)
    elif isinstance(value, list) and place in lists:
        for key, item in _items(value, lists[place]):
            if f"{place}[]" in _ATOMIC or lists[place] == _SET:
                yield (*path, key), item
            else:
                yield (*path, key), None
                yield from fields_of(item, lists, (*path, key), f"{place}[]")
    else:
        yield path, value


def merged(live: Json, applied: Json, lists: MergedLists, place: str = "") -> Json:
    """Return the live value with the applied fields merged into it."""
    if isinstance(live, Mapping) and isinstance(applied, Mapping) and place not in _ATOMIC:
        result = {
            name: merged(live.get(name), item, lists, f"{place}.{name}" if place else name)
            for name, item in applied.items()
            if item is not None
        }
        return {**live, **result}
    if isinstance(live, list) and isinstance(applied, list) and place in lists:
        existing = dict(_items(live, lists[place]))
        result = {
            key: merged(existing.get(key), item, lists, f"{place}[]")
            for key, item in _items(applied, lists[place])
        }
        return list({**existing, **result}.values())
    return applied


def without(
    value: Json, removed: Collection[Path], lists: MergedLists, path: Path = (), place: str = ""
) -> Json:
    """Return the value without the fields and items at these paths."""
    if isinstance(value, Mapping) and place not in _ATOMIC:
        return {
            name: without(item, removed, lists, (*path, name), f"{place}.{name}" if place else name)
            for name, item in value.items()
            if (*path, name) not in removed
        }
    if isinstance(value, list) and place in lists:
        return [
            without(item, removed, lists, (*path, key), f"{place}[]")
            for key, item in _items(value, lists[place])
            if (*path, key) not in removed
        ]
    return value


def with_parents(paths: Iterable[Path]) -> set[Path]:
    """Return the paths and all their parents."""
    return {path[:length] for path in paths for length in range(1, len(path) + 1)}


def _items(values: Iterable[Json], keys: tuple[str, ...]) -> Iterator[tuple[tuple[Any, ...], Json]]:
    """Yield the items of a list that is merged by these keys, with their path elements."""
    for item in values:
        fields = item if isinstance(item, Mapping) else {}
        yield tuple((name, fields.get(name)) for name in keys) if keys else ("", item), item

"""Merging of two ResourceSlices of a pool."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

Json = Any


def mergeable_slices(whole: Json) -> Iterator[tuple[int, int]]:
    """Yield pairs of mergeable slices of one pool: both have counters, or equal node selection modes."""
    slices = whole["objects"].get("resourceSlices", [])
    kinds = [
        (
            *_pool(resource_slice),
            "sharedCounters" in resource_slice["spec"],
            "perDeviceNodeSelection" in resource_slice["spec"],
        )
        for resource_slice in slices
    ]
    yield from ((i, j) for i, j in combinations(range(len(slices)), 2) if kinds[i] == kinds[j])


def merge_slices(whole: Json, first: int, last: int) -> None:
    """Move the content of the later slice to the earlier one, in place."""
    slices = whole["objects"]["resourceSlices"]
    removed = slices.pop(last)["spec"]
    for field in ("devices", "sharedCounters"):
        if field in removed:
            slices[first]["spec"][field] = slices[first]["spec"].get(field, []) + removed[field]
    complete_pools(whole)


def complete_pools(whole: Json) -> None:
    """Set `resourceSliceCount` of each pool to its number of slices, in place."""
    slices = whole["objects"].get("resourceSlices", [])
    for resource_slice in slices:
        generation = resource_slice["spec"]["pool"]["generation"]
        same = [
            o
            for o in slices
            if _pool(o) == _pool(resource_slice) and o["spec"]["pool"]["generation"] == generation
        ]
        resource_slice["spec"]["pool"]["resourceSliceCount"] = len(same)


def _pool(resource_slice: Json) -> tuple[str, str]:
    return resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"]

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
        (*_pool(one), "sharedCounters" in one["spec"], "perDeviceNodeSelection" in one["spec"])
        for one in slices
    ]
    yield from ((i, j) for i, j in combinations(range(len(slices)), 2) if kinds[i] == kinds[j])


def merge_slices(whole: Json, first: int, last: int) -> None:
    """Move the content of the later slice to the earlier one, in place."""
    slices = whole["objects"]["resourceSlices"]
    gone = slices.pop(last)["spec"]
    for field in ("devices", "sharedCounters"):
        if field in gone:
            slices[first]["spec"][field] = slices[first]["spec"].get(field, []) + gone[field]
    complete_pools(whole)


def complete_pools(whole: Json) -> None:
    """Set `resourceSliceCount` of each pool to its number of slices, in place."""
    slices = whole["objects"].get("resourceSlices", [])
    for one in slices:
        generation = one["spec"]["pool"]["generation"]
        same = [o for o in slices if _pool(o) == _pool(one) and o["spec"]["pool"]["generation"] == generation]
        one["spec"]["pool"]["resourceSliceCount"] = len(same)


def _pool(one: Json) -> tuple[str, str]:
    return one["spec"]["driver"], one["spec"]["pool"]["name"]

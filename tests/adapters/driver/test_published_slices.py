"""Pools that a driver has published in part."""

from __future__ import annotations

from typing import Any

from dra_conform.adapters.driver.published_slices import all_complete, incomplete_pools


def published(pool: str, generation: int, count: int) -> dict[str, Any]:
    return {"spec": {"pool": {"name": pool, "generation": generation, "resourceSliceCount": count}}}


def test_a_pool_is_complete_with_all_its_slices() -> None:
    assert not all_complete([])
    assert all_complete([published("a", 1, 2), published("a", 1, 2), published("b", 4, 1)])


def test_a_pool_without_some_of_its_slices_is_named() -> None:
    slices = [published("a", 1, 2), published("b", 4, 1)]
    assert not all_complete(slices)
    assert list(incomplete_pools(slices)) == [
        "pool a has 1 ResourceSlice of generation 1, resourceSliceCount is 2"
    ]


def test_two_generations_are_incomplete() -> None:
    slices = [published("a", 1, 2), published("a", 2, 2)]
    assert not all_complete(slices)
    assert list(incomplete_pools(slices)) == [
        "pool a has 2 ResourceSlices of generation 1 and 2, resourceSliceCount is 2"
    ]

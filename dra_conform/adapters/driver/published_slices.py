"""The pools that a driver has published so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dra_conform.kube.listing import counted

Json = Any


def all_complete(slices: Sequence[Json]) -> bool:
    """Return whether there is a pool, and each pool is complete."""
    pools = _by_pool(slices)
    return bool(pools) and all(map(is_complete, pools.values()))


def is_complete(slices: Sequence[Json]) -> bool:
    """Return whether a pool has one generation and as many ResourceSlices as resourceSliceCount."""
    pools = [raw["spec"]["pool"] for raw in slices]
    return {(pool["generation"], pool["resourceSliceCount"]) for pool in pools} == {
        (pools[0]["generation"], len(slices))
    }


def incomplete_pools(slices: Sequence[Json]) -> Iterator[str]:
    """Yield what each incomplete pool has, and what it declares."""
    for name, members in _by_pool(slices).items():
        if not is_complete(members):
            generations = _joined(raw["spec"]["pool"]["generation"] for raw in members)
            counts = _joined(raw["spec"]["pool"]["resourceSliceCount"] for raw in members)
            yield (
                f"pool {name} has {counted(len(members), 'ResourceSlice')} of generation {generations}, "
                f"resourceSliceCount is {counts}"
            )


def _joined(numbers: Iterable[int]) -> str:
    return " and ".join(map(str, sorted(set(numbers))))


def _by_pool(slices: Sequence[Json]) -> Mapping[str, list[Json]]:
    pools: dict[str, list[Json]] = {}
    for raw in slices:
        pools.setdefault(raw["spec"]["pool"]["name"], []).append(raw)
    return pools

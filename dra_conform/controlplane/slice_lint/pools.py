"""Checks of pools: complete, of one generation, with unique names, in a stable order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from dra_conform.controlplane.slice_lint.published import (
    LintFinding,
    Located,
    PublishedPoolSlices,
    devices_of,
)
from dra_conform.kube.resource import ResourceSlice

_COUNT = ("spec", "pool", "resourceSliceCount")
_GENERATION = ("spec", "pool", "generation")


def check_pool(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    """Yield the reasons why devices of a pool cannot be allocated, and remains of earlier generations."""
    yield from _completeness(pool)
    yield from _unique_devices(pool)
    yield from _owners(pool)
    for found in pool.older:
        yield found.part(found.item, *_GENERATION).advice(
            "DRA/pool/highest-generation-only",
            f"generation {found.item.spec.pool.generation} of pool {pool.label} is ignored, "
            f"expected deletion after generation {pool.generation} was published",
        )
    yield from _order(pool)


def _completeness(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    counts = {found.item.spec.pool.resource_slice_count for found in pool.slices}
    last = pool.slices[-1]
    if len(counts) > 1:
        yield last.part(last.item, *_COUNT).error(
            "DRIVER/slices/complete",
            f"the ResourceSlices of pool {pool.label} have the counts {', '.join(map(str, sorted(counts)))}, "
            f"expected one count",
        )
        return
    [count] = counts
    actual = len(pool.slices)
    if actual != count:
        excess = "none of its devices is allocated" if actual < count else "the pool is not complete"
        yield last.part(last.item, *_COUNT).error(
            "DRIVER/slices/complete",
            f"pool {pool.label} has {actual} of {count} ResourceSlices of generation {pool.generation}, "
            f"so {excess}",
        )


def _unique_devices(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    names: set[str] = set()
    for device in pool.devices():
        if device.item.name in names:
            yield device.part(device.item, "name").error(
                "DRA/pool/duplicate-device-name",
                f"device {device.item.name} occurs twice in pool {pool.label}, expected unique names",
            )
        names.add(device.item.name)


def _owners(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    """Check the owners of ResourceSlices that come from a cluster; written ones have none yet."""
    for found in pool.slices:
        metadata = found.item.metadata
        if metadata.uid and found.item.spec.node_name and not metadata.owner_references:
            yield found.part(found.item, "metadata").advice(
                "DRIVER/slices/owner",
                f"ResourceSlice {metadata.name} has no owner, expected the Node {found.item.spec.node_name}, "
                "so that it is deleted with the node",
            )


def _order(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    """Compare the order of devices between generations with equal sets of devices."""
    generations = [
        tuple(group)
        for _, group in groupby(
            (*pool.older, *pool.slices), key=lambda found: found.item.spec.pool.generation
        )
    ]
    for before, after in pairwise(generations):
        earlier, later = _names(before), _names(after)
        if earlier != later and sorted(earlier) == sorted(later):
            yield (
                after[0]
                .part(after[0].item, "spec", "devices")
                .advice(
                    "DRIVER/slices/order-is-preference",
                    f"pool {pool.label} has the devices of the generation before in another order, "
                    "expected a stable order, because allocators use the first device that fits",
                )
            )


def _names(slices: Sequence[Located[ResourceSlice]]) -> list[str]:
    ordered = sorted(slices, key=lambda found: found.item.metadata.name)
    return [device.item.name for device in devices_of(ordered)]

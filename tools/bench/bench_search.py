"""Benchmarks of the search in large inventories, each in its own process, with its peak memory."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from time import process_time
from typing import TypeVar

import worlds
from placing import PROFILE, FirstFit, Placed, by_builtin
from row import Row

from dra_conform.allocator import Allocator, Unallocatable
from dra_conform.kube.objects import decode

T = TypeVar("T")
FLAT = 130
"""Upper bound of the time per claim with the most nodes, in percent of that with the fewest nodes."""


def bench() -> Iterator[Row]:
    """Measure claims by number of nodes, many claims, a claim with a long search, and a million devices."""
    each: dict[int, float] = {}
    for nodes in (100, 500, 1_000, 5_000):
        (build, each[nodes]), _ = _apart(_equal, nodes)
        yield Row(f"{nodes:,} nodes x 10 devices, build", build, "s", 10, at_most=True)
        yield Row(
            f"1,000 equal claims, {nodes:,} nodes, a claim", 1e3 * each[nodes], "us", 1_000, at_most=True
        )
    yield Row(
        "1,000 equal claims, 5,000 nodes compared to 100",
        100 * each[5_000] / each[100],
        "%",
        FLAT,
        at_most=True,
    )
    placed, memory = _apart(_many)
    assert all(placed.nodes)
    yield Row("50,000 claims, 5,000 nodes x 10 devices, seconds", placed.seconds, "s", 60, at_most=True)
    yield Row("50,000 claims, 5,000 nodes x 10 devices, memory", memory, "MiB", 2_000, at_most=True)
    for devices in (8, 16, 24, 32, 48, 64):
        (seconds, steps), _ = _apart(_hard, devices)
        name = worlds.one_too_many(devices).name
        yield Row(f"{name}, milliseconds", 1e3 * seconds, "ms", 1_000, at_most=True)
        yield Row(f"{name}, steps", steps, "steps", 10 * devices, at_most=True)
    yield from _million()


def _million() -> Iterator[Row]:
    name = "a million devices in one inventory"
    (build, select, allocate), memory = _apart(_inventory)
    yield Row(f"{name}, build", build, "s", 60, at_most=True)
    yield Row(f"{name}, first selector", select, "s", 60, at_most=True)
    yield Row(f"{name}, 10,000 claims with 20 selectors", allocate, "s", 60, at_most=True)
    yield Row(f"{name}, memory", memory, "MiB", 4_000, at_most=True)


def _apart(measure: Callable[..., T], *arguments: int) -> tuple[T, float]:
    """Run a measurement in its own process. Return its result and the peak memory in MiB."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        result = process.submit(measure, *arguments).result()
        peak = process.submit(_peak).result()
    return result, peak


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _equal(nodes: int) -> tuple[float, float]:
    """Return the seconds until the first claim is placed, and the seconds for a thousand more claims."""
    world = worlds.one_a_pod(half_full=False, claims=1_000, nodes=nodes)
    slices, classes = [decode(raw) for raw in world.slices], [decode(raw) for raw in world.classes]
    claims, places = [decode(raw) for raw in world.claims], [decode(raw) for raw in world.nodes]
    times = [process_time()]
    session = Allocator(slices, classes, profile=PROFILE).session()
    first_fit = FirstFit(session, places)
    for group in (claims[:1], claims[1:]):
        for claim in group:
            assert first_fit.of(claim)[1] is not None
        times.append(process_time())
    build, place = (after - before for before, after in pairwise(times))
    return build, place


def _many() -> Placed:
    return by_builtin(worlds.one_a_pod(half_full=False, claims=50_000, nodes=5_000))


def _hard(devices: int) -> tuple[float, int]:
    """Return seconds and steps for a claim that cannot be allocated.

    A search without optimizations takes very long to find this out.
    """
    world = worlds.one_too_many(devices)
    slices, classes = [decode(raw) for raw in world.slices], [decode(raw) for raw in world.classes]
    claims = [decode(raw) for raw in world.claims]
    (node,) = (decode(raw) for raw in world.nodes)
    started = process_time()
    decision = Allocator(slices, classes, profile=PROFILE).allocate(node, claims)
    seconds = process_time() - started
    assert isinstance(decision, Unallocatable)
    return seconds, decision.steps


def _inventory() -> tuple[float, float, float]:
    """Return the seconds to build the inventory, to evaluate the first selector, and to allocate the rest."""
    world = worlds.one_inventory(1_000_000, 10_000)
    slices, classes = [decode(raw) for raw in world.slices], [decode(raw) for raw in world.classes]
    claims = [decode(raw) for raw in world.claims]
    (node,) = (decode(raw) for raw in world.nodes)
    times = [process_time()]
    allocator = Allocator(slices, classes, profile=PROFILE)
    allocator.view(node)
    times.append(process_time())
    session = allocator.session()
    session.allocate(node, claims[:1])
    times.append(process_time())
    for claim in claims[1:]:
        session.allocate(node, (claim,))
    times.append(process_time())
    build, select, allocate = (after - before for before, after in pairwise(times))
    return build, select, allocate

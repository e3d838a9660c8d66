"""Benchmark of large inventories, on which kube-scheduler's allocator and the built-in must agree."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from time import perf_counter

import worlds
from placing import BUILD, PROFILE, RELEASE, Placed, by_batch, by_build, by_builtin, devices_of
from row import Row
from worlds import World

from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.implementation import Request, Suite

SERVED = f"exec:{sys.executable} -m dra_conform.adapters.serve builtin"
WORLDS: tuple[Callable[[], World], ...] = (
    lambda: worlds.one_a_pod(half_full=False),
    lambda: worlds.one_a_pod(half_full=True),
    lambda: worlds.one_a_pod(half_full=False, shapes=1_000),
    worlds.partitions,
    worlds.alternatives,
    worlds.backtracking,
    lambda: worlds.two_requests(12),
)
FASTER = {
    "5,000 claims, 500 nodes x 10 devices, empty": 2_000,
    "5,000 claims, 500 nodes x 10 devices, half full": 2_000,
}
"""Expected speed in percent of kube-scheduler's allocator, where more than 100 is expected."""


def bench() -> Iterator[Row]:
    """Measure each inventory claim by claim, and shared devices also as a single request to an adapter
    process.

    Yields no row if the build of kube-scheduler's allocator does not exist.
    """
    if not BUILD.exists():
        return
    yield from _in_one_request(worlds.shared())
    yield from _compared(worlds.shared(), by_batch)
    for make in WORLDS:
        yield from _compared(make(), by_builtin)


def _compared(world: World, place: Callable[[World], Placed]) -> Iterator[Row]:
    ours, theirs = place(world), by_build(world)
    assert ours.outcome == theirs.outcome, (
        f"{world.name}: the built-in and {RELEASE} place claims differently, expected equal placements"
    )
    count = len(world.claims)
    yield Row(f"{world.name}, built-in", count / ours.seconds, "claims/s", 0)
    yield Row(f"{world.name}, {RELEASE}", count / theirs.seconds, "claims/s", 0)
    yield Row(
        f"{world.name}, built-in/{RELEASE}",
        100 * theirs.seconds / ours.seconds,
        "%",
        FASTER.get(world.name, 100),
    )


def _in_one_request(world: World) -> Iterator[Row]:
    answers = []
    for name, spec in (
        ("built-in in process", "builtin"),
        ("built-in by exec", SERVED),
        (f"{RELEASE} by exec", f"exec:{BUILD}"),
    ):
        seconds, devices = _asked(spec, world)
        answers.append(devices)
        yield Row(f"{world.name}, one request, {name}", len(world.claims) / seconds, "claims/s", 0)
    assert answers[0] == answers[1] == answers[2], (
        f"{world.name} in one request: the implementations answer differently, expected equal answers"
    )


def _asked(spec: str, world: World) -> tuple[float, object]:
    """Return the seconds of one request for all claims, including encoding and decoding, and the answer."""
    request = Request(
        id=1,
        case_id="bench",
        operation="allocate",
        profile=PROFILE,
        objects={name: tuple(items) for name, items in world.objects().items()},
        ask={"node": world.nodes[0]["metadata"]["name"], "claims": world.keys},
        deadline_ms=600_000,
    )
    implementation = open_implementation(spec)
    implementation.start(Suite("bench", "0", ""))
    started = perf_counter()
    (reply,) = implementation.run([request])
    seconds = perf_counter() - started
    implementation.close()
    assert reply.answer is not None, reply.detail
    return seconds, [devices_of(reply.answer.allocations[key]) for key in world.keys]

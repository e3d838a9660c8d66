"""Place the same claims with a build of kube-scheduler's allocator and with the built-in."""

from __future__ import annotations

import json
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from worlds import World

from dra_conform.allocator import Allocated, AllocationSession, Allocator
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode, encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import AllocationResult, ResourceClaim

RELEASE = "v0.36.6"
PROFILE = Profile.named("kubernetes-1.36")
BUILD = Path(__file__).parents[1] / "kube-allocator" / "bin" / f"kube-allocator-{RELEASE}"


@dataclass(frozen=True, slots=True)
class Placed:
    """The node of each claim (empty for an unallocated claim) and its devices.

    `tried` counts the nodes that were tried for all claims, `steps` the calls of the search's recursive step.
    `seconds` exclude the decoding and encoding of objects.
    """

    nodes: tuple[str, ...]
    devices: tuple[Json, ...]
    tried: int
    steps: int
    seconds: float

    @property
    def outcome(self) -> Json:
        """The fields that must be equal for both allocators. `steps` may differ: the built-in skips some."""
        return self.nodes, self.devices, self.tried


def by_build(world: World, *, together: bool = False) -> Placed:
    """Place the claims with the build, one by one or `together` in one request. Raises CalledProcessError."""
    groups = [world.keys] if together else [[key] for key in world.keys]
    question = {"gates": dict(PROFILE.gates), "objects": world.objects(), "groups": groups}
    done = subprocess.run(
        [BUILD, "place"], input=json.dumps(question) + "\n", capture_output=True, text=True, check=True
    )
    answer = json.loads(done.stdout)
    devices = tuple(devices_of(answer["allocations"].get(key)) for key in world.keys)
    return Placed(tuple(answer["nodes"]), devices, answer["tried"], answer["steps"], answer["seconds"])


def by_builtin(world: World) -> Placed:
    """Place the claims with the built-in allocator one by one, each on the first node that fits."""
    slices, classes = _decoded(world.slices), _decoded(world.classes)
    nodes, claims = _decoded(world.nodes), _decoded(world.claims)
    allocated = _decoded(world.held)
    placements: list[tuple[str, AllocationResult | None]] = []
    tried = steps = 0
    started = perf_counter()
    session = Allocator(slices, classes, profile=PROFILE).session(allocated)
    first_fit = FirstFit(session, nodes)
    for claim in claims:
        place, decision = first_fit.of(claim)
        if decision is None:
            tried += len(nodes)
            placements.append(("", None))
            continue
        tried += place + 1
        steps += decision.steps
        placements.append((nodes[place].metadata.name, decision.allocations[0]))
    seconds = perf_counter() - started
    devices = tuple(
        devices_of(None if allocation is None else encode(allocation)) for _, allocation in placements
    )
    return Placed(tuple(name for name, _ in placements), devices, tried, steps, seconds)


class FirstFit:
    """Places claims on the first node that fits.

    Devices are never released, so a node without room for a claim is not tried again for an equal spec.
    """

    def __init__(self, session: AllocationSession, nodes: Sequence[Node]) -> None:
        self._session = session
        self._nodes = nodes
        self._open: dict[bytes, deque[int]] = {}

    def of(self, claim: ResourceClaim) -> tuple[int, Allocated | None]:
        """Return the index of the node and the allocation; the number of nodes and None if no node fits."""
        spec = msgspec.json.encode(claim.spec, enc_hook=str)
        places = self._open.setdefault(spec, deque(range(len(self._nodes))))
        while places:
            decision = self._session.allocate(self._nodes[places[0]], (claim,))
            if isinstance(decision, Allocated):
                return places[0], decision
            places.popleft()
        return len(self._nodes), None


def by_batch(world: World) -> Placed:
    """Place the claims with one call of `allocate_each`, on the only node."""
    slices, classes = _decoded(world.slices), _decoded(world.classes)
    claims = _decoded(world.claims)
    (node,) = (decode(node) for node in world.nodes)
    started = perf_counter()
    decisions = list(Allocator(slices, classes, profile=PROFILE).allocate_each(node, claims))
    seconds = perf_counter() - started
    devices = tuple(
        devices_of(encode(decision.allocations[0]))
        for decision in decisions
        if isinstance(decision, Allocated)
    )
    steps = sum(decision.steps for decision in decisions if isinstance(decision, Allocated))
    return Placed((node.metadata.name,) * len(devices), devices, len(claims), steps, seconds)


def devices_of(allocation: Mapping[str, Json] | None) -> Json:
    """Return the devices and consumed capacity of an allocation, without share IDs."""
    results = allocation["devices"]["results"] if allocation else ()
    return [
        (
            result["request"],
            result["pool"],
            result["device"],
            result.get("consumedCapacity"),
            "shareID" in result,
        )
        for result in results
    ]


def _decoded(objects: Any) -> list[Any]:
    return [decode(raw) for raw in objects]

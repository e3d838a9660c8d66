"""What is known of the nodes that were refused for a pod: one like it need not be tried there again."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from dra_conform.controlplane.simulation.pods import allocation_of, requests_of
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.phases import Code, Phase, PhaseRefused, PhaseResult
from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.kube.core import Node

Json = Any
_Why = tuple[Code, str]


class RefusedNodes:
    """The nodes that the filters have refused for pods of one shape, and those that are left."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._places = {node.metadata.name: place for place, node in enumerate(nodes)}
        self._nodes = nodes
        self._left = list(range(len(nodes)))
        self._why: dict[int, _Why] = {}

    def left(self) -> Iterator[Node]:
        """The nodes that are not refused, in the order of their names."""
        yield from [self._nodes[place] for place in self._left]

    def refuse(self, node: Node, refused: PhaseRefused) -> None:
        """Do without a node."""
        place = self._places[node.metadata.name]
        self._left.remove(place)
        self._why[place] = refused.code, str(refused)

    def try_again(self, name: str) -> None:
        """Something has changed on a node."""
        place = self._places.get(name)
        if place is not None and self._why.pop(place, None) is not None:
            insort(self._left, place)

    def results(self) -> list[PhaseResult]:
        """Why nodes are refused: those with one reason together, in the order of their names."""
        grouped: dict[_Why, list[str]] = {}
        for place in sorted(self._why):
            grouped.setdefault(self._why[place], []).append(self._nodes[place].metadata.name)
        return [PhaseResult(Phase.FILTER, code, why, tuple(names)) for (code, why), names in grouped.items()]


class NodeMemory:
    """The refused nodes by the shape of pods, as long as nothing changes that could help."""

    def __init__(self) -> None:
        self._by_shape: dict[bytes, RefusedNodes] = {}
        self._generation: int | None = None

    def look(self, snapshot: Snapshot) -> None:
        """An attempt begins: take note of the nodes on which something has changed."""
        if snapshot.touched is None or snapshot.assumed:
            self._by_shape.clear()
            return
        for name in snapshot.touched:
            for refused in self._by_shape.values():
                refused.try_again(name)

    def of(self, cycle: Cycle, generation: int | None) -> RefusedNodes:
        """What is known for pods like this one; nothing where the same question may have another answer.

        `generation` is that of the allocations.
        """
        if generation is None or generation != self._generation or cycle.snapshot.assumed:
            self._by_shape.clear()
            self._generation = generation
        nodes = cycle.snapshot.nodes
        if generation is None or cycle.snapshot.assumed or not _is_like_others(cycle):
            return RefusedNodes(nodes)
        shape = _shape(cycle)
        if shape not in self._by_shape:
            self._by_shape[shape] = RefusedNodes(nodes)
        return self._by_shape[shape]


def _is_like_others(cycle: Cycle) -> bool:
    """Whether no claim is allocated, or asks for all devices: what others take can then only do harm."""
    asked = [one for claim in cycle.claims for one in requests_of(claim)]
    each = [one for request in asked for one in (request.get("exactly"), *request.get("firstAvailable", ()))]
    return not any(allocation_of(claim) for claim in cycle.claims) and not any(
        one and one.get("allocationMode") == "All" for one in each
    )


def _shape(cycle: Cycle) -> bytes:
    """What filters look at: the spec of the pod and those of its claims, names of claims apart."""
    spec = {name: value for name, value in cycle.pod["spec"].items() if name != "resourceClaims"}
    return msgspec.json.encode([spec, [claim["spec"] for claim in cycle.claims]])

"""Nodes that failed for a pod, so that an equal pod is not tried there again."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from dra_conform.controlplane.simulation.pods import allocation_of, entries, requests_of
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.phases import Code, Phase, PhaseRefused, PhaseResult
from dra_conform.controlplane.simulation.snapshot import Snapshot, SortedNodes
from dra_conform.kube.core import Node

Json = Any
_Why = tuple[Code, str]


class RefusedNodes:
    """The nodes that the filters have refused for pods of one shape, and those that are left."""

    def __init__(self, nodes: SortedNodes) -> None:
        self._names = nodes.names
        self._places = nodes.places
        self._why: dict[int, _Why] = {}
        self._refused: dict[_Why, list[int]] = {}
        self._results: Sequence[PhaseResult] | None = ()

    def left(self, order: Iterable[Node]) -> Iterator[Node]:
        """The nodes that are not refused, in an order."""
        if len(self._why) == len(self._names):
            return iter(())
        return (node for node in order if self._places[node.metadata.name] not in self._why)

    def refuse(self, node: Node, refused: PhaseRefused) -> None:
        """Do without a node."""
        place = self._places[node.metadata.name]
        why = self._why[place] = refused.code, str(refused)
        insort(self._refused.setdefault(why, []), place)
        self._results = None

    def try_again(self, name: str) -> None:
        """Something has changed on a node."""
        place = self._places.get(name)
        if place is None or place not in self._why:
            return
        why = self._why.pop(place)
        _take_out(self._refused[why], place)
        if not self._refused[why]:
            del self._refused[why]
        self._results = None

    def results(self) -> Sequence[PhaseResult]:
        """Why nodes are refused: those with one reason together, in the order of their names."""
        if self._results is None:
            by_first = sorted(self._refused.items(), key=lambda item: item[1][0])
            self._results = tuple(
                PhaseResult(Phase.FILTER, code, why, tuple(map(self._names.__getitem__, places)))
                for (code, why), places in by_first
            )
        return self._results


def _take_out(places: list[int], place: int) -> None:
    del places[bisect_left(places, place)]


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
        nodes = cycle.snapshot.sorted_nodes
        if generation is None or cycle.snapshot.assumed or not is_like_others(cycle):
            return RefusedNodes(nodes)
        shape = shape_of(cycle)
        if shape not in self._by_shape:
            self._by_shape[shape] = RefusedNodes(nodes)
        return self._by_shape[shape]


def is_like_others(cycle: Cycle) -> bool:
    """Whether no claim is allocated, or asks for all devices: what others take can then only do harm."""
    asked = [one for claim in cycle.claims for one in requests_of(claim)]
    each = [one for request in asked for one in (request.get("exactly"), *request.get("firstAvailable", ()))]
    return not any(allocation_of(claim) for claim in cycle.claims) and not any(
        one and one.get("allocationMode") == "All" for one in each
    )


def shape_of(cycle: Cycle) -> bytes:
    """What filters look at: the spec of the pod and those of its claims, names of claims apart."""
    spec = {name: value for name, value in cycle.pod["spec"].items() if name != "resourceClaims"}
    named = [one["name"] for one in entries(cycle.pod)]
    return msgspec.json.encode([spec, named, [claim["spec"] for claim in cycle.claims]])

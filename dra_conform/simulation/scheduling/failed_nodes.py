"""Cache of nodes that failed for a pod, so that pods of equal shape skip them."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from dra_conform.cluster_state.pods import allocation_of, entries, requests_of
from dra_conform.kube.core import Node
from dra_conform.simulation.scheduling.cycle import Cycle
from dra_conform.simulation.scheduling.phases import Code, Phase, PhaseFailed, PhaseResult
from dra_conform.simulation.snapshot import Snapshot, SortedNodes

_Reason = tuple[Code, tuple[str, ...], frozenset[str]]
"""A status code, its reasons, and the plugin."""


class FailedNodes:
    """The nodes that the filters rejected for pods of one shape."""

    def __init__(self, nodes: SortedNodes) -> None:
        self._names = nodes.names
        self._indices = nodes.indices
        self._reasons: dict[int, _Reason] = {}
        """The reason by index of the node."""
        self._failed: dict[_Reason, list[int]] = {}
        """The sorted indices of nodes by reason."""
        self._results: Sequence[PhaseResult] | None = ()

    def remaining(self, order: Iterable[Node]) -> Iterator[Node]:
        """Yield the nodes that did not fail, in the given order."""
        if len(self._reasons) == len(self._names):
            return iter(())
        return (node for node in order if self._indices[node.metadata.name] not in self._reasons)

    def add(self, node: Node, failure: PhaseFailed) -> None:
        """Add a node that failed."""
        index = self._indices[node.metadata.name]
        reason = self._reasons[index] = failure.code, failure.reasons, failure.plugins
        insort(self._failed.setdefault(reason, []), index)
        self._results = None

    def discard(self, name: str) -> None:
        """Remove a node after a change, so that it is filtered again."""
        index = self._indices.get(name)
        if index is None or index not in self._reasons:
            return
        reason = self._reasons.pop(index)
        _remove(self._failed[reason], index)
        if not self._failed[reason]:
            del self._failed[reason]
        self._results = None

    def plugins(self) -> frozenset[str]:
        """Return the names of the plugins that rejected a node."""
        return frozenset[str]().union(*(plugins for _, _, plugins in self._failed))

    def results(self) -> Sequence[PhaseResult]:
        """Return the reasons with their nodes, in the order of the first node by name."""
        if self._results is None:
            by_first = sorted(self._failed.items(), key=lambda item: item[1][0])
            self._results = tuple(
                PhaseResult(Phase.FILTER, code, reasons, tuple(map(self._names.__getitem__, places)))
                for (code, reasons, _), places in by_first
            )
        return self._results


def _remove(places: list[int], index: int) -> None:
    del places[bisect_left(places, index)]


class FailedNodeCache:
    """The failed nodes by pod shape, valid until a change that could help."""

    def __init__(self) -> None:
        self._by_shape: dict[bytes, FailedNodes] = {}
        self._generation: int | None = None

    def update(self, snapshot: Snapshot) -> None:
        """Remove the changed nodes at the start of an attempt."""
        if snapshot.changed_nodes is None or snapshot.assumed:
            self._by_shape.clear()
            return
        for name in snapshot.changed_nodes:
            for failed in self._by_shape.values():
                failed.discard(name)

    def of(self, cycle: Cycle, generation: int | None) -> FailedNodes:
        """Return the failed nodes for pods of equal shape, empty if the failures cannot be reused.

        `generation` is that of NodeAllocation.
        """
        if generation is None or generation != self._generation or cycle.snapshot.assumed:
            self._by_shape.clear()
            self._generation = generation
        nodes = cycle.snapshot.sorted_nodes
        if generation is None or cycle.snapshot.assumed or not is_shareable(cycle):
            return FailedNodes(nodes)
        shape = shape_of(cycle)
        if shape not in self._by_shape:
            self._by_shape[shape] = FailedNodes(nodes)
        return self._by_shape[shape]


def is_shareable(cycle: Cycle) -> bool:
    """Whether further allocations never help the pod, so that other pods can reuse its failed nodes."""
    requests = [request for claim in cycle.claims for request in requests_of(claim)]
    exact = [
        request
        for either in requests
        for request in (either.get("exactly"), *either.get("firstAvailable", ()))
    ]
    return not any(allocation_of(claim) for claim in cycle.claims) and not any(
        request and request.get("allocationMode") == "All" for request in exact
    )


def shape_of(cycle: Cycle) -> bytes:
    """Return the fields that filters depend on: the specs of pod and claims without names of claims."""
    spec = {name: value for name, value in cycle.pod["spec"].items() if name != "resourceClaims"}
    names = [entry["name"] for entry in entries(cycle.pod)]
    return msgspec.json.encode([spec, names, [claim["spec"] for claim in cycle.claims]])

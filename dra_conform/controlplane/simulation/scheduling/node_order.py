"""The order of nodes: most remaining CPU and memory first, as NodeResourcesFit scores them.

The score depends on the requests of the pod, not on allocations of its claims. So nodes can be ordered before
any claim is allocated (KEP-5517/node-fit/scoring-uses-spec-only).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.footprint.amounts import ZERO, Amounts
from dra_conform.kube.core import Node

_SCORED = ("cpu", "memory")
_MAX_SCORE = 100
_Rank = tuple[int, int]
"""The negative score and the index by name, for ascending order."""
_MAX_ORDERS = 8
"""The number of distinct requests for which an order is kept."""


def remaining_percent(node: Node, demand: Amounts, used: Amounts) -> int:
    """Return the mean of the percentages of cpu and memory that remain on a node with a further pod."""
    allocatable = node.status.allocatable if node.status else {}
    percentages = [
        max(0, allocatable[name].nano - used.get(name, ZERO).nano - demand.get(name, ZERO).nano)
        * _MAX_SCORE
        // allocatable[name].nano
        for name in _SCORED
        if allocatable.get(name)
    ]
    return sum(percentages) // len(percentages) if percentages else 0


class NodeOrder:
    """Nodes by descending score for pods with equal requests; nodes with equal scores are ordered by name."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._indices = {node.metadata.name: index for index, node in enumerate(nodes)}
        self._ranks: dict[int, _Rank] = {}
        self._sorted: list[_Rank] = []
        self._order: list[Node] = []
        self._changed = set(range(len(nodes)))

    def mark_changed(self, names: Iterable[str]) -> None:
        """Mark nodes to be scored again."""
        self._changed.update(self._indices[name] for name in names if name in self._indices)

    def current(self, score: Callable[[Node], int]) -> Sequence[Node]:
        """Return the ordered nodes, with changed nodes scored again, as a list that the next call changes."""
        ranks = {index: (-score(self._nodes[index]), index) for index in self._changed}
        self._changed = set()
        if len(ranks) == len(self._nodes):
            self._sorted = sorted(ranks.values())
            self._order = [self._nodes[index] for _, index in self._sorted]
        else:
            for index, rank in ranks.items():
                self._move(index, rank)
        self._ranks |= ranks
        return self._order

    def _move(self, index: int, rank: _Rank) -> None:
        old = bisect_left(self._sorted, self._ranks[index])
        del self._sorted[old], self._order[old]
        new = bisect_left(self._sorted, rank)
        self._sorted.insert(new, rank)
        self._order.insert(new, self._nodes[index])


class NodeOrders:
    """Node orders by pod request, updated as pods change."""

    def __init__(self) -> None:
        self._by_request: dict[tuple[int, ...], NodeOrder] = {}

    def update(self, snapshot: Snapshot) -> None:
        """Mark the changed nodes at the start of an attempt."""
        if snapshot.changed_nodes is None or snapshot.assumed:
            self._by_request.clear()
        for order in self._by_request.values():
            order.mark_changed(snapshot.changed_nodes or ())

    def of(self, snapshot: Snapshot, demand: Amounts, used: Callable[[Node], Amounts]) -> Sequence[Node]:
        """Return the nodes in order for a pod with these requests; raise DecodeErrors."""
        request = tuple(demand.get(name, ZERO).nano for name in _SCORED)
        if request not in self._by_request:
            while len(self._by_request) >= _MAX_ORDERS:
                del self._by_request[next(iter(self._by_request))]
            self._by_request[request] = NodeOrder(snapshot.nodes)
        order = self._by_request[request].current(lambda node: remaining_percent(node, demand, used(node)))
        if snapshot.assumed:
            self._by_request.clear()
        return order

"""The order of nodes: most remaining CPU and memory first, as NodeResourcesFit scores them.

Its score depends on what the pod requests and not on what its claims would get, so that nodes can be put in
order before any claim is allocated (KEP-5517/node-fit/scoring-uses-spec-only).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from dra_conform.controlplane.simulation.snapshot import Snapshot
from dra_conform.footprint.amounts import NOTHING, Amounts
from dra_conform.kube.core import Node

_SCORED = ("cpu", "memory")
_MOST = 100
_Rank = tuple[int, int]
"""The score, most first, and the place by name."""
_MOST_SORTS = 8
"""The requests for which orders are kept."""


def left_over(node: Node, wanted: Amounts, taken: Amounts) -> int:
    """How much of a node's cpu and memory is left with a pod: percent of each that it has, their mean."""
    offered = node.status.allocatable if node.status else {}
    each = [
        max(0, offered[name].nano - taken.get(name, NOTHING).nano - wanted.get(name, NOTHING).nano)
        * _MOST
        // offered[name].nano
        for name in _SCORED
        if offered.get(name)
    ]
    return sum(each) // len(each) if each else 0


class NodeOrder:
    """The nodes as pods that request the same find them. Those with equal scores are in order of name."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._places = {node.metadata.name: place for place, node in enumerate(nodes)}
        self._ranks: dict[int, _Rank] = {}
        self._sorted: list[_Rank] = []
        self._order: list[Node] = []
        self._changed = set(range(len(nodes)))

    def look_again(self, names: Iterable[str]) -> None:
        """Something has changed on these nodes."""
        self._changed.update(self._places[name] for name in names if name in self._places)

    def now(self, score: Callable[[Node], int]) -> Sequence[Node]:
        """The nodes in order, until it is asked for again; only those that have changed are scored."""
        ranks = {place: (-score(self._nodes[place]), place) for place in self._changed}
        self._changed = set()
        if len(ranks) == len(self._nodes):
            self._sorted = sorted(ranks.values())
            self._order = [self._nodes[place] for _, place in self._sorted]
        else:
            for place, rank in ranks.items():
                self._move(place, rank)
        self._ranks |= ranks
        return self._order

    def _move(self, place: int, rank: _Rank) -> None:
        old = bisect_left(self._sorted, self._ranks[place])
        del self._sorted[old], self._order[old]
        new = bisect_left(self._sorted, rank)
        self._sorted.insert(new, rank)
        self._order.insert(new, self._nodes[place])


class NodeOrders:
    """The orders for pods that request different things, kept while pods come and go."""

    def __init__(self) -> None:
        self._by_request: dict[tuple[int, ...], NodeOrder] = {}

    def look(self, snapshot: Snapshot) -> None:
        """An attempt begins: take note of the nodes on which something has changed."""
        if snapshot.touched is None or snapshot.assumed:
            self._by_request.clear()
        for order in self._by_request.values():
            order.look_again(snapshot.touched or ())

    def of(self, snapshot: Snapshot, wanted: Amounts, taken: Callable[[Node], Amounts]) -> Sequence[Node]:
        """The nodes in order for a pod that requests so much; raises DecodeErrors."""
        request = tuple(wanted.get(name, NOTHING).nano for name in _SCORED)
        if request not in self._by_request:
            while len(self._by_request) >= _MOST_SORTS:
                del self._by_request[next(iter(self._by_request))]
            self._by_request[request] = NodeOrder(snapshot.nodes)
        order = self._by_request[request].now(lambda node: left_over(node, wanted, taken(node)))
        if snapshot.assumed:
            self._by_request.clear()
        return order

"""The node filters that do not depend on claims, and the order of the nodes that pass them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Sequence

from dra_conform.cluster_state.acceptable_nodes import wants
from dra_conform.cluster_state.kubelet_admission import insufficient_resources
from dra_conform.footprint import footprint
from dra_conform.footprint.amounts import ZERO, Amounts
from dra_conform.kube.core import Node, Pod, Taint
from dra_conform.kube.extended_resources import CLASS_PREFIX, is_extended
from dra_conform.kube.objects import decode
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.simulation.extended_resources.backing_classes import provided_by_node
from dra_conform.simulation.scheduling.cycle import Cycle, SchedulerPlugin
from dra_conform.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.simulation.scheduling.shortages import (
    TOO_MANY_PODS,
    Shortage,
    insufficient,
    shortages_of,
)
from dra_conform.simulation.snapshot import Snapshot

BLOCKING = ("NoSchedule", "NoExecute")
"""The effects of taints that keep pods from a node."""
_CORDONED = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")
"""The taint that a pod must tolerate to run on an unschedulable node, even if the node lacks the taint."""


class NodeTaints(SchedulerPlugin):
    """The plugins NodeUnschedulable and TaintToleration."""

    name = "TaintToleration"

    def filter(self, node: Node) -> None:
        """Reject a node that is unschedulable or has a taint that the pod does not tolerate."""
        pod = self.cycle.typed
        if node.spec.unschedulable and not tolerated(_CORDONED, pod):
            raise PhaseFailed(Code.UNRESOLVABLE, "node(s) were unschedulable")
        if any(not tolerated(taint, pod) for taint in node.spec.taints if taint.effect in BLOCKING):
            raise PhaseFailed(Code.UNRESOLVABLE, "node(s) had untolerated taint(s)")


class NodeAffinity(SchedulerPlugin):
    """The plugin NodeAffinity."""

    name = "NodeAffinity"

    def filter(self, node: Node) -> None:
        """Reject a node that does not match the pod's nodeSelector or required node affinity."""
        if not wants(self.cycle.typed, node):
            raise PhaseFailed(Code.UNRESOLVABLE, "node(s) didn't match Pod's node affinity/selector")


class NodeResourcesFit(SchedulerPlugin):
    """The plugin NodeResourcesFit: the resources of a node without those of claims."""

    name = "NodeResourcesFit"

    def __init__(self, cycle: Cycle, orders: NodeOrders) -> None:
        super().__init__(cycle)
        self._orders = orders
        self._demand: Amounts = {}
        self._switches = NodeResourceSwitches.of(cycle.profile)

    def pre_filter(self) -> None:
        """Compute the pod's requests without claims, and order the nodes by remaining resources."""
        self._demand = footprint(self.cycle.typed, ())
        # With policies, a change of a claim can change the order without a change of pods.
        orders = NodeOrders() if self._switches.policies else self._orders
        self.cycle.order = orders.of(self.cycle.snapshot, self._demand, self._used)
        if self._switches.policies and self.cycle.accounts.are_managed(map(decode, self.cycle.claims)):
            self._demand = {name: quantity for name, quantity in self._demand.items() if is_extended(name)}

    def filter(self, node: Node) -> None:
        """Reject a node with too little left; preemption can help if the empty node has enough.

        A node whose status does not limit the number of pods takes any number.
        """
        allocatable = node.status.allocatable if node.status else {}
        demand = self._demand_on(node)
        missing = [name for name in demand if demand[name] and name not in allocatable and is_extended(name)]
        lacking = sorted({*missing, *insufficient_resources(demand, node, self._used(node))})
        reasons = [insufficient(name) for name in lacking]
        if "pods" in allocatable and self.cycle.snapshot.count_on(node) >= allocatable["pods"].value():
            reasons.insert(0, TOO_MANY_PODS)
        if reasons:
            never = missing or insufficient_resources(demand, node, {})
            raise PhaseFailed(Code.UNRESOLVABLE if never else Code.UNSCHEDULABLE, *reasons)

    def shortages(self, node: Node) -> Sequence[Shortage]:
        """Return the resources of which a node has too little left, the number of pods first.

        Extended resources that the node does not have are left out.
        """
        allocatable = node.status.allocatable if node.status else {}
        demand, used = self._demand_on(node), self._used(node)
        lacking = insufficient_resources(demand, node, used)
        shortages = shortages_of(lacking, node, demand, used, demand)
        pods = Quantity.whole(self.cycle.snapshot.count_on(node))
        if "pods" in allocatable and pods >= allocatable["pods"]:
            return [Shortage("pods", Quantity.whole(1), ZERO, allocatable["pods"] - pods), *shortages]
        return shortages

    def _demand_on(self, node: Node) -> Amounts:
        """Return the requests without the extended resources that a DeviceClass backs on the node."""
        switches, backed = ExtendedResourceSwitches.of(self.cycle.profile), self.cycle.backing_classes
        unlimited: Container[str] = backed
        if switches.implicit_names_unlimited and not any(map(_is_other_extended, self._demand)):
            unlimited = [name for name in self._demand if name.startswith(CLASS_PREFIX)]
        return {
            name: quantity
            for name, quantity in self._demand.items()
            if name not in unlimited or provided_by_node(name, node, switches)
        }

    def _used(self, node: Node) -> Amounts:
        snapshot = self.cycle.snapshot
        if self._switches.policies:
            return self.cycle.accounts.ledger(snapshot.running_on(node)).taken
        return snapshot.usage_on(node, self._switches)


def _is_other_extended(resource: str) -> bool:
    return is_extended(resource) and not resource.startswith(CLASS_PREFIX)


def tolerated(taint: Taint, pod: Pod) -> bool:
    """Whether a pod tolerates a taint."""
    for toleration in pod.spec.tolerations:
        any_value = toleration.operator == "Exists"
        if toleration.effect not in ("", taint.effect):
            continue
        if toleration.key not in ("", taint.key) or (not toleration.key and not any_value):
            continue
        if any_value or (toleration.operator in ("", "Equal") and toleration.value == taint.value):
            return True
    return False


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

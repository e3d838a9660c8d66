"""The node filters that do not depend on claims, with the messages of kube-scheduler's plugins."""

from __future__ import annotations

from dra_conform.controlplane.acceptable_nodes import wants
from dra_conform.controlplane.simulation.extended_resources.backing_classes import provided_by_node
from dra_conform.controlplane.simulation.node_resources import insufficient_resources
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.node_order import NodeOrders
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.controlplane.simulation.scheduling.plugin import Plugin
from dra_conform.footprint import footprint
from dra_conform.footprint.amounts import Amounts
from dra_conform.kube.core import Node, Pod, Taint
from dra_conform.kube.extended_resources import is_extended
from dra_conform.kube.objects import decode
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.kube.switches.node_resources import NodeResourceSwitches

BLOCKING = ("NoSchedule", "NoExecute")
"""The effects of taints that keep pods from a node."""
_CORDONED = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")
"""The taint that a pod must tolerate to run on an unschedulable node, even if the node lacks the taint."""


class NodeTaints(Plugin):
    """The plugins NodeUnschedulable and TaintToleration."""

    name = "TaintToleration"

    def filter(self, node: Node) -> None:
        """Reject a node that is unschedulable or has a taint that the pod does not tolerate."""
        pod = self.cycle.typed
        if node.spec.unschedulable and not tolerated(_CORDONED, pod):
            raise PhaseFailed(Code.UNRESOLVABLE, "node(s) were unschedulable")
        if any(not tolerated(taint, pod) for taint in node.spec.taints if taint.effect in BLOCKING):
            raise PhaseFailed(Code.UNRESOLVABLE, "node(s) had untolerated taint(s)")


class NodeAffinity(Plugin):
    """The plugin NodeAffinity."""

    name = "NodeAffinity"

    def filter(self, node: Node) -> None:
        """Reject a node that does not match the pod's nodeSelector or required node affinity."""
        if not wants(self.cycle.typed, node):
            raise PhaseFailed(Code.UNRESOLVABLE, "node(s) didn't match Pod's node affinity/selector")


class NodeResourcesFit(Plugin):
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
        """Reject a node with too little left; preemption can help if the empty node has enough."""
        allocatable = node.status.allocatable if node.status else {}
        switches, backed = ExtendedResourceSwitches.of(self.cycle.profile), self.cycle.backing_classes
        demand = {
            name: quantity
            for name, quantity in self._demand.items()
            if name not in backed or provided_by_node(name, node, switches)
        }
        missing = [name for name in sorted(demand) if demand[name] and name not in allocatable]
        insufficient = next(filter(is_extended, missing), "") or next(
            iter(insufficient_resources(demand, node, self._used(node))), ""
        )
        if insufficient:
            never = insufficient in missing or bool(insufficient_resources(demand, node, {}))
            raise PhaseFailed(
                Code.UNRESOLVABLE if never else Code.UNSCHEDULABLE, f"Insufficient {insufficient}"
            )

    def _used(self, node: Node) -> Amounts:
        snapshot = self.cycle.snapshot
        if self._switches.policies:
            return self.cycle.accounts.ledger(snapshot.running_on(node)).taken
        return snapshot.usage_on(node, self._switches)


def tolerated(taint: Taint, pod: Pod) -> bool:
    """Whether a pod tolerates a taint."""
    for toleration in pod.spec.tolerations:
        any_value = toleration.get("operator") == "Exists"
        if toleration.get("effect") not in (None, "", taint.effect):
            continue
        if toleration.get("key") not in (None, "", taint.key) or (
            not toleration.get("key") and not any_value
        ):
            continue
        if any_value or toleration.get("value", "") == taint.value:
            return True
    return False

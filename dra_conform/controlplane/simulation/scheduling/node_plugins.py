"""The node filters apart from claims, with the messages of the scheduler's own plugins."""

from __future__ import annotations

from dra_conform.controlplane.acceptable_nodes import wants
from dra_conform.controlplane.simulation.extended_resources.class_names import of_node
from dra_conform.controlplane.simulation.extended_resources.serving_rules import ServingRules
from dra_conform.controlplane.simulation.node_resources import lacking
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.node_order import NodeOrders
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused
from dra_conform.controlplane.simulation.scheduling.plugin import Plugin
from dra_conform.footprint import FootprintRules, footprint
from dra_conform.footprint.amounts import Amounts
from dra_conform.kube.core import Node, Pod, Taint
from dra_conform.kube.extended_resources import is_extended
from dra_conform.kube.objects import decode

_BLOCKING = ("NoSchedule", "NoExecute")
_CORDONED = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")
"""Who tolerates it may run on a node that is unschedulable, whether the node has the taint already or not."""


class NodeTaints(Plugin):
    """Nodes that are closed to the pod: NodeUnschedulable and TaintToleration."""

    def filter(self, node: Node) -> None:
        """Refuse a node that is unschedulable, or has a taint, where the pod does not tolerate that."""
        pod = self.cycle.typed
        if node.spec.unschedulable and not _tolerated(_CORDONED, pod):
            raise PhaseRefused(Code.UNRESOLVABLE, "node(s) were unschedulable")
        if any(not _tolerated(taint, pod) for taint in node.spec.taints if taint.effect in _BLOCKING):
            raise PhaseRefused(Code.UNRESOLVABLE, "node(s) had untolerated taint(s)")


class NodeAffinity(Plugin):
    """Nodes that the pod asks for."""

    def filter(self, node: Node) -> None:
        """Refuse a node that the pod's nodeSelector or required node affinity does not admit."""
        if not wants(self.cycle.typed, node):
            raise PhaseRefused(Code.UNRESOLVABLE, "node(s) didn't match Pod's node affinity/selector")


class NodeResourcesFit(Plugin):
    """What nodes have left of their own resources."""

    def __init__(self, cycle: Cycle, orders: NodeOrders) -> None:
        super().__init__(cycle)
        self._orders = orders
        self._wanted: Amounts = {}
        self._rules = FootprintRules.of(cycle.profile)

    def pre_filter(self) -> None:
        """Sum up what the pod asks for, its claims apart, and put the nodes in order by it."""
        self._wanted = footprint(self.cycle.typed, ())
        orders = NodeOrders() if self._rules.policies else self._orders  # there, claims count that may change
        self.cycle.order = orders.of(self.cycle.snapshot, self._wanted, self._taken)
        if self._rules.policies and self.cycle.accounts.are_managed(map(decode, self.cycle.claims)):
            self._wanted = {name: one for name, one in self._wanted.items() if is_extended(name)}

    def filter(self, node: Node) -> None:
        """Refuse a node with too little left. Freeing it helps if the node has enough when it is empty."""
        offered = node.status.allocatable if node.status else {}
        rules, served = ServingRules.of(self.cycle.profile), self.cycle.served
        wanted = {
            name: amount
            for name, amount in self._wanted.items()
            if name not in served or of_node(name, node, rules)
        }
        missing = [name for name in sorted(wanted) if wanted[name] and name not in offered]
        short = next(filter(is_extended, missing), "") or next(
            iter(lacking(wanted, node, self._taken(node))), ""
        )
        if short:
            never = short in missing or bool(lacking(wanted, node, {}))
            raise PhaseRefused(Code.UNRESOLVABLE if never else Code.UNSCHEDULABLE, f"Insufficient {short}")

    def _taken(self, node: Node) -> Amounts:
        snapshot = self.cycle.snapshot
        if self._rules.policies:
            return self.cycle.accounts.ledger(snapshot.running_on(node)).taken
        return snapshot.taken_on(node, self._rules)


def _tolerated(taint: Taint, pod: Pod) -> bool:
    for one in pod.spec.tolerations:
        exists = one.get("operator") == "Exists"
        if one.get("effect") not in (None, "", taint.effect):
            continue
        if one.get("key") not in (None, "", taint.key) or (not one.get("key") and not exists):
            continue
        if exists or one.get("value", "") == taint.value:
            return True
    return False

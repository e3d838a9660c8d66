"""Node resource usage by pod requests and claims together (KEP-5517)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dra_conform.footprint import footprint, on_nodes, recorded
from dra_conform.footprint.amounts import ZERO, Amounts, added
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.node_resources import NodeResourceSwitches


def usage_of_pods(pods: Iterable[Pod], switches: NodeResourceSwitches) -> dict[str, Quantity]:
    """Return the total resource usage of pods on a node, with claims as recorded in the pods' status
    (KEP-5517/accounting/ledger-is-sum-of-footprints).
    """
    return added(*(footprint(pod, recorded(pod, switches), on_nodes(switches)) for pod in pods))


def insufficient_resources(demand: Amounts, node: Node, used: Mapping[str, Quantity]) -> list[str]:
    """Return the sorted names of the resources of which a node has too little left.

    A resource that the node's status does not list is assumed to be sufficient.
    """
    allocatable = node.status.allocatable if node.status else {}
    return [
        name
        for name in sorted(demand)
        if name in allocatable and demand[name] and demand[name] > allocatable[name] - used.get(name, ZERO)
    ]

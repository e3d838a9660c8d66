"""Kubelet admission: a pod fails if its node has too few resources left
(KEP-5517/kubelet/admission-uses-combined-footprint).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

from dra_conform.cluster_state.claim_accounting import PolicyAccounting
from dra_conform.cluster_state.pods import finished
from dra_conform.footprint import footprint, on_nodes, recorded
from dra_conform.footprint.amounts import ZERO, Amounts, added
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import DecodeErrors, decode
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


def rejected_pods(
    pods: Iterable[Json],
    node_of: Callable[[str], Json | None],
    switches: NodeResourceSwitches,
    accounts: PolicyAccounting | None = None,
) -> Iterator[tuple[Json, str]]:
    """Yield each pod that its kubelet rejects, with the resource of which the node has too little left.

    Running pods are admitted already; other pods are admitted in this order. `accounts` is set if claims
    count by their accounting policies.
    """
    admitted: dict[str, list[Json]] = {}
    waiting: list[Json] = []
    for raw in pods:
        node = raw["spec"].get("nodeName")
        if node and not finished(raw):
            running = (raw.get("status") or {}).get("phase") == "Running"
            (admitted.setdefault(node, []) if running else waiting).append(raw)
    nodes: dict[str, Node | None] = {}
    counted: dict[str, list[Pod]] = {}
    for raw, pod in _readable(waiting):
        name = pod.spec.node_name
        if name not in counted:
            counted[name] = [other for _, other in _readable(admitted.get(name, ()))]
            raw_node = node_of(name)
            nodes[name] = None if raw_node is None else decode(raw_node)
        node, others = nodes[name], counted[name]
        insufficient = (
            _insufficient_resource(pod, node, others, switches, accounts) if node is not None else ""
        )
        if not insufficient:
            others.append(pod)
        else:
            yield raw, insufficient


def _readable(pods: Iterable[Json]) -> Iterator[tuple[Json, Pod]]:
    """Yield each pod that can be decoded; malformed pods are not counted."""
    for raw in pods:
        with suppress(DecodeErrors):
            yield raw, decode(raw)


def rejection(resource: str) -> dict[str, str]:
    """Return the status of a pod that the kubelet rejects for lack of a resource."""
    message = f"Pod was rejected: Node didn't have enough resource: {resource}"
    return {"phase": "Failed", "reason": f"OutOf{resource}", "message": message}


def _insufficient_resource(
    pod: Pod, node: Node, others: list[Pod], switches: NodeResourceSwitches, accounts: PolicyAccounting | None
) -> str:
    """Return the first resource by name of which the node has too little left for the pod, empty if none.

    Extended resources that a claim backs are not resources of the node (KEP-5004/actuation).
    """
    claim_status = pod.status.extended_resource_claim_status if pod.status else None
    backed = {mapping.resource_name for mapping in claim_status.request_mappings} if claim_status else set()
    demand: Amounts = footprint(pod, recorded(pod, switches))
    usage: Amounts = usage_of_pods(others, switches)
    if accounts is not None:
        charge = accounts.charge(pod, accounts.counted(pod), others)
        demand, usage = charge.demand, charge.taken
    node_demand = {name: quantity for name, quantity in demand.items() if name not in backed}
    return next(iter(insufficient_resources(node_demand, node, usage)), "")

"""Which nodes a pod may run on, claims apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from dra_conform.controlplane.acceptable_nodes import wants
from dra_conform.controlplane.simulation.extended_resources import is_extended
from dra_conform.controlplane.simulation.node_resources import demand, lacking
from dra_conform.kube.core import Node, Pod, Taint

Json = Any

_BLOCKING = ("NoSchedule", "NoExecute")


def unfit(pod: Pod, node: Node, running: Iterable[Pod], by_classes: Collection[str]) -> str:
    """Why the pod cannot run on a node, in the scheduler's words; empty if it can.

    `running` are the pods on the node, `by_classes` the extended resources that device classes serve where
    the node has none. Raises DecodeErrors and SelectorError for an affinity that cannot be understood.
    """
    if node.spec.unschedulable:
        return "node(s) were unschedulable"
    if any(not _tolerated(taint, pod) for taint in node.spec.taints if taint.effect in _BLOCKING):
        return "node(s) had untolerated taint(s)"
    if not wants(pod, node):
        return "node(s) didn't match Pod's node affinity/selector"
    wanted = demand(pod)
    offered = node.status.allocatable if node.status else {}
    of_node = {name: wanted[name] for name in wanted if offered.get(name) or name not in by_classes}
    missing = sorted(name for name in of_node if is_extended(name) and of_node[name] and name not in offered)
    short = next(iter(missing), "") or lacking(of_node, node, running)
    return f"Insufficient {short}" if short else ""


def node_resources_of_devices(slices: Iterable[Json]) -> bool:
    """Whether devices are published that are, or that need, some of a node's own resources (KEP-5517)."""
    fields = ("nodeAllocatableResourceMappings", "nodeAllocatableResources")
    return any(
        device.get(field) for one in slices for device in one["spec"].get("devices") or () for field in fields
    )


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

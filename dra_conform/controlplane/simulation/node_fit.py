"""Which nodes a pod may run on, claims apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from dra_conform.controlplane.acceptable_nodes import wants
from dra_conform.controlplane.parts import NotSimulated
from dra_conform.controlplane.simulation.node_resources import demand, lacking
from dra_conform.kube.core import Node, Pod, Taint
from dra_conform.kube.resource import DeviceClass

Json = Any

_BLOCKING = ("NoSchedule", "NoExecute")
_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"


def unfit(pod: Pod, node: Node, running: Iterable[Pod], by_classes: Collection[str]) -> str:
    """Why the pod cannot run on a node, in the scheduler's words; empty if it can.

    `running` are the pods on the node, `by_classes` the extended resources that device classes serve. Raises
    DecodeErrors and SelectorError for an affinity that cannot be understood, NotSimulated for a pod that asks
    a class for such a resource.
    """
    if node.spec.unschedulable:
        return "node(s) were unschedulable"
    if any(not _tolerated(taint, pod) for taint in node.spec.taints if taint.effect in _BLOCKING):
        return "node(s) had untolerated taint(s)"
    if not wants(pod, node):
        return "node(s) didn't match Pod's node affinity/selector"
    wanted = demand(pod)
    offered = node.status.allocatable if node.status else {}
    for name in sorted(filter(_extended, wanted)):
        if offered.get(name) or not wanted[name]:
            continue
        if name in by_classes:
            raise NotSimulated(f"{name} is served by a device class (KEP-5004)")
        return f"Insufficient {name}"
    missing = lacking(wanted, node, running)
    return f"Insufficient {missing}" if missing else ""


def served(classes: Iterable[DeviceClass]) -> frozenset[str]:
    """The extended resources that device classes serve, by the names given to them and by their own."""
    names = {(one.spec.extended_resource_name, _CLASS_PREFIX + one.metadata.name) for one in classes}
    return frozenset(name for pair in names for name in pair if name)


def node_resources_of_devices(slices: Iterable[Json]) -> bool:
    """Whether devices are published that are, or that need, some of a node's own resources (KEP-5517)."""
    fields = ("nodeAllocatableResourceMappings", "nodeAllocatableResources")
    return any(
        device.get(field) for one in slices for device in one["spec"].get("devices") or () for field in fields
    )


def _extended(resource: str) -> bool:
    return "/" in resource and (resource.startswith(_CLASS_PREFIX) or "kubernetes.io/" not in resource)


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

"""Which nodes a pod may run on, claims apart. What a node has left of cpu and memory is not looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dra_conform.controlplane.nodes import wants
from dra_conform.controlplane.parts import NotSimulated
from dra_conform.kube.core import Node, Pod, Taint
from dra_conform.kube.resource import DeviceClass

_BLOCKING = ("NoSchedule", "NoExecute")
_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"


def unfit(pod: Pod, node: Node, by_classes: Collection[str]) -> str:
    """Why the pod cannot run on a node, in the scheduler's words; empty if it can.

    `by_classes` are the extended resources that device classes serve. Raises DecodeErrors and SelectorError
    for an affinity that cannot be understood, NotSimulated for a pod that asks a class for such a resource.
    """
    if node.spec.unschedulable:
        return "node(s) were unschedulable"
    if any(not _tolerated(taint, pod) for taint in node.spec.taints if taint.effect in _BLOCKING):
        return "node(s) had untolerated taint(s)"
    if not wants(pod, node):
        return "node(s) didn't match Pod's node affinity/selector"
    offered = node.status.allocatable if node.status else {}
    for name in extended_resources(pod):
        if name in offered:
            continue
        if name in by_classes:
            raise NotSimulated(f"{name} is served by a device class (KEP-5004)")
        return f"Insufficient {name}"
    return ""


def extended_resources(pod: Pod) -> frozenset[str]:
    """The names of the extended resources that the containers request."""
    return frozenset(
        name
        for container in (*pod.spec.init_containers, *pod.spec.containers)
        for name in container.resources.requests
        if "/" in name and (name.startswith(_CLASS_PREFIX) or "kubernetes.io/" not in name)
    )


def served(classes: Iterable[DeviceClass]) -> frozenset[str]:
    """The extended resources that device classes serve, by the names given to them and by their own."""
    names = {(one.spec.extended_resource_name, _CLASS_PREFIX + one.metadata.name) for one in classes}
    return frozenset(name for pair in names for name in pair if name)


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

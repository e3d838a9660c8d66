"""The nodes that match a pod, and the nodes on which an allocated claim can be used."""

from __future__ import annotations

from typing import Any

from dra_conform.kube.core import Node, Pod
from dra_conform.kube.meta import NodeSelector
from dra_conform.kube.node_selectors import node_matches
from dra_conform.kube.objects import decode_as
from dra_conform.kube.resource import ResourceClaim

_REQUIRED = ("nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")


def wants(pod: Pod, node: Node) -> bool:
    """Whether the node matches the pod's nodeName, nodeSelector and required node affinity.

    Raises DecodeErrors and SelectorError for a malformed affinity.
    """
    spec, affinity = pod.spec, _required(pod)
    if affinity is not None and not node_matches(affinity, node):
        return False
    if spec.node_name and spec.node_name != node.metadata.name:
        return False
    return all(node.metadata.labels.get(name) == value for name, value in spec.node_selector.items())


def usable(claim: ResourceClaim, node: Node) -> bool:
    """Whether the claim can be used on the node, which is always true for an unallocated claim.

    Raises SelectorError.
    """
    if claim.allocation is None or claim.allocation.node_selector is None:
        return True
    return node_matches(claim.allocation.node_selector, node)


def _required(pod: Pod) -> NodeSelector | None:
    value: Any = pod.spec.affinity
    for name in _REQUIRED:
        if not isinstance(value, dict) or value.get(name) is None:
            return None
        value = value[name]
    selector: NodeSelector = decode_as(NodeSelector, value)
    return selector

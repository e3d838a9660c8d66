"""Which nodes a pod, and the claims that are allocated already, leave open.

Node taints, what a node has left, and affinity to other pods are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.controlplane.workload_pods import PodToPlace
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.errors import InputError
from dra_conform.kube.meta import NodeSelector
from dra_conform.kube.node_selectors import SelectorError, node_matches
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.resource import ResourceClaim

_REQUIRED = ("nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")


def acceptable(
    wanted: PodToPlace | None, claims: Sequence[ResourceClaim], nodes: Sequence[Node]
) -> Iterator[Node]:
    """The nodes, in order, that fit the pod's nodeName, nodeSelector and required node affinity, and on which
    its allocated claims can be used. Raises InputError for a node selector that cannot be understood."""
    for node in nodes:
        if wanted is not None:
            try:
                if not wants(wanted.pod, node):
                    continue
            except (SelectorError, DecodeErrors) as error:
                path = f"{wanted.origin.kind} {wanted.key}: spec.affinity.{'.'.join(_REQUIRED)}"
                raise InputError(wanted.origin.file, wanted.origin.line, path, str(error)) from None
        if all(_reachable(claim, node) for claim in claims):
            yield node


def wants(pod: Pod, node: Node) -> bool:
    """Whether the node fits the pod's nodeName, nodeSelector and required node affinity.

    Raises DecodeErrors and SelectorError for an affinity that cannot be understood.
    """
    spec, affinity = pod.spec, _required(pod)
    if affinity is not None and not node_matches(affinity, node):
        return False
    if spec.node_name and spec.node_name != node.metadata.name:
        return False
    return all(node.metadata.labels.get(name) == value for name, value in spec.node_selector.items())


def restricts(wanted: PodToPlace) -> bool:
    """Whether a pod says anything of nodes."""
    spec = wanted.pod.spec
    return bool(spec.node_name or spec.node_selector or spec.affinity)


def usable(claim: ResourceClaim, node: Node) -> bool:
    """Whether the claim, if it is allocated, can be used on the node; raises SelectorError."""
    if claim.allocation is None or claim.allocation.node_selector is None:
        return True
    return node_matches(claim.allocation.node_selector, node)


def _required(pod: Pod) -> NodeSelector | None:
    found: Any = pod.spec.affinity
    for name in _REQUIRED:
        if not isinstance(found, dict) or found.get(name) is None:
            return None
        found = found[name]
    selector: NodeSelector = decode_as(NodeSelector, found)
    return selector


def _reachable(claim: ResourceClaim, node: Node) -> bool:
    try:
        return usable(claim, node)
    except SelectorError as error:
        raise InputError(
            f"ResourceClaim {claim.key}", None, "status.allocation.nodeSelector", str(error)
        ) from None

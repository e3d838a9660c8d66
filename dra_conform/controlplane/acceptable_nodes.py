"""Which nodes a pod, and the claims that are allocated already, leave open.

Node taints, what a node has left, and affinity to other pods are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.controlplane.workload_pods import PodToPlace
from dra_conform.kube.core import Node
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
    affinity = None if wanted is None else _required(wanted)
    for node in nodes:
        if wanted is not None and not _named(wanted, node):
            continue
        try:
            fits = affinity is None or node_matches(affinity, node)
        except SelectorError as error:
            assert wanted is not None
            path = f"{wanted.origin.kind} {wanted.key}: spec.affinity.{'.'.join(_REQUIRED)}"
            raise InputError(wanted.origin.file, wanted.origin.line, path, str(error)) from None
        if fits and all(_reachable(claim, node) for claim in claims):
            yield node


def _named(wanted: PodToPlace, node: Node) -> bool:
    spec = wanted.pod.spec
    if spec.node_name and spec.node_name != node.metadata.name:
        return False
    return all(node.metadata.labels.get(name) == value for name, value in spec.node_selector.items())


def _required(wanted: PodToPlace) -> NodeSelector | None:
    found: Any = wanted.pod.spec.affinity
    for name in _REQUIRED:
        if not isinstance(found, dict) or found.get(name) is None:
            return None
        found = found[name]
    try:
        selector: NodeSelector = decode_as(NodeSelector, found)
    except DecodeErrors as errors:
        path = f"{wanted.origin.kind} {wanted.key}: spec.affinity.{'.'.join(_REQUIRED)}"
        raise InputError(wanted.origin.file, wanted.origin.line, path, str(errors)) from None
    return selector


def _reachable(claim: ResourceClaim, node: Node) -> bool:
    if claim.allocation is None or claim.allocation.node_selector is None:
        return True
    try:
        return node_matches(claim.allocation.node_selector, node)
    except SelectorError as error:
        raise InputError(
            f"ResourceClaim {claim.key}", None, "status.allocation.nodeSelector", str(error)
        ) from None

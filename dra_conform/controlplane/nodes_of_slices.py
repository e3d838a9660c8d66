"""Nodes for manifests that have ResourceSlices but no Node, such as the output of kubectl."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.kube.core import Node
from dra_conform.kube.listing import listed
from dra_conform.kube.manifests import Loaded
from dra_conform.kube.resource import ResourceSlice

Json = Any

_ROOM = {"cpu": "1k", "memory": "1Pi", "ephemeral-storage": "1Pi", "pods": "10k"}
"""What a node has that nobody described: more than pods ask for."""

_ANY = "any-node"
"""The node of slices that are for all nodes."""


def nodes_of_slices(loaded: Sequence[Loaded]) -> list[Json]:
    """A v1 Node for each nodeName of a slice or of a device in one, or one node if all is for all nodes; none
    if the manifests have Nodes of their own."""
    if any(isinstance(item.object, Node) for item in loaded):
        return []
    slices = [item.object for item in loaded if isinstance(item.object, ResourceSlice)]
    names = dict.fromkeys(name for one in slices for name in _names(one) if name)
    if not names and any(one.spec.all_nodes for one in slices):
        names = {_ANY: None}
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
            "status": {"capacity": _ROOM, "allocatable": _ROOM},
        }
        for name in names
    ]


def nodes_note(nodes: Sequence[str]) -> str:
    """What a user has to know of nodes that were made."""
    return f"note: no Node in the manifests, made from slices with room for all: {listed(nodes)}"


def _names(item: ResourceSlice) -> Iterator[str | None]:
    yield item.spec.node_name
    for device in item.spec.devices:
        yield device.node_name

"""Nodes for manifests that have ResourceSlices but no Node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import listed
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.resource import ResourceSlice

_RESOURCES = {"cpu": "1k", "memory": "1Pi", "ephemeral-storage": "1Pi", "pods": "10k"}
"""The allocatable resources of an added node, which are larger than usual requests."""

_ANY_NODE = "any-node"
"""The name of the node that is added if all ResourceSlices are for all nodes."""


def nodes_of_slices(loaded: Sequence[LoadedObject]) -> list[Json]:
    """Return a v1 Node for each `nodeName` of the ResourceSlices and their devices.

    The result is one node if the ResourceSlices are for all nodes, and empty if the manifests have a Node.
    """
    if any(isinstance(item.object, Node) for item in loaded):
        return []
    slices = [item.object for item in loaded if isinstance(item.object, ResourceSlice)]
    names = dict.fromkeys(name for slice_ in slices for name in _names(slice_) if name)
    if not names and any(slice_.spec.all_nodes for slice_ in slices):
        names = {_ANY_NODE: None}
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": name,
                "labels": {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"},
            },
            "status": {"capacity": _RESOURCES, "allocatable": _RESOURCES},
        }
        for name in names
    ]


GET_NODES = "kubectl get nodes,deviceclasses,resourceslices -o yaml"
"""The command that prints where the pods of a cluster can run, and with which devices."""

NO_NODES_NOTE = (
    f"note: the manifests have no Node and no ResourceSlice with a nodeName; add the output of {GET_NODES}"
)
"""The note for users about manifests without nodes."""


def nodes_note(nodes: Sequence[str]) -> str:
    """Return the note for users about the added nodes."""
    return (
        f"note: the manifests have no Node, added from ResourceSlices with ample resources: {listed(nodes)}"
    )


def _names(item: ResourceSlice) -> Iterator[str | None]:
    yield item.spec.node_name
    for device in item.spec.devices:
        yield device.node_name

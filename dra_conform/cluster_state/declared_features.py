"""Declared features of nodes, and the check of ResourceSlices against them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.node_selectors import is_available_on_node
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, ResourceSlice, ResourceSliceSpec
from dra_conform.kube.switches.kubelet import DeclaredFeatureSwitches

_NODE_RESOURCES = "DRANodeAllocatableResources"
_RESIZES = ("InPlacePodLevelResourcesVerticalScaling", "InPlacePodVerticalScalingInitContainers")


class NotDeclared(Exception):  # noqa: N818 - it reads as what happened
    """A node of a ResourceSlice does not exist or lacks a feature; the message is that of the API server."""


def declared_by(kubelet: Profile) -> list[str]:
    """Return the sorted features that a kubelet declares, limited to those that the simulation checks."""
    switches = DeclaredFeatureSwitches.of(kubelet)
    resources = [_NODE_RESOURCES] if switches.node_resources_declared else []
    return resources + (list(_RESIZES) if switches.resizes_declared else [])


def check_nodes(written: Json, nodes: Sequence[Json], kubelet: Profile) -> None:
    """Check the nodes of a valid v1 ResourceSlice; raise NotDeclared and SelectorError.

    A node without `status.declaredFeatures` has the features that its kubelet declares.
    """
    if not any(device.get("nodeAllocatableResources") for device in written["spec"].get("devices") or ()):
        return  # Most ResourceSlices; this avoids decoding them.
    slice_: ResourceSlice = decode(written)
    declaring = {raw["metadata"]["name"]: _NODE_RESOURCES in _features_of(raw, kubelet) for raw in nodes}
    mapped = [device for device in slice_.spec.devices if device.node_allocatable_resources]
    per_device = slice_.spec.per_device_node_selection
    for device in mapped if per_device else mapped[:1]:
        selection = device if per_device else slice_.spec
        if selection.node_name and selection.node_name not in declaring:
            raise NotDeclared(f'node "{selection.node_name}" not found for device "{device.name}"')
        for name in _selected_nodes(selection, nodes):
            if not declaring[name]:
                raise NotDeclared(f'node "{name}" does not support {_NODE_RESOURCES} feature')


def _selected_nodes(selection: Device | ResourceSliceSpec, nodes: Sequence[Json]) -> Sequence[str]:
    """Return the names of the nodes that a ResourceSlice or a device selects."""
    if selection.node_name:
        return [selection.node_name]
    typed: Iterable[Node] = map(decode, nodes)
    return [node.metadata.name for node in typed if is_available_on_node(selection, node)]


def _features_of(node: Json, kubelet: Profile) -> Sequence[str]:
    declared = (node.get("status") or {}).get("declaredFeatures")
    return declared_by(kubelet) if declared is None else declared

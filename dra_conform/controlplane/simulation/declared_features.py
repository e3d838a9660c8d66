"""Node declared features, and the ResourceSlices that the API server rejects because of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.kube.core import Node
from dra_conform.kube.node_selectors import reaches_node
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, ResourceSlice, ResourceSliceSpec
from dra_conform.kube.switches import gate, settled, switch, when

Json = Any

_NODE_RESOURCES = "DRANodeAllocatableResources"
_RESIZES = ("InPlacePodLevelResourcesVerticalScaling", "InPlacePodVerticalScalingInitContainers")


@dataclass(frozen=True, slots=True)
class DeclaredFeatureRules:
    """What is declared of nodes, and what the API server asks of them."""

    resizes_declared: bool = switch("kep", "since 1.36")
    """Kubelets declare which pods they can resize; these gates are on by default."""
    node_resources_declared: bool = switch(when("kep", "since 1.37") & gate(_NODE_RESOURCES))
    """Kubelets declare that devices may take of the node's resources."""
    node_resources_asked: bool = switch(when("since 1.37") & gate(_NODE_RESOURCES))
    """A slice is refused whose devices take of the resources of a node that does not declare it
    (KEP-5517/feature-gate/components)."""

    @staticmethod
    def of(profile: Profile) -> DeclaredFeatureRules:
        """Those of a component that runs as a profile says."""
        return settled(DeclaredFeatureRules, profile)


class NotDeclared(Exception):  # noqa: N818 - it reads as what happened
    """A node of a slice is not there, or cannot do what the slice wants; the text is the API server's."""


def declared_by(kubelet: Profile) -> list[str]:
    """What a kubelet declares of its node, as far as any object here needs it, in order."""
    rules = DeclaredFeatureRules.of(kubelet)
    resources = [_NODE_RESOURCES] if rules.node_resources_declared else []
    return resources + (list(_RESIZES) if rules.resizes_declared else [])


def check_nodes(written: Json, nodes: Sequence[Json], kubelet: Profile) -> None:
    """Look at the nodes of a slice, a valid v1 object; raises NotDeclared and SelectorError.

    A node that says nothing of its features declares what its kubelet does.
    """
    if not any(one.get("nodeAllocatableResources") for one in written["spec"].get("devices") or ()):
        return  # as most
    read: ResourceSlice = decode(written)
    declaring = {raw["metadata"]["name"]: _NODE_RESOURCES in _features_of(raw, kubelet) for raw in nodes}
    taking = [device for device in read.spec.devices if device.node_allocatable_resources]
    alone = read.spec.per_device_node_selection
    for device in taking if alone else taking[:1]:
        where = device if alone else read.spec
        if where.node_name and where.node_name not in declaring:
            raise NotDeclared(f'node "{where.node_name}" not found for device "{device.name}"')
        for name in _reached(where, nodes):
            if not declaring[name]:
                raise NotDeclared(f'node "{name}" does not support {_NODE_RESOURCES} feature')


def _reached(where: Device | ResourceSliceSpec, nodes: Sequence[Json]) -> Sequence[str]:
    """The names of the nodes; they are many, and most slices name theirs."""
    if where.node_name:
        return [where.node_name]
    typed: Iterable[Node] = map(decode, nodes)
    return [node.metadata.name for node in typed if reaches_node(where, node)]


def _features_of(node: Json, kubelet: Profile) -> Sequence[str]:
    said = (node.get("status") or {}).get("declaredFeatures")
    return declared_by(kubelet) if said is None else said

"""The typed view of a case's objects that the judge works on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.meta import NodeSelector
from dra_conform.kube.node_selectors import SelectorError, node_matches
from dra_conform.kube.objects import decode_as
from dra_conform.kube.resource import (
    Device,
    DeviceClass,
    DeviceRequestAllocationResult,
    DeviceTaintRule,
    ResourceClaim,
    ResourceSlice,
    ResourceSliceSpec,
)

PoolKey = tuple[str, str]
"""The identity of a pool: driver, pool."""
DeviceKey = tuple[str, str, str]
"""The identity of a device: driver, pool, device."""


@dataclass(frozen=True, slots=True)
class PublishedDevice:
    """A device and the ResourceSlice that publishes it."""

    slice: ResourceSlice
    device: Device

    @property
    def key(self) -> DeviceKey:
        return (self.slice.spec.driver, self.slice.spec.pool.name, self.device.name)

    @property
    def node_selector(self) -> NodeSelector | None:
        """The node selector of the slice or, with perDeviceNodeSelection, that of the device."""
        spec = self.slice.spec
        return (self.device if spec.per_device_node_selection else spec).node_selector

    def selects(self, node: Node) -> bool:
        """Whether the device is available on the node, by the selection of its slice or its own."""
        spec = self.slice.spec
        return selects(self.device if spec.per_device_node_selection else spec, node)


def selects(selection: Device | ResourceSliceSpec, node: Node) -> bool:
    """Whether a node selection includes the node. A malformed selection includes no node."""
    # Written apart from the rule of the allocator, which would otherwise judge itself.
    if selection.node_name:
        return selection.node_name == node.metadata.name
    if selection.all_nodes:
        return True
    return selection.node_selector is not None and _selector_matches(selection.node_selector, node)


def _selector_matches(selector: NodeSelector, node: Node) -> bool:
    try:
        return node_matches(selector, node)
    except SelectorError:
        return False


@dataclass(frozen=True, slots=True)
class CaseObjects:
    """The objects of a case: nodes and DeviceClasses by name, ResourceClaims by `namespace/name`."""

    nodes: Mapping[str, Node]
    classes: Mapping[str, DeviceClass]
    claims: Mapping[str, ResourceClaim]
    slices: tuple[ResourceSlice, ...]
    taint_rules: tuple[DeviceTaintRule, ...] = ()

    @classmethod
    def of(cls, objects: Mapping[str, Sequence[Json]]) -> CaseObjects:
        """Decode the objects of a case."""

        def every(collection: str, kind: type) -> list[Any]:
            return [decode_as(kind, _body(raw)) for raw in objects.get(collection, ())]

        claims = every("resourceClaims", ResourceClaim)
        return cls(
            nodes={node.metadata.name: node for node in every("nodes", Node)},
            classes={item.metadata.name: item for item in every("deviceClasses", DeviceClass)},
            claims={claim.key: claim for claim in claims},
            slices=tuple(every("resourceSlices", ResourceSlice)),
            taint_rules=tuple(every("deviceTaintRules", DeviceTaintRule)),
        )

    def results_of_other_claims(
        self, asked_claims: Iterable[str]
    ) -> list[tuple[str, DeviceRequestAllocationResult]]:
        """Return results allocated to other ResourceClaims before, without those with adminAccess.

        Each result has the `namespace/name` of its ResourceClaim.
        """
        asked = frozenset(asked_claims)
        return [
            (key, result)
            for key, claim in self.claims.items()
            if key not in asked and claim.allocation is not None
            for result in claim.allocation.devices.results
            if not result.admin_access
        ]


def _body(raw: Json) -> Json:
    return {name: value for name, value in raw.items() if name not in ("apiVersion", "kind")}

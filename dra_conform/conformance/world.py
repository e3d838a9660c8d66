"""The typed view of a case's objects that the judge works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.kube.codec import convert
from dra_conform.kube.core import Node
from dra_conform.kube.resource import (
    Device,
    DeviceClass,
    DeviceRequestAllocationResult,
    ResourceClaim,
    ResourceSlice,
)
from dra_conform.kube.selectors import node_matches

Json = Any
DeviceKey = tuple[str, str, str]
"""driver, pool, device: the identity of a device."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A device and the slice it is published in."""

    slice: ResourceSlice
    device: Device

    @property
    def key(self) -> DeviceKey:
        return (self.slice.spec.driver, self.slice.spec.pool.name, self.device.name)

    def reaches(self, node: Node) -> bool:
        """Whether the node can use the device: by the slice's node selection, or by the device's own."""
        spec = self.slice.spec
        chooser = self.device if spec.per_device_node_selection else spec
        if chooser.node_name:
            return chooser.node_name == node.metadata.name
        if chooser.all_nodes:
            return True
        return chooser.node_selector is not None and node_matches(chooser.node_selector, node)


@dataclass(frozen=True, slots=True)
class World:
    """Nodes and classes by name, claims by `namespace/name`, devices by identity.

    `slices` are all that are published; `devices` says which of their devices there are for a node.
    """

    nodes: Mapping[str, Node]
    classes: Mapping[str, DeviceClass]
    claims: Mapping[str, ResourceClaim]
    slices: tuple[ResourceSlice, ...]

    @classmethod
    def of(cls, objects: Mapping[str, Sequence[Json]]) -> World:
        """Decode a case's objects."""

        def every(collection: str, kind: type) -> list[Any]:
            return [convert(_body(raw), kind) for raw in objects.get(collection, ())]

        claims = every("resourceClaims", ResourceClaim)
        return cls(
            nodes={node.metadata.name: node for node in every("nodes", Node)},
            classes={item.metadata.name: item for item in every("deviceClasses", DeviceClass)},
            claims={claim.key: claim for claim in claims},
            slices=tuple(every("resourceSlices", ResourceSlice)),
        )

    def devices(self, node: Node, *, pools_seen_whole: bool) -> dict[DeviceKey, Placed]:
        """The devices of complete pools, by identity, those of other nodes too.

        Of each pool only the newest generation counts, only where all its slices are there, and no device may
        be in it twice. With `pools_seen_whole` off, slices that do not concern the node are looked at only
        where the others alone are not complete, as releases do it.
        """
        pools: dict[tuple[str, str], list[ResourceSlice]] = {}
        for item in self.slices:
            pools.setdefault((item.spec.driver, item.spec.pool.name), []).append(item)
        placed: dict[DeviceKey, Placed] = {}
        for members in pools.values():
            found = None if pools_seen_whole else _complete([one for one in members if _concerns(one, node)])
            placed |= found if found is not None else _complete(members) or {}
        return placed

    def held(self, asked: Sequence[str]) -> list[DeviceRequestAllocationResult]:
        """What claims that are not asked for hold already; admin access holds nothing."""
        return [
            result
            for key, claim in self.claims.items()
            if key not in asked and claim.allocation is not None
            for result in claim.allocation.devices.results
            if not result.admin_access
        ]


def _body(raw: Json) -> Json:
    return {name: value for name, value in raw.items() if name not in ("apiVersion", "kind")}


def _concerns(item: ResourceSlice, node: Node) -> bool:
    return any(Placed(item, device).reaches(node) for device in item.spec.devices) or bool(
        item.spec.node_name and item.spec.node_name == node.metadata.name
    )


def _complete(members: Sequence[ResourceSlice]) -> dict[DeviceKey, Placed] | None:
    """The devices of a pool's newest generation, none if one is there twice; None if slices are missing."""
    if not members:
        return None
    newest = max(item.spec.pool.generation for item in members)
    current = [item for item in members if item.spec.pool.generation == newest]
    if len(current) != current[0].spec.pool.resource_slice_count:
        return None
    found = [Placed(item, device) for item in current for device in item.spec.devices]
    named = {one.key: one for one in found}
    return named if len(named) == len(found) else {}

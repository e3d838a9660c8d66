"""The cluster as one attempt to schedule a pod finds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.kube.core import Node
from dra_conform.kube.objects import COLLECTIONS, decode

Json = Any

_OF_ALLOCATION = ("Node", "DeviceClass", "ResourceSlice", "ResourceClaim", "DeviceTaintRule")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the scheduler knows, as the objects of the operation `allocate`. Nodes are in order of name."""

    objects: Mapping[str, list[Json]]
    nodes: tuple[Node, ...]
    claims: Mapping[Key, Json] = field(repr=False)

    @classmethod
    def of(cls, client: Client) -> Snapshot:
        """All that the scheduler reads now."""
        objects = {COLLECTIONS[kind]: client.all(kind) for kind in _OF_ALLOCATION}
        nodes = sorted(map(decode, objects["nodes"]), key=lambda node: str(node.metadata.name))
        return cls(objects, tuple(nodes), {key_in(claim): claim for claim in objects["resourceClaims"]})

    @property
    def classes(self) -> frozenset[str]:
        """The names of the device classes."""
        return frozenset(one["metadata"]["name"] for one in self.objects["deviceClasses"])

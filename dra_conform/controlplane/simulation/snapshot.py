"""The cluster as one attempt to schedule a pod finds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.pods import finished
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.objects import COLLECTIONS, decode

Json = Any

_OF_ALLOCATION = ("Node", "DeviceClass", "ResourceSlice", "ResourceClaim", "DeviceTaintRule")


@dataclass(frozen=True)
class Snapshot:
    """What the scheduler knows, as the objects of the operation `allocate`."""

    objects: Mapping[str, list[Json]]
    claims: Mapping[Key, Json] = field(repr=False)
    pods: Sequence[Json] = field(repr=False)
    """Those that have a node, or are assumed to be on one, and are not finished."""

    @classmethod
    def of(cls, client: Client, assumed: Sequence[Json] = ()) -> Snapshot:
        """All that the scheduler reads now, and the pods that it has assigned and not bound yet."""
        objects = {COLLECTIONS[kind]: client.all(kind) for kind in _OF_ALLOCATION}
        claims = {key_in(claim): claim for claim in objects["resourceClaims"]}
        pods = [pod for pod in client.all("Pod") if pod["spec"].get("nodeName") and not finished(pod)]
        pods += assumed
        return cls(objects, claims, pods)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """In the order of their names; raises DecodeErrors."""
        return tuple(sorted(map(decode, self.objects["nodes"]), key=lambda node: str(node.metadata.name)))

    def running_on(self, node: Node) -> Iterator[Pod]:
        """The pods of a node."""
        return (decode(pod) for pod in self.pods if pod["spec"]["nodeName"] == node.metadata.name)

    @property
    def classes(self) -> frozenset[str]:
        """The names of the device classes."""
        return frozenset(one["metadata"]["name"] for one in self.objects["deviceClasses"])

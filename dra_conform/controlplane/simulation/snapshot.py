"""The cluster as one attempt to schedule a pod finds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dra_conform.controlplane.simulation.client import Client, Mark
from dra_conform.controlplane.simulation.keys import Key
from dra_conform.controlplane.simulation.pods import finished
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.objects import COLLECTIONS, decode

Json = Any

_OF_ALLOCATION = ("Node", "DeviceClass", "ResourceSlice", "ResourceClaim", "DeviceTaintRule")


class Collections(Mapping[str, list[Json]]):
    """The objects of the operation `allocate`, each list made when it is asked for."""

    def __init__(self, by_kind: Mapping[str, Mapping[Key, Json]]) -> None:
        self._of = {COLLECTIONS[kind]: objects for kind, objects in by_kind.items()}

    def __getitem__(self, name: str) -> list[Json]:
        return list(self._of[name].values())

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)


class SortedNodes:
    """Nodes in the order of their names."""

    def __init__(self, nodes: Mapping[Key, Json]) -> None:
        self._nodes = [nodes[key] for key in sorted(nodes)]

    @cached_property
    def typed(self) -> tuple[Node, ...]:
        """Raises DecodeErrors."""
        return tuple(map(decode, self._nodes))


@dataclass
class PodOnNode:
    """A pod that has a node, or is assumed to be on one."""

    raw: Json

    @cached_property
    def typed(self) -> Pod:
        """Raises DecodeErrors."""
        pod: Pod = decode(self.raw)
        return pod


@dataclass(frozen=True)
class Snapshot:
    """What the scheduler knows. It is up to date until the scheduler looks again."""

    objects: Mapping[str, list[Json]]
    claims: Mapping[Key, Json] = field(repr=False)
    assumed: Sequence[Json]
    """The pods that it has assigned to nodes and not bound yet."""
    touched: frozenset[str] | None
    """The nodes whose pods have changed since the snapshot before, None where nodes themselves have."""
    _nodes: SortedNodes
    _on: Mapping[str, Mapping[Key, PodOnNode]]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """In the order of their names; raises DecodeErrors."""
        return self._nodes.typed

    def running_on(self, node: Node) -> Iterator[Pod]:
        """The pods that are on a node, or assumed to be, and are not finished."""
        name = node.metadata.name
        yield from (pod.typed for pod in self._on.get(name, {}).values())
        yield from (PodOnNode(pod).typed for pod in self.assumed if pod["spec"]["nodeName"] == name)

    @property
    def pods(self) -> list[Json]:
        """All pods that have a node, or are assumed to have one, and are not finished."""
        return [*(pod.raw for pods in self._on.values() for pod in pods.values()), *self.assumed]

    @property
    def classes(self) -> frozenset[str]:
        """The names of the device classes."""
        return frozenset(one["metadata"]["name"] for one in self.objects["deviceClasses"])


class Snapshots:
    """Snapshots one after the other. What has not changed in between is not read again."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._nodes = SortedNodes({})
        self._places: dict[Key, str] = {}
        self._on: dict[str, dict[Key, PodOnNode]] = {}
        self._marks: dict[str, Mark] = {}

    def now(self, assumed: Sequence[Json]) -> Snapshot:
        """All that the scheduler reads now, and the pods that it has assigned and not bound yet."""
        by_kind = {kind: self._client.by_key(kind) for kind in _OF_ALLOCATION}
        moved = frozenset(self._moved())
        nodes_changed = bool(self._changes("Node"))
        if nodes_changed:
            self._nodes = SortedNodes(by_kind["Node"])
        return Snapshot(
            objects=Collections(by_kind),
            claims=by_kind["ResourceClaim"],
            assumed=assumed,
            touched=None if nodes_changed else moved,
            _nodes=self._nodes,
            _on=self._on,
        )

    def _moved(self) -> Iterator[str]:
        """Take in the pods that have changed; the nodes that had or have them."""
        pods = self._client.by_key("Pod")
        for key in self._changes("Pod"):
            before = self._places.pop(key, None)
            if before is not None:
                del self._on[before][key]
                yield before
            pod = pods.get(key)
            node = pod["spec"].get("nodeName") if pod is not None else None
            if node and not finished(pod):
                self._places[key] = node
                self._on.setdefault(node, {})[key] = PodOnNode(pod)
                yield node

    def _changes(self, kind: str) -> Sequence[Key]:
        keys, self._marks[kind] = self._client.changes(kind, self._marks.get(kind))
        return keys

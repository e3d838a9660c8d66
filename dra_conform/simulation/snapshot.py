"""A snapshot of the cluster for one scheduling attempt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from dra_conform.cluster_state.object_keys import Key
from dra_conform.cluster_state.pods import claim_keys, finished, owner_of
from dra_conform.footprint import footprint, on_nodes, recorded
from dra_conform.footprint.amounts import Amounts, added
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.extended_resources import is_extended_resource_claim
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS, decode
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.simulation.client import Changes, Client

_KINDS = ("Node", "DeviceClass", "ResourceSlice", "ResourceClaim", "DeviceTaintRule")


class Collections(Mapping[str, list[Json]]):
    """The objects of the operation `allocate` by collection name; each list is built on access."""

    def __init__(self, by_kind: Mapping[str, Mapping[Key, Json]]) -> None:
        self._by_name = {COLLECTIONS[kind]: objects for kind, objects in by_kind.items()}

    def __getitem__(self, name: str) -> list[Json]:
        return list(self._by_name[name].values())

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


class SortedNodes:
    """Nodes ordered by name."""

    def __init__(self, nodes: Mapping[Key, Json]) -> None:
        self._nodes = [nodes[key] for key in sorted(nodes)]

    @cached_property
    def typed(self) -> tuple[Node, ...]:
        """The decoded nodes; raises DecodeErrors."""
        return tuple(map(decode, self._nodes))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return tuple(node["metadata"]["name"] for node in self._nodes)

    @cached_property
    def indices(self) -> Mapping[str, int]:
        """The index of each node by its name."""
        return {name: index for index, name in enumerate(self.names)}


@dataclass
class PodOnNode:
    """A pod that is bound to a node, or is assumed to be bound."""

    raw: Json
    _usage: dict[NodeResourceSwitches, Amounts] = field(default_factory=dict)

    @cached_property
    def typed(self) -> Pod:
        """The decoded pod; raises DecodeErrors."""
        pod: Pod = decode(self.raw)
        return pod

    def usage(self, switches: NodeResourceSwitches) -> Amounts:
        """Return the node resource usage of the pod, with claims as in its status; raise DecodeErrors."""
        if switches not in self._usage:
            claims = recorded(self.typed, switches)
            self._usage[switches] = footprint(self.typed, claims, on_nodes(switches))
        return self._usage[switches]


class DevicesOfSlices:
    """The devices of ResourceSlices, decoded on first use."""

    def __init__(self, slices: Sequence[Json]) -> None:
        self._slices = slices
        self._read: dict[NodeResourceSwitches, DevicesInSlices] = {}

    def by(self, switches: NodeResourceSwitches) -> DevicesInSlices:
        """Return the published devices by the key that a release uses; raises DecodeErrors."""
        if switches not in self._read:
            self._read[switches] = DevicesInSlices(map(decode, self._slices), switches)
        return self._read[switches]


@dataclass(frozen=True)
class Snapshot:
    """The cluster as one scheduling attempt sees it, valid until the next snapshot."""

    objects: Mapping[str, list[Json]]
    claims: Mapping[Key, Json] = field(repr=False)
    assumed: Sequence[Json]
    """The pods that the scheduler has assigned to nodes but not bound yet."""
    changed_nodes: frozenset[str] | None
    """The nodes whose pods changed since the previous snapshot, None if nodes themselves changed."""
    sorted_nodes: SortedNodes
    _pods_by_node: Mapping[str, Mapping[Key, PodOnNode]]
    _usage: dict[str, dict[NodeResourceSwitches, Amounts]]
    """The cached total usage of the bound pods of each node."""
    _users: Mapping[Key, Mapping[Key, PodOnNode]]
    _published: DevicesOfSlices
    _extended: Mapping[str, Mapping[Key, Json]]
    """The extended-resource claims by the UID of their pod."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes ordered by name; raises DecodeErrors."""
        return self.sorted_nodes.typed

    def running_on(self, node: Node) -> Iterator[Pod]:
        """Yield the unfinished pods that are bound to a node or assumed to be bound."""
        yield from (pod.typed for pod in self._pods_on(node))

    def count_on(self, node: Node) -> int:
        """Return the number of these pods."""
        name = node.metadata.name
        return len(self._pods_by_node.get(name, {})) + len(list(self._assumed_on(name)))

    def usage_on(self, node: Node, switches: NodeResourceSwitches) -> Amounts:
        """Return the total usage of these pods (KEP-5517/accounting/ledger-is-sum-of-footprints)."""
        name = node.metadata.name
        sums = self._usage.setdefault(name, {})
        if switches not in sums:
            sums[switches] = added(
                *(pod.usage(switches) for pod in self._pods_by_node.get(name, {}).values())
            )
        assumed = [pod.usage(switches) for pod in self._assumed_on(name)]
        return added(sums[switches], *assumed) if assumed else sums[switches]

    def _pods_on(self, node: Node) -> Iterator[PodOnNode]:
        name = node.metadata.name
        yield from self._pods_by_node.get(name, {}).values()
        yield from self._assumed_on(name)

    def _assumed_on(self, name: str) -> Iterator[PodOnNode]:
        return (PodOnNode(pod) for pod in self.assumed if pod["spec"]["nodeName"] == name)

    def users_of(self, claim: Key) -> Iterator[Pod]:
        """Yield the unfinished pods that use a claim and are bound, or assumed to be bound, to a node."""
        yield from (pod.typed for pod in self._users.get(claim, {}).values())
        yield from (PodOnNode(pod).typed for pod in self.assumed if claim in _claims_of(pod))

    def extended_resource_claims_of(self, pod: Json) -> Iterable[Json]:
        """Return the extended-resource claims of a pod in creation order."""
        return self._extended.get(pod["metadata"]["uid"], {}).values()

    def devices(self, switches: NodeResourceSwitches) -> DevicesInSlices:
        """Return the published devices; raise DecodeErrors."""
        return self._published.by(switches)

    @property
    def classes(self) -> frozenset[str]:
        """The names of the DeviceClasses."""
        return frozenset(raw["metadata"]["name"] for raw in self.objects["deviceClasses"])


class Snapshots:
    """Creates snapshots; each reads only the changes since the previous one."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._nodes = SortedNodes({})
        self._node_names: dict[Key, str] = {}
        """The node name of each unfinished pod."""
        self._pods_by_node: dict[str, dict[Key, PodOnNode]] = {}
        self._usage: dict[str, dict[NodeResourceSwitches, Amounts]] = {}
        self._users: dict[Key, dict[Key, PodOnNode]] = {}
        self._published = DevicesOfSlices(())
        self._extended: dict[str, dict[Key, Json]] = {}
        self._owners: dict[Key, str] = {}
        self._changes = Changes(client)

    def current(self, assumed: Sequence[Json]) -> Snapshot:
        """Return a snapshot of the current cluster with some pods assumed to be bound."""
        by_kind = {kind: self._client.by_key(kind) for kind in _KINDS}
        changed = frozenset(self._update_pods())
        for name in changed:
            self._usage.pop(name, None)
        nodes_changed = bool(self._changes.of("Node"))
        if nodes_changed:
            self._nodes = SortedNodes(by_kind["Node"])
        for key in self._changes.of("ResourceClaim"):
            self._update_claim(key, by_kind["ResourceClaim"].get(key))
        if self._changes.of("ResourceSlice"):
            self._published = DevicesOfSlices(list(by_kind["ResourceSlice"].values()))
        return Snapshot(
            objects=Collections(by_kind),
            claims=by_kind["ResourceClaim"],
            assumed=assumed,
            changed_nodes=None if nodes_changed else changed,
            sorted_nodes=self._nodes,
            _pods_by_node=self._pods_by_node,
            _usage=self._usage,
            _users=self._users,
            _published=self._published,
            _extended=self._extended,
        )

    def _update_pods(self) -> Iterator[str]:
        """Read the changed pods, and yield the names of the nodes that they were or are bound to."""
        pods = self._client.by_key("Pod")
        for key in self._changes.of("Pod"):
            before = self._node_names.pop(key, None)
            if before is not None:
                removed = self._pods_by_node[before].pop(key)
                for claim in _claims_of(removed.raw):
                    del self._users[claim][key]
                yield before
            pod = pods.get(key)
            node = pod["spec"].get("nodeName") if pod is not None else None
            if node and not finished(pod):
                self._node_names[key] = node
                bound = self._pods_by_node.setdefault(node, {})[key] = PodOnNode(pod)
                for claim in _claims_of(pod):
                    self._users.setdefault(claim, {})[key] = bound
                yield node

    def _update_claim(self, key: Key, claim: Json | None) -> None:
        owner = (
            (owner_of(claim) or {}).get("uid", "")
            if claim is not None and is_extended_resource_claim(claim)
            else ""
        )
        before = self._owners.pop(key, "")
        if before and before != owner:
            del self._extended[before][key]
        if owner:
            self._owners[key] = owner
            self._extended.setdefault(owner, {})[key] = claim


def _claims_of(pod: Json) -> frozenset[Key]:
    """Return the keys of the existing ResourceClaims that a pod names."""
    return frozenset(key for _, key in claim_keys(pod) if key is not None)

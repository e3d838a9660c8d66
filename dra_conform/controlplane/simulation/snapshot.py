"""A snapshot of the cluster for one scheduling attempt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dra_conform.controlplane.simulation.changes import Changes
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.keys import Key
from dra_conform.controlplane.simulation.pods import claim_keys, finished, owner_of
from dra_conform.footprint import FootprintRules, footprint, recorded
from dra_conform.footprint.amounts import Amounts, added
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.extended_resources import is_special
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

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(node["metadata"]["name"] for node in self._nodes)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each node by its name."""
        return {name: place for place, name in enumerate(self.names)}


@dataclass
class PodOnNode:
    """A pod that has a node, or is assumed to be on one."""

    raw: Json
    _taken: dict[FootprintRules, Amounts] = field(default_factory=dict)

    @cached_property
    def typed(self) -> Pod:
        """Raises DecodeErrors."""
        pod: Pod = decode(self.raw)
        return pod

    def taken(self, rules: FootprintRules) -> Amounts:
        """What it takes of the node, as its status records it; raises DecodeErrors."""
        if rules not in self._taken:
            self._taken[rules] = footprint(self.typed, recorded(self.typed, rules))
        return self._taken[rules]


class DevicesOfSlices:
    """The devices in slices, read when somebody asks for them."""

    def __init__(self, slices: Sequence[Json]) -> None:
        self._slices = slices
        self._read: dict[FootprintRules, DevicesInSlices] = {}

    def by(self, rules: FootprintRules) -> DevicesInSlices:
        """As a release tells them apart; raises DecodeErrors."""
        if rules not in self._read:
            self._read[rules] = DevicesInSlices(map(decode, self._slices), rules)
        return self._read[rules]


@dataclass(frozen=True)
class Snapshot:
    """What the scheduler knows. It is up to date until the scheduler looks again."""

    objects: Mapping[str, list[Json]]
    claims: Mapping[Key, Json] = field(repr=False)
    assumed: Sequence[Json]
    """The pods that it has assigned to nodes and not bound yet."""
    touched: frozenset[str] | None
    """The nodes whose pods have changed since the snapshot before, None where nodes themselves have."""
    sorted_nodes: SortedNodes
    _on: Mapping[str, Mapping[Key, PodOnNode]]
    _taken: dict[str, dict[FootprintRules, Amounts]]
    """What the pods that have a node take of it together, until they change."""
    _users: Mapping[Key, Mapping[Key, PodOnNode]]
    _published: DevicesOfSlices
    _special: Mapping[str, Mapping[Key, Json]]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """In the order of their names; raises DecodeErrors."""
        return self.sorted_nodes.typed

    def running_on(self, node: Node) -> Iterator[Pod]:
        """The pods that are on a node, or assumed to be, and are not finished."""
        yield from (pod.typed for pod in self._pods_on(node))

    def taken_on(self, node: Node, rules: FootprintRules) -> Amounts:
        """What these pods take together (KEP-5517/accounting/ledger-is-sum-of-footprints)."""
        name = node.metadata.name
        sums = self._taken.setdefault(name, {})
        if rules not in sums:
            sums[rules] = added(*(pod.taken(rules) for pod in self._on.get(name, {}).values()))
        assumed = [pod.taken(rules) for pod in self._assumed_on(name)]
        return added(sums[rules], *assumed) if assumed else sums[rules]

    def _pods_on(self, node: Node) -> Iterator[PodOnNode]:
        name = node.metadata.name
        yield from self._on.get(name, {}).values()
        yield from self._assumed_on(name)

    def _assumed_on(self, name: str) -> Iterator[PodOnNode]:
        return (PodOnNode(pod) for pod in self.assumed if pod["spec"]["nodeName"] == name)

    def users_of(self, claim: Key) -> Iterator[Pod]:
        """The pods with a claim that have a node, or are assumed to have one, and are not finished."""
        yield from (pod.typed for pod in self._users.get(claim, {}).values())
        yield from (PodOnNode(pod).typed for pod in self.assumed if claim in _claims_of(pod))

    def special_claims_of(self, pod: Json) -> Iterable[Json]:
        """The claims that were made for the extended resources of a pod, in the order they were created."""
        return self._special.get(pod["metadata"]["uid"], {}).values()

    def devices(self, rules: FootprintRules) -> DevicesInSlices:
        """The devices that are published; raises DecodeErrors."""
        return self._published.by(rules)

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
        self._taken: dict[str, dict[FootprintRules, Amounts]] = {}
        self._users: dict[Key, dict[Key, PodOnNode]] = {}
        self._published = DevicesOfSlices(())
        self._special: dict[str, dict[Key, Json]] = {}
        self._owners: dict[Key, str] = {}
        self._changes = Changes(client)

    def now(self, assumed: Sequence[Json]) -> Snapshot:
        """All that the scheduler reads now, and the pods that it has assigned and not bound yet."""
        by_kind = {kind: self._client.by_key(kind) for kind in _OF_ALLOCATION}
        moved = frozenset(self._moved())
        for name in moved:
            self._taken.pop(name, None)
        nodes_changed = bool(self._changes.of("Node"))
        if nodes_changed:
            self._nodes = SortedNodes(by_kind["Node"])
        for key in self._changes.of("ResourceClaim"):
            self._note_special(key, by_kind["ResourceClaim"].get(key))
        if self._changes.of("ResourceSlice"):
            self._published = DevicesOfSlices(list(by_kind["ResourceSlice"].values()))
        return Snapshot(
            objects=Collections(by_kind),
            claims=by_kind["ResourceClaim"],
            assumed=assumed,
            touched=None if nodes_changed else moved,
            sorted_nodes=self._nodes,
            _on=self._on,
            _taken=self._taken,
            _users=self._users,
            _published=self._published,
            _special=self._special,
        )

    def _moved(self) -> Iterator[str]:
        """Take in the pods that have changed; the nodes that had or have them."""
        pods = self._client.by_key("Pod")
        for key in self._changes.of("Pod"):
            before = self._places.pop(key, None)
            if before is not None:
                gone = self._on[before].pop(key)
                for claim in _claims_of(gone.raw):
                    del self._users[claim][key]
                yield before
            pod = pods.get(key)
            node = pod["spec"].get("nodeName") if pod is not None else None
            if node and not finished(pod):
                self._places[key] = node
                there = self._on.setdefault(node, {})[key] = PodOnNode(pod)
                for claim in _claims_of(pod):
                    self._users.setdefault(claim, {})[key] = there
                yield node

    def _note_special(self, key: Key, claim: Json | None) -> None:
        owner = (owner_of(claim) or {}).get("uid", "") if claim is not None and is_special(claim) else ""
        before = self._owners.pop(key, "")
        if before and before != owner:
            del self._special[before][key]
        if owner:
            self._owners[key] = owner
            self._special.setdefault(owner, {})[key] = claim


def _claims_of(pod: Json) -> frozenset[Key]:
    """The claims that a pod names."""
    return frozenset(key for _, key in claim_keys(pod) if key is not None)

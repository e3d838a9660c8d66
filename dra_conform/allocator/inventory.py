"""The devices that a node can use: pools of resource slices in search order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.decision import Failed, Stop
from dra_conform.allocator.explain import FIELD_INVALID
from dra_conform.kube.core import Node
from dra_conform.kube.resource import Device, ResourceSlice, ResourceSliceSpec
from dra_conform.kube.selectors import node_matches

PoolKey = tuple[str, str]
DeviceKey = tuple[str, str, str]
"""Driver, pool, device."""


class PoolState(StrEnum):
    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool as one node sees it. Only a complete pool has devices. `fault` says what makes it invalid."""

    driver: str
    name: str
    state: PoolState
    slices: tuple[ResourceSlice, ...] = ()
    fault: str = ""

    @property
    def label(self) -> str:
        return f"{self.driver}/{self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Devices:
    """The pools of a node in search order, and their devices in total order (pool, slice name, place).

    The lists run in parallel. `shared` says whether a device may be allocated several times; `hidden` are
    devices with binding conditions where that feature is off.
    """

    node: Node
    pools: tuple[Pool, ...]
    keys: list[DeviceKey]
    devices: list[Device]
    slices: list[ResourceSlice]
    shared: list[bool]
    hidden: frozenset[int]

    def label(self, index: int) -> str:
        return "/".join(self.keys[index])

    def reaches(self, index: int) -> bool:
        """Whether the device itself is on the node, where its slice leaves node selection to the devices."""
        item = self.slices[index]
        if not item.spec.per_device_node_selection:
            return True
        try:
            return reaches_node(self.devices[index], self.node)
        except ValueError as error:
            raise _bad_selector(item, error) from error


class Inventory:
    """All slices of the cluster, ready to be looked at from any node."""

    def __init__(self, slices: Sequence[ResourceSlice], behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._by_node: dict[str, list[ResourceSlice]] = {}
        self._others: list[ResourceSlice] = []
        self._by_pool: dict[PoolKey, list[ResourceSlice]] = {}
        for item in slices:
            spec = item.spec
            self._by_pool.setdefault((spec.driver, spec.pool.name), []).append(item)
            if spec.node_name and not (spec.shared_counters and behaviour.counter_slices_everywhere):
                self._by_node.setdefault(spec.node_name, []).append(item)
            else:
                self._others.append(item)

    def on(self, node: Node) -> Devices:
        """What the node can use; raises Stop for a node selector that cannot be understood."""
        newest: dict[PoolKey, list[ResourceSlice]] = {}
        for item in (*self._by_node.get(node.metadata.name, ()), *self._others):
            if not self._concerns(item, node):
                continue
            key = (item.spec.driver, item.spec.pool.name)
            found = newest.get(key)
            generation = item.spec.pool.generation
            if found is None or generation > found[0].spec.pool.generation:
                newest[key] = [item]
            elif generation == found[0].spec.pool.generation:
                found.append(item)
        pools = [pool for key, found in newest.items() if (pool := self._pool(key, found)) is not None]
        pools.sort(key=lambda pool: (_has_binding_conditions(pool), pool.driver, pool.name))
        return self._flattened(node, pools)

    def elsewhere(self, node: Node) -> Iterator[ResourceSlice]:
        """The slices that do not concern the node, for an explanation."""
        for slices in self._by_pool.values():
            yield from (item for item in slices if not self._concerns(item, node))

    def _concerns(self, item: ResourceSlice, node: Node) -> bool:
        spec, behaviour = item.spec, self._behaviour
        if not behaviour.partitionable_devices and (
            spec.per_device_node_selection is not None or spec.shared_counters
        ):
            return False
        if spec.shared_counters and behaviour.counter_slices_everywhere:
            return True
        try:
            if spec.node_name or spec.all_nodes or spec.node_selector is not None:
                return reaches_node(spec, node)
            if spec.per_device_node_selection:
                return any(reaches_node(device, node) for device in spec.devices)
        except ValueError as error:
            raise _bad_selector(item, error) from error
        return False

    def _pool(self, key: PoolKey, found: list[ResourceSlice]) -> Pool | None:
        first = found[0].spec.pool
        current = found
        if self._behaviour.pools_seen_whole or len(found) != first.resource_slice_count:
            everywhere = self._by_pool[key]
            if any(item.spec.pool.generation > first.generation for item in everywhere):
                return None
            current = [item for item in everywhere if item.spec.pool.generation == first.generation]
            if len(current) != first.resource_slice_count:
                return Pool(*key, PoolState.INCOMPLETE)
        found = sorted(found, key=lambda item: item.metadata.name)
        if self._behaviour.partitionable_devices:
            found = [item for item in found if not item.spec.shared_counters]
        names: set[str] = set()
        for item in current if self._behaviour.pools_seen_whole else found:
            for device in item.spec.devices:
                if device.name in names:
                    return Pool(*key, PoolState.INVALID, fault=f"duplicate device name {device.name}")
                names.add(device.name)
        return Pool(*key, PoolState.COMPLETE, tuple(found))

    def _flattened(self, node: Node, pools: list[Pool]) -> Devices:
        sharing, binding = self._behaviour.consumable_capacity, self._behaviour.binding_conditions
        placed = [
            (pool, item, device) for pool in pools for item in pool.slices for device in item.spec.devices
        ]
        return Devices(
            node,
            tuple(pools),
            keys=[(pool.driver, pool.name, device.name) for pool, _, device in placed],
            devices=[device for _, _, device in placed],
            slices=[item for _, item, _ in placed],
            shared=[sharing and device.allow_multiple_allocations is True for _, _, device in placed],
            hidden=frozenset(
                index
                for index, (_, _, device) in enumerate(placed)
                if device.binding_conditions and not binding
            ),
        )


def _bad_selector(item: ResourceSlice, error: ValueError) -> Stop:
    return Stop(
        Failed(
            FIELD_INVALID,
            "gather pool information: failed to perform node selection for slice "
            f"{item.metadata.name}: failed to parse node selector: {error}",
        )
    )


def reaches_node(item: ResourceSliceSpec | Device, node: Node) -> bool:
    """Whether a slice or a device is on the node; ValueError for an unparsable selector."""
    if item.node_name:
        return item.node_name == node.metadata.name
    if item.all_nodes:
        return True
    return item.node_selector is not None and node_matches(item.node_selector, node)


def _has_binding_conditions(pool: Pool) -> bool:
    return any(device.binding_conditions is not None for item in pool.slices for device in item.spec.devices)

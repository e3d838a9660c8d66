"""The devices of all ResourceSlices: pools in search order, and the devices of each node."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from dra_conform.allocator.node_devices import NodeDevices, NodePool, PoolKey, PoolState, bad_selector
from dra_conform.kube.core import Node
from dra_conform.kube.node_selectors import is_available_on_node
from dra_conform.kube.resource import Device, ResourceSlice
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import GroupSemantics

_Placed = tuple[int, ResourceSlice]
"""A slice with its index in the input."""


class Inventory:
    """All ResourceSlices of the cluster, indexed by node and by pool."""

    def __init__(self, slices: Sequence[ResourceSlice], switches: AllocationSwitches) -> None:
        self._switches = switches
        self._by_node: dict[str, list[_Placed]] = {}
        self._others: list[_Placed] = []
        self._by_pool: dict[PoolKey, list[ResourceSlice]] = {}
        for place, item in enumerate(slices):
            spec = item.spec
            self._by_pool.setdefault((spec.driver, spec.pool.name), []).append(item)
            everywhere = spec.shared_counters and switches.counters.slices_everywhere
            if spec.node_name and not everywhere:
                self._by_node.setdefault(spec.node_name, []).append((place, item))
            else:
                self._others.append((place, item))

    def on(self, node: Node) -> NodeDevices:
        """Return the devices that the node can access. Raise Stop for an invalid node selector."""
        newest: dict[PoolKey, list[ResourceSlice]] = {}
        reached = [*self._by_node.get(node.metadata.name, ()), *self._others]
        if not self._switches.pools.node_slices_first:
            reached.sort(key=itemgetter(0))
        for _, item in reached:
            if not self._concerns(item, node):
                continue
            key = (item.spec.driver, item.spec.pool.name)
            members = newest.get(key)
            generation = item.spec.pool.generation
            if members is None or generation > members[0].spec.pool.generation:
                newest[key] = [item]
            elif generation == members[0].spec.pool.generation:
                members.append(item)
        pools = [pool for key, members in newest.items() if (pool := self._pool(key, members)) is not None]
        pools.sort(key=lambda pool: (_has_binding_conditions(pool.slices), pool.driver, pool.name))
        return self._flattened(node, pools)

    @property
    def size(self) -> int:
        """The number of slices in the cluster."""
        return sum(map(len, self._by_pool.values()))

    def elsewhere(self, node: Node) -> Iterator[ResourceSlice]:
        """Yield the slices that the node cannot access."""
        for slices in self._by_pool.values():
            yield from (item for item in slices if not self._concerns(item, node))

    def _concerns(self, item: ResourceSlice, node: Node) -> bool:
        spec, switches = item.spec, self._switches
        if not switches.features.partitionable_devices and (
            spec.per_device_node_selection is not None
            or (spec.shared_counters and not switches.counters.slices_have_devices)
        ):
            return False
        if self._ignored(item):
            return False
        if spec.shared_counters and switches.counters.slices_everywhere:
            return True
        try:
            if spec.node_name or spec.all_nodes or spec.node_selector is not None:
                return is_available_on_node(spec, node)
            if spec.per_device_node_selection:
                return any(is_available_on_node(device, node) for device in spec.devices)
        except ValueError as error:
            raise bad_selector(item, error) from error
        return False

    def _ignored(self, item: ResourceSlice) -> bool:
        """Whether the release ignores the slice, because its devices have compatibility groups."""
        return self._switches.groups is GroupSemantics.SLICES_IGNORED and has_groups(item.spec.devices)

    def _pool(self, key: PoolKey, slices: list[ResourceSlice]) -> NodePool | None:
        switches = self._switches
        first = slices[0].spec.pool
        current = slices
        complete = len(slices) == first.resource_slice_count
        if switches.pools.whole_pool_counts or (not complete and not switches.pools.from_node_only):
            everywhere = self._by_pool[key]
            if any(item.spec.pool.generation > first.generation for item in everywhere):
                return None
            current = [
                item
                for item in everywhere
                if item.spec.pool.generation == first.generation and not self._ignored(item)
            ]
            complete = len(current) == first.resource_slice_count
        if switches.pools.counts_agree and len(_counts(current)) > 1:
            return NodePool(
                *key, PoolState.INVALID, fault="its slices have different values of resourceSliceCount"
            )
        if not complete and not switches.pools.incomplete_usable:
            return NodePool(*key, PoolState.INCOMPLETE)
        slices = self._ordered(slices)
        whole = tuple(slices)
        if len(current) > len(slices):
            for_node = {id(item) for item in slices}
            whole += tuple(item for item in current if id(item) not in for_node)
        if switches.features.partitionable_devices and not switches.counters.slices_have_devices:
            slices = [item for item in slices if not item.spec.shared_counters]
        fault = self._fault(current if switches.pools.whole_pool_counts else slices, whole)
        if fault:
            return NodePool(*key, PoolState.INVALID, fault=fault)
        state = PoolState.COMPLETE if complete else PoolState.INCOMPLETE
        return NodePool(*key, state, tuple(slices), whole)

    def _ordered(self, slices: list[ResourceSlice]) -> list[ResourceSlice]:
        if not self._switches.pools.slices_in_input_order:
            return sorted(slices, key=lambda item: item.metadata.name)
        if self._switches.pools.binding_slices_last:
            return sorted(slices, key=lambda item: _has_binding_conditions((item,)))
        return slices

    def _fault(self, named: Sequence[ResourceSlice], whole: Sequence[ResourceSlice]) -> str:
        """Return what makes a pool invalid, or an empty string.

        Device names must be unique in the slices `named`, counter sets in the slices `whole`.
        """
        names: set[str] = set()
        for item in named:
            for device in item.spec.devices:
                if device.name in names:
                    return f"duplicate device name {device.name}"
                names.add(device.name)
        if not self._switches.features.partitionable_devices or not self._switches.counters.validated:
            return ""
        sets: dict[str, Container[str]] = {}
        for item in whole:
            for counter_set in item.spec.shared_counters:
                if counter_set.name in sets:
                    return f"duplicate counter set name {counter_set.name}"
                sets[counter_set.name] = counter_set.counters
        for item in whole:
            if item.spec.shared_counters and not self._switches.counters.slices_have_devices:
                continue
            for device in item.spec.devices:
                fault = _unknown_counter(device, sets)
                if fault:
                    return fault
        return ""

    def _flattened(self, node: Node, pools: list[NodePool]) -> NodeDevices:
        sharing = self._switches.features.consumable_capacity
        placed = [
            (home, pool, item, device)
            for home, pool in enumerate(pools)
            for item in pool.slices
            for device in item.spec.devices
        ]
        return NodeDevices(
            node,
            tuple(pools),
            keys=[(pool.driver, pool.name, device.name) for _, pool, _, device in placed],
            devices=[device for *_, device in placed],
            slices=[item for _, _, item, _ in placed],
            shared=[sharing and device.allow_multiple_allocations is True for *_, device in placed],
            special=[bool(device.consumes_counters or device.taints) for *_, device in placed],
            homes=[home for home, *_ in placed],
            hidden=frozenset(
                index
                for index, (*_, device) in enumerate(placed)
                if device.binding_conditions and not self._switches.features.binding_conditions
            ),
            draw=any(device.consumes_counters for *_, device in placed),
            barrier=self._barrier(pools),
        )

    def _barrier(self, pools: Sequence[NodePool]) -> int:
        count = 0
        for pool in pools:
            if pool.state is PoolState.INVALID and self._switches.pools.invalid_is_error:
                return count
            count += sum(len(item.spec.devices) for item in pool.slices)
        return _NOWHERE


_NOWHERE = sys.maxsize


def _counts(slices: Iterable[ResourceSlice]) -> set[int]:
    return {item.spec.pool.resource_slice_count for item in slices}


def _unknown_counter(device: Device, sets: Mapping[str, Container[str]]) -> str:
    for consumption in device.consumes_counters:
        known = sets.get(consumption.counter_set)
        if known is None:
            return f"counter set {consumption.counter_set} not found"
        for name in consumption.counters:
            if name not in known:
                return f"counter {name} not found in counter set {consumption.counter_set}"
    return ""


def has_groups(devices: Iterable[Device]) -> bool:
    """Whether one of the devices has a compatibility group (KEP-5963)."""
    return any(item.compatibility_groups for device in devices for item in device.consumes_counters)


def _has_binding_conditions(slices: Iterable[ResourceSlice]) -> bool:
    return any(device.binding_conditions is not None for item in slices for device in item.spec.devices)

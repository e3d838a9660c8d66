"""The pools that a node can use: their current ResourceSlices, their devices, and their errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.conformance.allocate.judged_world import Placed, PoolKey, World, reaches
from dra_conform.conformance.allocate.rules import Rules
from dra_conform.kube.core import Node
from dra_conform.kube.resource import CounterSet, Device, ResourceSlice
from dra_conform.kube.switch_values import GroupReading


@dataclass(frozen=True, slots=True)
class Pool:
    """One generation of a pool.

    `devices`: its devices by name, including devices that are only available on other nodes.
    `slices`: its current ResourceSlices, in the order in which devices are searched.
    `missing`: why the pool is incomplete, empty if it is complete.
    `invalid`: why the pool is invalid, empty if it is valid.
    """

    key: PoolKey
    slices: tuple[ResourceSlice, ...]
    devices: Mapping[str, Placed]
    missing: str
    invalid: str

    @property
    def name(self) -> str:
        return "/".join(self.key)

    def problem(self, rules: Rules) -> str:
        """Return why no device of the pool may be allocated, empty if devices may be."""
        return self.invalid or ("" if rules.pools.incomplete_serve else self.missing)


def pools_of(world: World, node: Node, rules: Rules) -> dict[PoolKey, Pool]:
    """Return the pools of a node. A pool with a newer generation on other nodes only may not exist."""
    published: dict[PoolKey, list[ResourceSlice]] = {}
    for item in world.slices:
        published.setdefault((item.spec.driver, item.spec.pool.name), []).append(item)
    pools = {}
    for key, members in published.items():
        found = _whole(members) if rules.pools.seen_whole else _near(members, node, rules)
        if found is not None:
            pools[key] = _pool(key, *found, rules)
    return pools


def concerns(item: ResourceSlice, node: Node, rules: Rules) -> bool:
    """Whether the ResourceSlice, or one of its devices, selects the node."""
    spec = item.spec
    if _hidden(item, rules):
        return False
    if rules.counters.slices_everywhere and spec.shared_counters:
        return True
    if spec.node_name or spec.all_nodes or spec.node_selector is not None:
        return reaches(spec, node)
    return bool(spec.per_device_node_selection) and any(reaches(device, node) for device in spec.devices)


def groups_of(device: Device) -> dict[str, frozenset[str]]:
    """Return the compatibility groups of a device by counter set, without counter sets that have none."""
    return {
        entry.counter_set: frozenset(entry.compatibility_groups)
        for entry in device.consumes_counters
        if entry.compatibility_groups
    }


Slices = tuple[list[ResourceSlice], list[ResourceSlice]]
"""ResourceSlices whose devices can be allocated, and ResourceSlices that only complete the pool."""


def _whole(members: Sequence[ResourceSlice]) -> Slices:
    newest = max(item.spec.pool.generation for item in members)
    return [item for item in members if item.spec.pool.generation == newest], []


def _near(members: Sequence[ResourceSlice], node: Node, rules: Rules) -> Slices | None:
    """Return the ResourceSlices of the node; those of other nodes only if the first are not complete.

    This is how releases gather a pool.
    """
    here = [item for item in members if concerns(item, node, rules)]
    if not here:
        return None
    near, _ = _whole(here)
    generation = near[0].spec.pool.generation
    if not _missing(near) or rules.pools.incomplete_serve:
        return near, []
    if any(item.spec.pool.generation > generation for item in members):
        return None
    known = {id(item) for item in near}
    far = [
        item
        for item in members
        if item.spec.pool.generation == generation and id(item) not in known and not _grouped(item, rules)
    ]
    return near, far


def _hidden(item: ResourceSlice, rules: Rules) -> bool:
    """Whether the ResourceSlice uses a disabled feature, so that its devices do not exist."""
    if _grouped(item, rules):
        return True
    counting = not rules.counters.slices_have_devices and bool(item.spec.shared_counters)
    unknown = counting or item.spec.per_device_node_selection is not None
    return unknown and not rules.features.partitionable_devices


def _grouped(item: ResourceSlice, rules: Rules) -> bool:
    return rules.groups is GroupReading.SLICES_IGNORED and any(
        groups_of(device) for device in item.spec.devices
    )


def _pool(key: PoolKey, near: list[ResourceSlice], far: list[ResourceSlice], rules: Rules) -> Pool:
    slices = (*sorted(near, key=lambda item: item.metadata.name), *far)
    devices: dict[str, Placed] = {}
    for one in _devices(slices, rules):
        devices.setdefault(one.device.name, one)
    faults = (*_doubled(near, rules), *(_disagreeing(slices) if rules.pools.counts_agree else ()))
    if rules.features.partitionable_devices and rules.counters.validated:
        faults = (*faults, *_dangling(slices, rules))
    return Pool(
        key,
        slices,
        devices,
        missing=_missing(slices),
        invalid=f"is invalid: {faults[0]}" if faults else "",
    )


def _missing(slices: Sequence[ResourceSlice]) -> str:
    """Return why the pool is incomplete, empty if a resourceSliceCount is the number of its slices."""
    declared = sorted({item.spec.pool.resource_slice_count for item in slices})
    if len(slices) in declared:
        return ""
    return (
        f"is incomplete: resourceSliceCount is {' or '.join(map(str, declared))}, got {len(slices)} slice(s)"
    )


def _disagreeing(slices: Sequence[ResourceSlice]) -> Iterator[str]:
    declared = sorted({item.spec.pool.resource_slice_count for item in slices})
    if len(declared) > 1:
        yield f"its ResourceSlices have different resourceSliceCounts: {' and '.join(map(str, declared))}"


def _devices(slices: Sequence[ResourceSlice], rules: Rules) -> Iterator[Placed]:
    for item in slices:
        only_counts = not rules.counters.slices_have_devices and item.spec.shared_counters
        if not only_counts and not _hidden(item, rules):
            yield from (Placed(item, device) for device in item.spec.devices)


def _doubled(slices: Sequence[ResourceSlice], rules: Rules) -> tuple[str, ...]:
    names = Counter(one.device.name for one in _devices(slices, rules))
    return tuple(f"device {name} is published {times} times" for name, times in names.items() if times > 1)


def _dangling(slices: Sequence[ResourceSlice], rules: Rules) -> Iterator[str]:
    """Yield duplicate counter sets, and consumed counters that the pool does not declare."""
    sets: dict[str, CounterSet] = {}
    for item in slices:
        for one in item.spec.shared_counters:
            if one.name in sets:
                yield f"counter set {one.name} is published twice"
            sets[one.name] = one
    for placed in _devices(slices, rules):
        for entry in placed.device.consumes_counters:
            where = f"device {placed.device.name} consumes"
            if entry.counter_set not in sets:
                yield f"{where} counter set {entry.counter_set}, which the pool does not declare"
                continue
            declared = sets[entry.counter_set].counters
            yield from (
                f"{where} counter {name}, which counter set {entry.counter_set} does not declare"
                for name in entry.counters
                if name not in declared
            )

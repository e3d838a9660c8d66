"""The pools that a node can use: their current ResourceSlices, their devices, and their errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.conformance.allocate.case_objects import CaseObjects, PoolKey, PublishedDevice, selects
from dra_conform.kube.core import Node
from dra_conform.kube.listing import counted
from dra_conform.kube.resource import CounterSet, Device, ResourceSlice
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import GroupSemantics


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
    devices: Mapping[str, PublishedDevice]
    missing: str
    invalid: str

    @property
    def name(self) -> str:
        return "/".join(self.key)

    def problem(self, switches: AllocationSwitches) -> str:
        """Return why no device of the pool may be allocated, empty if they may."""
        return self.invalid or ("" if switches.pools.incomplete_usable else self.missing)


def pools_of(objects: CaseObjects, node: Node, switches: AllocationSwitches) -> dict[PoolKey, Pool]:
    """Return the pools of a node by driver and name.

    Some releases leave out a pool whose newest generation is only on other nodes.
    """
    published: dict[PoolKey, list[ResourceSlice]] = {}
    for resource_slice in objects.slices:
        published.setdefault((resource_slice.spec.driver, resource_slice.spec.pool.name), []).append(
            resource_slice
        )
    pools = {}
    for key, members in published.items():
        slices = (
            _newest_generation(members)
            if switches.pools.whole_pool_counts
            else _slices_for_node(members, node, switches)
        )
        if slices is not None:
            pools[key] = _build_pool(key, *slices, switches)
    return pools


def selects_node(resource_slice: ResourceSlice, node: Node, switches: AllocationSwitches) -> bool:
    """Whether the ResourceSlice, or one of its devices, selects the node."""
    spec = resource_slice.spec
    if _is_ignored(resource_slice, switches):
        return False
    if switches.counters.slices_everywhere and spec.shared_counters:
        return True
    if spec.node_name or spec.all_nodes or spec.node_selector is not None:
        return selects(spec, node)
    return bool(spec.per_device_node_selection) and any(selects(device, node) for device in spec.devices)


def groups_of(device: Device) -> dict[str, frozenset[str]]:
    """Return the compatibility groups of a device by counter set; counter sets without groups are omitted."""
    return {
        entry.counter_set: frozenset(entry.compatibility_groups)
        for entry in device.consumes_counters
        if entry.compatibility_groups
    }


PoolSlices = tuple[list[ResourceSlice], list[ResourceSlice]]
"""ResourceSlices whose devices can be allocated, and ResourceSlices that only complete the pool."""


def _newest_generation(members: Sequence[ResourceSlice]) -> PoolSlices:
    newest = max(resource_slice.spec.pool.generation for resource_slice in members)
    return [resource_slice for resource_slice in members if resource_slice.spec.pool.generation == newest], []


def _slices_for_node(
    members: Sequence[ResourceSlice], node: Node, switches: AllocationSwitches
) -> PoolSlices | None:
    """Return the ResourceSlices of the node, and those of other nodes if the pool is incomplete without them.

    Releases collect the ResourceSlices of a pool in this way.
    """
    of_node = [resource_slice for resource_slice in members if selects_node(resource_slice, node, switches)]
    if not of_node:
        return None
    near, _ = _newest_generation(of_node)
    generation = near[0].spec.pool.generation
    if not _missing(near) or switches.pools.incomplete_usable:
        return near, []
    if any(resource_slice.spec.pool.generation > generation for resource_slice in members):
        return None
    known = {id(resource_slice) for resource_slice in near}
    far = [
        resource_slice
        for resource_slice in members
        if resource_slice.spec.pool.generation == generation
        and id(resource_slice) not in known
        and not _is_ignored_for_groups(resource_slice, switches)
    ]
    return near, far


def _is_ignored(resource_slice: ResourceSlice, switches: AllocationSwitches) -> bool:
    """Whether the ResourceSlice uses a disabled feature, so that its devices do not exist."""
    if _is_ignored_for_groups(resource_slice, switches):
        return True
    counting = not switches.counters.slices_have_devices and bool(resource_slice.spec.shared_counters)
    unknown = counting or resource_slice.spec.per_device_node_selection is not None
    return unknown and not switches.features.partitionable_devices


def _is_ignored_for_groups(resource_slice: ResourceSlice, switches: AllocationSwitches) -> bool:
    return switches.groups is GroupSemantics.SLICES_IGNORED and any(
        groups_of(device) for device in resource_slice.spec.devices
    )


def _build_pool(
    key: PoolKey, near: list[ResourceSlice], far: list[ResourceSlice], switches: AllocationSwitches
) -> Pool:
    slices = (*sorted(near, key=lambda resource_slice: resource_slice.metadata.name), *far)
    devices: dict[str, PublishedDevice] = {}
    for published in _devices(slices, switches):
        devices.setdefault(published.device.name, published)
    faults = (
        *_duplicate_devices(near, switches),
        *(_different_slice_counts(slices) if switches.pools.counts_agree else ()),
    )
    if switches.features.partitionable_devices and switches.counters.validated:
        faults = (*faults, *_undeclared_counters(slices, switches))
    return Pool(
        key,
        slices,
        devices,
        missing=_missing(slices),
        invalid=f"is invalid: {faults[0]}" if faults else "",
    )


def _missing(slices: Sequence[ResourceSlice]) -> str:
    """Return why the pool is incomplete, empty if a resourceSliceCount is the number of its slices."""
    declared = sorted({resource_slice.spec.pool.resource_slice_count for resource_slice in slices})
    if len(slices) in declared:
        return ""
    return (
        f"is incomplete: resourceSliceCount is {' or '.join(map(str, declared))}, "
        f"got {counted(len(slices), 'ResourceSlice')}"
    )


def _different_slice_counts(slices: Sequence[ResourceSlice]) -> Iterator[str]:
    declared = sorted({resource_slice.spec.pool.resource_slice_count for resource_slice in slices})
    if len(declared) > 1:
        yield f"its ResourceSlices have different resourceSliceCounts: {' and '.join(map(str, declared))}"


def _devices(slices: Sequence[ResourceSlice], switches: AllocationSwitches) -> Iterator[PublishedDevice]:
    for resource_slice in slices:
        only_counts = not switches.counters.slices_have_devices and resource_slice.spec.shared_counters
        if not only_counts and not _is_ignored(resource_slice, switches):
            yield from (PublishedDevice(resource_slice, device) for device in resource_slice.spec.devices)


def _duplicate_devices(slices: Sequence[ResourceSlice], switches: AllocationSwitches) -> tuple[str, ...]:
    names = Counter(published.device.name for published in _devices(slices, switches))
    return tuple(f"device {name} is published {times} times" for name, times in names.items() if times > 1)


def _undeclared_counters(slices: Sequence[ResourceSlice], switches: AllocationSwitches) -> Iterator[str]:
    """Yield duplicate counter sets, and consumed counters that the pool does not declare."""
    sets: dict[str, CounterSet] = {}
    for resource_slice in slices:
        for counter_set in resource_slice.spec.shared_counters:
            if counter_set.name in sets:
                yield f"counter set {counter_set.name} is published twice"
            sets[counter_set.name] = counter_set
    for published in _devices(slices, switches):
        for entry in published.device.consumes_counters:
            where = f"device {published.device.name} consumes"
            if entry.counter_set not in sets:
                yield f"{where} counter set {entry.counter_set}, which the pool does not declare"
                continue
            declared = sets[entry.counter_set].counters
            yield from (
                f"{where} counter {name}, which counter set {entry.counter_set} does not declare"
                for name in entry.counters
                if name not in declared
            )

"""The invariants of device compatibility groups (KEP-5963): common groups, and recorded groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dra_conform.conformance.allocate.case_objects import PoolKey
from dra_conform.conformance.allocate.invariants.counters_not_overcommitted import (
    devices_allocated_before,
    newly_allocated,
)
from dra_conform.conformance.allocate.invariants.violation import Violation
from dra_conform.conformance.allocate.judged_answer import AllocatedDevice, JudgedAnswer
from dra_conform.conformance.allocate.published_pools import groups_of
from dra_conform.kube.resource import Device
from dra_conform.kube.switches.values import GroupSemantics

GroupSet = frozenset[str]
"""The groups of one device on one counter set, empty if it has none."""
SetKey = tuple[PoolKey, str]
"""Pool and counter set. An equal name in another pool is another counter set."""
Peers = Mapping[SetKey, Sequence[GroupSet]]
"""The groups of devices that were allocated before, by counter set."""


def groups_compatible(answer: JudgedAnswer) -> Iterator[Violation]:
    """All devices allocated from one counter set have a common group, or none of them has groups.

    KEP-5963/compatibility/*, KEP-5963/rolling-intersection/*. Devices that conflicted before stay allocated,
    but no other device may be added (KEP-5963/rolling-intersection/peers-already-in-conflict).
    `GroupSemantics` defines the behavior with the gate off.
    """
    match answer.switches.groups:
        case GroupSemantics.RECORDED:
            yield from _without_common_group(_without_admin_access(answer), _peers(_recorded_groups(answer)))
        case GroupSemantics.LIVE:
            peers = _peers(_published_groups(answer))
            compared = {key: _compared_in_1_37(groups) for key, groups in peers.items()}
            yield from _without_common_group(newly_allocated(answer).values(), compared)
        case GroupSemantics.EXCLUDED:
            yield from _groups_unused(answer)
        case GroupSemantics.SLICES_IGNORED | GroupSemantics.UNKNOWN:
            return


def groups_recorded(answer: JudgedAnswer) -> Iterator[Violation]:
    """A result records the groups that its device declares, by counter set, and no other groups.

    KEP-5963/snapshot/*. A counter set without groups may be recorded as an empty list
    (KEP-5963/snapshot/consumed-but-ungrouped-set). Whether adminAccess records groups is not specified.
    """
    for allocated in answer.allocated_devices:
        if allocated.published is None:
            continue
        device = allocated.published.device
        recorded = allocated.result.compatibility_groups or {}
        declared = groups_of(device) if answer.switches.groups is GroupSemantics.RECORDED else {}
        consumed_sets = {entry.counter_set for entry in device.consumes_counters} if declared else set()
        for name, groups in recorded.items():
            if name not in consumed_sets:
                yield Violation(
                    f"KEP-5963/snapshot/{'unconsumed-sets-absent' if declared else 'absent-without-groups'}",
                    f"{allocated.label}: compatibilityGroups records {_names(groups)} for counter "
                    f"set {name}, expected no entry",
                )
            elif frozenset(groups) != declared.get(name, frozenset()):
                yield Violation(
                    "KEP-5963/snapshot/keyed-by-counter-set",
                    f"{allocated.label}: compatibilityGroups records {_names(groups)} for counter "
                    f"set {name}, "
                    f"expected {_names(declared.get(name, ()))} as device {device.name} declares",
                )
            elif len(groups) > max(_group_counts(device, name)):
                yield Violation(
                    "KEP-5963/snapshot/recorded-at-allocation",
                    f"{allocated.label}: compatibilityGroups repeats a group for counter set {name}: "
                    f"{', '.join(groups)}",
                )
        if allocated.is_admin and not recorded:
            continue
        for name, declares in declared.items():
            if name not in recorded:
                yield Violation(
                    "KEP-5963/snapshot/recorded-at-allocation",
                    f"{allocated.label}: compatibilityGroups lacks counter set {name}, "
                    f"expected {_names(declares)} as device {device.name} declares",
                )


def _names(groups: Iterable[str]) -> str:
    return " and ".join(sorted(set(groups))) or "no group"


def _group_counts(device: Device, counter_set: str) -> Iterator[int]:
    """Return the numbers of groups that the device lists for a counter set, duplicates included."""
    return (
        len(entry.compatibility_groups)
        for entry in device.consumes_counters
        if entry.counter_set == counter_set
    )


def _peers(occupied: Iterable[tuple[SetKey, GroupSet]]) -> dict[SetKey, list[GroupSet]]:
    peers: dict[SetKey, list[GroupSet]] = {}
    for key, groups in occupied:
        peers.setdefault(key, []).append(groups)
    return peers


def _recorded_groups(answer: JudgedAnswer) -> Iterator[tuple[SetKey, GroupSet]]:
    """Yield the recorded groups of devices that were allocated before; without a record there is no group.

    KEP-5963/snapshot/authoritative-over-changed-slice, KEP-5963/rolling-intersection/peer-without-snapshot.
    """
    for result in answer.allocated_before:
        recorded = result.compatibility_groups or {}
        pool = (result.driver, result.pool)
        yield from (((pool, name), frozenset(groups)) for name, groups in recorded.items())
        published = answer.pools[pool].devices.get(result.device) if pool in answer.pools else None
        if published is not None:
            yield from (
                ((pool, entry.counter_set), frozenset())
                for entry in published.device.consumes_counters
                if entry.counter_set not in recorded
            )


def _published_groups(answer: JudgedAnswer) -> Iterator[tuple[SetKey, GroupSet]]:
    """Yield the currently published groups of devices that were allocated before, in slice order."""
    before = devices_allocated_before(answer)
    for pool in answer.pools.values():
        for published in pool.devices.values():
            if published.key in before:
                yield from (
                    ((pool.key, entry.counter_set), frozenset(entry.compatibility_groups))
                    for entry in published.device.consumes_counters
                )


def _compared_in_1_37(peers: Sequence[GroupSet]) -> Sequence[GroupSet]:
    """Return the devices that 1.37 compares.

    These are the devices with groups if the first device has groups, otherwise the devices without groups.
    """
    return [groups for groups in peers if bool(groups) == bool(peers[0])]


def _without_admin_access(answer: JudgedAnswer) -> Iterable[AllocatedDevice]:
    """Return each device allocated without adminAccess, including more shared allocations of a device."""
    return {
        allocated.key: allocated for allocated in answer.allocated_devices if not allocated.is_admin
    }.values()


def _without_common_group(candidates: Iterable[AllocatedDevice], peers: Peers) -> Iterator[Violation]:
    new_groups: dict[SetKey, list[tuple[AllocatedDevice, GroupSet]]] = {}
    for allocated in candidates:
        if allocated.published is not None:
            for entry in allocated.published.device.consumes_counters:
                device_with_groups = (allocated, frozenset(entry.compatibility_groups))
                new_groups.setdefault((allocated.key[:2], entry.counter_set), []).append(device_with_groups)
    for key, devices in new_groups.items():
        all_groups = [*peers.get(key, ()), *(groups for _, groups in devices)]
        if any(all_groups) and not frozenset.intersection(*all_groups):
            allocated, groups = devices[-1]
            others = ", ".join(map(_names, all_groups[:-1]))
            together = f" together with devices that have {others}" if others else ""
            yield Violation(
                _conflict(groups, all_groups[:-1]),
                f"{allocated.label}: device {allocated.key[2]} with {_names(groups)} is allocated "
                "from counter set "
                f"{key[1]} in pool {'/'.join(key[0])}{together}, expected a group common to all",
            )


def _conflict(groups: GroupSet, others: Sequence[GroupSet]) -> str:
    """Return the requirement that a device with these groups and others without a common group violate."""
    if not groups:
        return "KEP-5963/compatibility/ungrouped-candidate-beside-grouped-refused"
    if not any(others):
        return "KEP-5963/compatibility/grouped-candidate-beside-ungrouped-refused"
    if others and not frozenset.intersection(*others):
        return "KEP-5963/rolling-intersection/peers-already-in-conflict"
    if all(groups & other for other in others):
        return "KEP-5963/rolling-intersection/pairwise-overlap-not-enough"
    return "KEP-5963/compatibility/disjoint-groups-refused"


def _groups_unused(answer: JudgedAnswer) -> Iterator[Violation]:
    recorded_sets = {
        ((result.driver, result.pool), name)
        for result in answer.allocated_before
        for name, groups in (result.compatibility_groups or {}).items()
        if groups
    }
    for allocated in answer.allocated_devices:
        if allocated.published is not None:
            for name, groups in groups_of(allocated.published.device).items():
                yield Violation(
                    "KEP-5963/feature-gate/off-skips-declaring-devices",
                    f"{allocated.label}: device {allocated.key[2]} has {_names(groups)} on "
                    f"counter set {name}, but DRADeviceCompatibilityGroups is off",
                )
    for allocated in newly_allocated(answer).values():
        if allocated.published is not None:
            for entry in allocated.published.device.consumes_counters:
                if (allocated.key[:2], entry.counter_set) in recorded_sets:
                    yield Violation(
                        "KEP-5963/feature-gate/off-respects-recorded-groups",
                        f"{allocated.label}: device {allocated.key[2]} consumes counter set "
                        f"{entry.counter_set}, "
                        f"for which a ResourceClaim records groups, but DRADeviceCompatibilityGroups is off",
                    )

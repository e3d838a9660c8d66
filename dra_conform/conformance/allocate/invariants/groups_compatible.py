"""The invariants of device compatibility groups (KEP-5963): common groups, and recorded groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dra_conform.conformance.allocate.invariants.counters_not_oversold import (
    devices_allocated_before,
    newly_taken,
)
from dra_conform.conformance.allocate.judged_answer import Decided, Taken
from dra_conform.conformance.allocate.judged_world import PoolKey
from dra_conform.conformance.allocate.published_pools import groups_of
from dra_conform.kube.resource import Device
from dra_conform.kube.switch_values import GroupReading

GroupSet = frozenset[str]
"""The groups of one device on one counter set, empty if it has none."""
SetKey = tuple[PoolKey, str]
"""Pool and counter set. An equal name in another pool is another counter set."""
Peers = Mapping[SetKey, Sequence[GroupSet]]
"""The groups of devices that were allocated before, by counter set."""


def groups_compatible(decided: Decided) -> Iterator[str]:
    """All devices allocated from one counter set have a common group, or none of them has groups.

    KEP-5963/compatibility/*, KEP-5963/rolling-intersection/*. Devices that conflicted before stay allocated,
    but no other device may be added (KEP-5963/rolling-intersection/peers-already-in-conflict). `GroupReading`
    says what applies with the gate off.
    """
    match decided.rules.groups:
        case GroupReading.RECORDED:
            yield from _agree(_ordinary(decided), _peers(_recorded(decided)))
        case GroupReading.LIVE:
            peers = _peers(_live(decided))
            counted = {key: _as_1_37_counts(found) for key, found in peers.items()}
            yield from _agree(newly_taken(decided).values(), counted)
        case GroupReading.REFUSED:
            yield from _left_alone(decided)
        case GroupReading.SLICES_IGNORED | GroupReading.UNKNOWN:
            return


def groups_recorded(decided: Decided) -> Iterator[str]:
    """A result records the groups that its device declares, by counter set, and no other groups.

    KEP-5963/snapshot/*. A counter set without groups may be recorded as an empty list
    (KEP-5963/snapshot/consumed-but-ungrouped-set). Whether adminAccess records groups is not specified.
    """
    for taken in decided.taken:
        if taken.placed is None:
            continue
        device = taken.placed.device
        recorded = taken.result.compatibility_groups or {}
        declared = groups_of(device) if decided.rules.groups is GroupReading.RECORDED else {}
        drawn = {entry.counter_set for entry in device.consumes_counters} if declared else set()
        for name, groups in recorded.items():
            if name not in drawn:
                yield (
                    f"{taken.label}: compatibilityGroups records {_names(groups)} for counter set {name}, "
                    f"expected no entry"
                )
            elif frozenset(groups) != declared.get(name, frozenset()):
                yield (
                    f"{taken.label}: compatibilityGroups records {_names(groups)} for counter set {name}, "
                    f"expected {_names(declared.get(name, ()))} as device {device.name} declares"
                )
            elif len(groups) > max(_listed(device, name)):
                yield (
                    f"{taken.label}: compatibilityGroups repeats a group for counter set {name}: "
                    f"{', '.join(groups)}"
                )
        if taken.is_admin and not recorded:
            continue
        for name, declares in declared.items():
            if name not in recorded:
                yield (
                    f"{taken.label}: compatibilityGroups lacks counter set {name}, "
                    f"expected {_names(declares)} as device {device.name} declares"
                )


def _names(groups: Iterable[str]) -> str:
    return " and ".join(sorted(set(groups))) or "no group"


def _listed(device: Device, counter_set: str) -> Iterator[int]:
    """Return the numbers of groups that the device lists for a counter set, duplicates included."""
    return (
        len(one.compatibility_groups) for one in device.consumes_counters if one.counter_set == counter_set
    )


def _peers(occupied: Iterable[tuple[SetKey, GroupSet]]) -> dict[SetKey, list[GroupSet]]:
    peers: dict[SetKey, list[GroupSet]] = {}
    for key, groups in occupied:
        peers.setdefault(key, []).append(groups)
    return peers


def _recorded(decided: Decided) -> Iterator[tuple[SetKey, GroupSet]]:
    """Yield the recorded groups of devices that were allocated before; without a record there is no group.

    KEP-5963/snapshot/authoritative-over-changed-slice, KEP-5963/rolling-intersection/peer-without-snapshot.
    """
    for result in decided.held:
        recorded = result.compatibility_groups or {}
        pool = (result.driver, result.pool)
        yield from (((pool, name), frozenset(groups)) for name, groups in recorded.items())
        placed = decided.pools[pool].devices.get(result.device) if pool in decided.pools else None
        if placed is not None:
            yield from (
                ((pool, entry.counter_set), frozenset())
                for entry in placed.device.consumes_counters
                if entry.counter_set not in recorded
            )


def _live(decided: Decided) -> Iterator[tuple[SetKey, GroupSet]]:
    """Yield the currently published groups of devices that were allocated before, in slice order."""
    held = devices_allocated_before(decided)
    for pool in decided.pools.values():
        for placed in pool.devices.values():
            if placed.key in held:
                yield from (
                    ((pool.key, entry.counter_set), frozenset(entry.compatibility_groups))
                    for entry in placed.device.consumes_counters
                )


def _as_1_37_counts(peers: Sequence[GroupSet]) -> Sequence[GroupSet]:
    """Return the devices that 1.37 compares: with groups if the first one has groups, else without."""
    return [groups for groups in peers if bool(groups) == bool(peers[0])]


def _ordinary(decided: Decided) -> Iterable[Taken]:
    """Return each device allocated without adminAccess, including more shared allocations of a device."""
    return {taken.key: taken for taken in decided.taken if not taken.is_admin}.values()


def _agree(candidates: Iterable[Taken], peers: Peers) -> Iterator[str]:
    joining: dict[SetKey, list[tuple[Taken, GroupSet]]] = {}
    for taken in candidates:
        if taken.placed is not None:
            for entry in taken.placed.device.consumes_counters:
                one = (taken, frozenset(entry.compatibility_groups))
                joining.setdefault((taken.key[:2], entry.counter_set), []).append(one)
    for key, found in joining.items():
        everyone = [*peers.get(key, ()), *(groups for _, groups in found)]
        if any(everyone) and not frozenset.intersection(*everyone):
            taken, groups = found[-1]
            others = ", ".join(_names(one) for one in everyone[:-1])
            together = f" together with devices that have {others}" if others else ""
            yield (
                f"{taken.label}: device {taken.key[2]} with {_names(groups)} is allocated from counter set "
                f"{key[1]} in pool {'/'.join(key[0])}{together}, expected a group common to all"
            )


def _left_alone(decided: Decided) -> Iterator[str]:
    locked = {
        ((result.driver, result.pool), name)
        for result in decided.held
        for name, groups in (result.compatibility_groups or {}).items()
        if groups
    }
    for taken in decided.taken:
        if taken.placed is not None:
            for name, groups in groups_of(taken.placed.device).items():
                yield (
                    f"{taken.label}: device {taken.key[2]} has {_names(groups)} on counter set {name}, "
                    f"but DRADeviceCompatibilityGroups is off"
                )
    for taken in newly_taken(decided).values():
        if taken.placed is not None:
            for entry in taken.placed.device.consumes_counters:
                if (taken.key[:2], entry.counter_set) in locked:
                    yield (
                        f"{taken.label}: device {taken.key[2]} consumes counter set {entry.counter_set}, "
                        f"for which a ResourceClaim records groups, but DRADeviceCompatibilityGroups is off"
                    )

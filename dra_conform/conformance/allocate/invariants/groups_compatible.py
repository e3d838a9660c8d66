"""The invariants of device compatibility groups (KEP-5963): common groups, and recorded groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dra_conform.conformance.allocate.invariants.counters_not_oversold import held_devices, newly_taken
from dra_conform.conformance.allocate.judged_answer import Decided, Taken
from dra_conform.conformance.allocate.judged_world import PoolKey
from dra_conform.conformance.allocate.published_pools import groups_of
from dra_conform.kube.resource import Device
from dra_conform.kube.switch_values import GroupReading

GroupSet = frozenset[str]
"""The groups of one device on one counter set; empty if it has none."""
SetKey = tuple[PoolKey, str]
"""pool, counter set; the same name in another pool is another set."""
Peers = Mapping[SetKey, Sequence[GroupSet]]
"""The devices that are allocated from counter sets already, by their groups there."""


def groups_compatible(decided: Decided) -> Iterator[str]:
    """All devices allocated from one counter set have a group in common, or none has any.

    KEP-5963/compatibility/*, KEP-5963/rolling-intersection/*. Devices that conflicted before keep what they
    have and admit nobody else (KEP-5963/rolling-intersection/peers-already-in-conflict). See GroupReading for
    what holds with the gate off.
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
    """A result records the groups its device declares, by counter set, and no others.

    KEP-5963/snapshot/*. A counter set on which the device has no groups may be there as an empty list
    (KEP-5963/snapshot/consumed-but-ungrouped-set). Whether admin access records anything is left open.
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
                yield f"{taken.label}: compatibilityGroups has {_told(groups)} for {name}, expected no record"
            elif frozenset(groups) != declared.get(name, frozenset()):
                yield (
                    f"{taken.label}: compatibilityGroups has {_told(groups)} for {name}, "
                    f"device {device.name} has {_told(declared.get(name, ()))}"
                )
            elif len(groups) > max(_listed(device, name)):
                yield f"{taken.label}: compatibilityGroups has a group twice for {name}: {', '.join(groups)}"
        if taken.is_admin and not recorded:
            continue
        for name, declares in declared.items():
            if name not in recorded:
                yield (
                    f"{taken.label}: compatibilityGroups lacks {name}, "
                    f"where device {device.name} has {_told(declares)}"
                )


def _told(groups: Iterable[str]) -> str:
    return " and ".join(sorted(set(groups))) or "no group"


def _listed(device: Device, counter_set: str) -> Iterator[int]:
    """How many groups the device lists on a counter set it draws from, one listed twice counted twice."""
    return (
        len(one.compatibility_groups) for one in device.consumes_counters if one.counter_set == counter_set
    )


def _peers(occupied: Iterable[tuple[SetKey, GroupSet]]) -> dict[SetKey, list[GroupSet]]:
    peers: dict[SetKey, list[GroupSet]] = {}
    for key, groups in occupied:
        peers.setdefault(key, []).append(groups)
    return peers


def _recorded(decided: Decided) -> Iterator[tuple[SetKey, GroupSet]]:
    """Held devices by the groups in their claims; who draws from a set without a record has no group there.

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
    """Held devices by the groups their slices have now, in the order of the slices."""
    held = held_devices(decided)
    for pool in decided.pools.values():
        for placed in pool.devices.values():
            if placed.key in held:
                yield from (
                    ((pool.key, entry.counter_set), frozenset(entry.compatibility_groups))
                    for entry in placed.device.consumes_counters
                )


def _as_1_37_counts(peers: Sequence[GroupSet]) -> Sequence[GroupSet]:
    """1.37 forgets devices of the other kind than the first one: those with groups, or those without."""
    return [groups for groups in peers if bool(groups) == bool(peers[0])]


def _ordinary(decided: Decided) -> Iterable[Taken]:
    """Each device that is taken without admin access, a further share of a held one, too."""
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
            others = ", ".join(_told(one) for one in everyone[:-1])
            beside = f" beside devices with {others}" if others else ""
            yield (
                f"{taken.label}: device {taken.key[2]} with {_told(groups)} joins counter set {key[1]} "
                f"in pool {'/'.join(key[0])}{beside}; no group is common to all"
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
                    f"{taken.label}: device {taken.key[2]} has {_told(groups)} on counter set {name}, "
                    f"and DRADeviceCompatibilityGroups is off"
                )
    for taken in newly_taken(decided).values():
        if taken.placed is not None:
            for entry in taken.placed.device.consumes_counters:
                if (taken.key[:2], entry.counter_set) in locked:
                    yield (
                        f"{taken.label}: device {taken.key[2]} takes from counter set {entry.counter_set}, "
                        f"for which a claim records groups, and DRADeviceCompatibilityGroups is off"
                    )

"""Checks of compatibilityGroups: which devices on a counter set can be allocated together (KEP-5963)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.controlplane.slice_lint.counters import Consumption, consumptions
from dra_conform.controlplane.slice_lint.findings import Finding
from dra_conform.controlplane.slice_lint.published import Pool


def check_groups(pool: Pool) -> Iterator[Finding]:
    """Yield devices whose compatibilityGroups exclude every other device on the counter set."""
    members: dict[str, list[tuple[str, Consumption]]] = {}
    for device, consumption in consumptions(pool):
        members.setdefault(consumption.item.counter_set, []).append((device, consumption))
    for counter_set, entries in members.items():
        if any(consumption.item.compatibility_groups for _, consumption in entries):
            yield from _counter_set(counter_set, entries)


def _counter_set(counter_set: str, entries: Sequence[tuple[str, Consumption]]) -> Iterator[Finding]:
    if len(entries) == 1:
        return
    devices: dict[str, int] = {}
    for _, consumption in entries:
        for group in set(consumption.item.compatibility_groups):
            devices[group] = devices.get(group, 0) + 1
    for device, consumption in entries:
        groups = consumption.item.compatibility_groups
        if not groups:
            yield consumption.advice(
                "KEP-5963/compatibility/ungrouped-candidate-beside-grouped-refused",
                f"device {device} has no compatibilityGroups on counter set {counter_set}, so it is never "
                "allocated together with a device that has them",
            )
        elif all(devices[group] == 1 for group in groups):
            yield consumption.part(groups, "compatibilityGroups").advice(
                "KEP-5963/compatibility/disjoint-groups-refused",
                f"no other device on counter set {counter_set} has a group of device {device} "
                f"({', '.join(groups)}), so it is never allocated together with another device",
            )

"""The checks of published ResourceSlices: one class for each Then step."""

from __future__ import annotations

from typing import Literal

from dra_conform.conformance.driver.answer import (
    DriverHistory,
    PublishedPool,
    device_numbers,
)
from dra_conform.conformance.steps.step import Params
from dra_conform.kube.listing import counted


class Publishes(Params, frozen=True, kw_only=True):
    """The driver publishes complete pools with the same devices as at the start.

    `devices`: all of them, fewer, or none.
    """

    devices: Literal["all", "fewer", "none"]

    def problem(self, history: DriverHistory) -> str:
        pools, start = history.now.pools, history.answer.start.pools
        if not pools:
            return "the driver publishes no ResourceSlice"
        for pool in pools:
            if not pool.complete:
                return f"pool {pool.pool} is incomplete: {pool.slices} ResourceSlices"
            if len(set(pool.devices)) < len(pool.devices):
                return f"pool {pool.pool} has a device twice: devices {pool.devices}"
            if pool.foreign:
                return f"pool {pool.pool} has the device {pool.foreign[0]}, which the driver did not have"
            if pool.edited:
                return f"device {pool.edited[0]} still has what another client added to it"
        now, before = device_numbers(pools), device_numbers(start)
        match self.devices:
            case "all":
                return "" if now == before else f"the driver publishes the devices {now}, expected {before}"
            case "fewer":
                fewer = now and len(now) < len(before)
                return (
                    "" if fewer else f"the driver publishes the devices {now}, expected fewer than {before}"
                )
            case "none":
                return f"the driver publishes the devices {now}, expected none" if now else ""


class GenerationRaised(Params, frozen=True, kw_only=True):
    """Each pool with several changed ResourceSlices has a higher generation than before the step."""

    def problem(self, history: DriverHistory) -> str:
        before = {pool.pool: pool.generation for pool in history.before.pools}
        for pool in history.now.pools:
            old = before.get(pool.pool)
            if pool.changed > 1 and old is not None and pool.generation <= old:
                changes = f"{pool.changed} ResourceSlices of pool {pool.pool} changed"
                return f"{changes}, and its generation is {pool.generation}, expected more than {old}"
        return "" if history.now.pools else "the driver publishes no ResourceSlice"


class HasGroups(Params, frozen=True, kw_only=True):
    """Some device has compatibilityGroups, or no device has."""

    present: bool

    def problem(self, history: DriverHistory) -> str:
        pools = history.now.pools
        if not pools:
            return "the driver publishes no ResourceSlice"
        grouped = [number for pool in pools for number, groups in pool.groups.items() if groups]
        if self.present:
            return "" if grouped else "no device has compatibilityGroups, expected some"
        return f"device {grouped[0]} has compatibilityGroups, expected none" if grouped else ""


class KeepsGroups(Params, frozen=True, kw_only=True):
    """The compatibilityGroups of a device are those of the start, or different ones with `changed`."""

    device: int
    changed: bool = False

    def problem(self, history: DriverHistory) -> str:
        before, now = (self._groups(of.pools) for of in (history.answer.start, history.now))
        if self.changed:
            return (
                f"the compatibilityGroups of device {self.device} are still {now}, expected others"
                if now == before
                else ""
            )
        return (
            ""
            if now == before
            else f"the compatibilityGroups of device {self.device} are {now}, expected {before}"
        )

    def _groups(self, pools: tuple[PublishedPool, ...]) -> str:
        groups = (pool.groups.get(str(self.device), ()) for pool in pools)
        return ", ".join(next(filter(None, groups), ())) or "unset"


class OwnedByNode(Params, frozen=True, kw_only=True):
    """The ResourceSlices with the name of the node have the node as their only owner."""

    def problem(self, history: DriverHistory) -> str:
        pools = history.now.pools
        for pool in pools:
            if pool.on_node and not pool.owned_by_node:
                return f"a ResourceSlice of pool {pool.pool} does not have the node as its only owner"
        return "" if pools else "the driver publishes no ResourceSlice"


class NoSliceWrites(Params, frozen=True, kw_only=True):
    """No ResourceSlice was created, changed or deleted in the step."""

    def problem(self, history: DriverHistory) -> str:
        writes = history.now.slice_writes
        return f"ResourceSlices have {counted(writes, 'new version')}, expected no write" if writes else ""


class OtherSlicesUnchanged(Params, frozen=True, kw_only=True):
    """The ResourceSlices of another driver and of another node are as at the start."""

    def problem(self, history: DriverHistory) -> str:
        for of, damage in history.now.damaged_slices.items():
            return f"a ResourceSlice of {of} was {damage}"
        return ""

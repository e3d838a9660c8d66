"""What is taken: before the call by allocated claims, and during it by the search."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.counters import Counters
from dra_conform.allocator.groups import Groups
from dra_conform.allocator.inventory import DeviceKey, Devices
from dra_conform.capacity import Aggregate
from dra_conform.kube.resource import DeviceRequestAllocationResult, ResourceClaim

FREE, ALLOCATED, CHOSEN = 0, 1, 2


class Occupancy:
    """Devices in use, consumed capacity, counters and groups, by the place of the device in total order.

    `in_use` is FREE, ALLOCATED (by a claim before) or CHOSEN (in this call); `consumed` sums the shares,
    those of claims before and those chosen in this call. `marked` are shared devices whose counters are drawn
    on already by shares of claims before. `cursors` remember up to where no device can serve a request
    whatever is chosen in this call; they stand as long as nothing is given back.
    """

    __slots__ = ("consumed", "counters", "cursors", "groups", "in_use", "marked", "share_ids")

    def __init__(self, devices: Devices, allocated: Iterable[ResourceClaim], behaviour: Behaviour) -> None:
        self.in_use = bytearray(len(devices.keys))
        self.consumed: Aggregate[int] = Aggregate()
        self.share_ids: set[str] = set()
        self.marked: set[int] = set()
        self.cursors: dict[object, int] = {}
        held: dict[DeviceKey, list[DeviceRequestAllocationResult]] = {}
        drawing: set[DeviceKey] = set()
        places: dict[DeviceKey, int] | None = None
        for claim in allocated:
            allocation = claim.allocation
            if allocation is None:
                continue
            if places is None:
                places = {key: index for index, key in enumerate(devices.keys)}
            for result in allocation.devices.results:
                if result.admin_access:
                    continue
                if result.share_id:
                    self.share_ids.add(result.share_id)
                key = (result.driver, result.pool, result.device)
                held.setdefault(key, []).append(result)
                is_share = bool(result.share_id) and behaviour.consumable_capacity
                if not is_share or behaviour.shares_draw_counters:
                    drawing.add(key)
                index = places.get(key)
                if index is None:
                    continue
                if not is_share:
                    self.in_use[index] = ALLOCATED
                    continue
                amounts = result.consumed_capacity or {}
                self.consumed.add(index, {name: amount.nano for name, amount in amounts.items()})
                if result.consumed_capacity is not None or not behaviour.only_amounts_mark_sharing:
                    self.marked.add(index)
                if behaviour.shares_block_dedicated and not devices.shared[index]:
                    self.in_use[index] = ALLOCATED
        self.counters = Counters(devices, drawing, behaviour)
        self.groups = Groups(devices, held, behaviour)

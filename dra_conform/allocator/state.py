"""What is taken: before the call by allocated claims, and during it by the search."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.inventory import DeviceKey, Devices
from dra_conform.capacity import Aggregate
from dra_conform.kube.resource import ResourceClaim

FREE, ALLOCATED, CHOSEN = 0, 1, 2


class Occupancy:
    """Devices in use and consumed capacity, by the place of the device in total order.

    `in_use` is FREE, ALLOCATED (by a claim before) or CHOSEN (in this call); `consumed` sums the shares,
    those of claims before and those chosen in this call. `cursors` remember up to where no device can serve a
    request whatever is chosen in this call; they stand as long as nothing is given back.
    """

    __slots__ = ("consumed", "cursors", "in_use", "share_ids")

    def __init__(self, devices: Devices, allocated: Iterable[ResourceClaim], behaviour: Behaviour) -> None:
        self.in_use = bytearray(len(devices.keys))
        self.consumed: Aggregate[int] = Aggregate()
        self.share_ids: set[str] = set()
        self.cursors: dict[tuple[int, int], int] = {}
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
                index = places.get((result.driver, result.pool, result.device))
                if index is None:
                    continue
                if result.share_id and behaviour.consumable_capacity:
                    amounts = result.consumed_capacity or {}
                    self.consumed.add(index, {name: amount.nano for name, amount in amounts.items()})
                    if behaviour.shares_block_dedicated and not devices.shared[index]:
                        self.in_use[index] = ALLOCATED
                else:
                    self.in_use[index] = ALLOCATED

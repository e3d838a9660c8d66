"""Nodes with equal devices and equal allocations: what fails on one fails on all."""

from __future__ import annotations

import msgspec

from dra_conform.allocator.inventory import NodeDevices, PoolState
from dra_conform.allocator.occupancy import Occupancy

NodeState = tuple[bytes, bytes]
"""What the devices are, their names apart, and which of them are taken."""


class NodeStates:
    """The states of one node, one after the other."""

    __slots__ = ("_devices", "_occupancy", "_what")

    def __init__(self, devices: NodeDevices, occupancy: Occupancy) -> None:
        self._devices = devices
        self._occupancy = occupancy
        self._what: bytes | None = None

    def now(self) -> NodeState | None:
        """None where refusals depend on more: on shares, counters, pools that are not whole, or the node."""
        if self._what is None:
            self._what = _what(self._devices) if _by_themselves(self._devices) else b""
        if not self._what or self._occupancy.consumed.devices():
            return None
        return self._what, bytes(self._occupancy.in_use)


def _by_themselves(devices: NodeDevices) -> bool:
    """Whether nothing but the devices decides."""
    return (
        not devices.draw
        and not any(devices.shared)
        and all(pool.state is PoolState.COMPLETE for pool in devices.pools)
        and not any(item.spec.per_device_node_selection for item in devices.slices)
    )


def _what(devices: NodeDevices) -> bytes:
    """The drivers and the contents of the devices in total order: selectors and constraints see no names."""
    found = [
        (key[0], msgspec.structs.replace(device, name=""))
        for key, device in zip(devices.keys, devices.devices, strict=True)
    ]
    return msgspec.json.encode(found, enc_hook=str)

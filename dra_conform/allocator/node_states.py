"""The states of nodes: claims that fail on one node also fail on all nodes in an equal state."""

from __future__ import annotations

import msgspec

from dra_conform.allocator.inventory import NodeDevices, PoolState
from dra_conform.allocator.occupancy import Occupancy

NodeState = tuple[bytes, bytes]
"""The devices without their names, and which of them are allocated."""


class NodeStates:
    """The current state of one node, in a form that can be compared."""

    __slots__ = ("_devices", "_occupancy", "_what")

    def __init__(self, devices: NodeDevices, occupancy: Occupancy) -> None:
        self._devices = devices
        self._occupancy = occupancy
        self._what: bytes | None = None

    def now(self) -> NodeState | None:
        """Return the current state, None if failures depend on more than the devices and their allocation.

        That is the case with shared allocations, counters, incomplete pools or perDeviceNodeSelection.
        """
        if self._what is None:
            self._what = _what(self._devices) if _by_themselves(self._devices) else b""
        if not self._what or self._occupancy.consumed.devices():
            return None
        return self._what, bytes(self._occupancy.in_use)


def _by_themselves(devices: NodeDevices) -> bool:
    """Whether failures depend on the devices and their allocation only."""
    return (
        not devices.draw
        and not any(devices.shared)
        and all(pool.state is PoolState.COMPLETE for pool in devices.pools)
        and not any(item.spec.per_device_node_selection for item in devices.slices)
    )


def _what(devices: NodeDevices) -> bytes:
    """Return drivers and devices in total order without device names, which selectors do not see."""
    contents = [
        (key[0], msgspec.structs.replace(device, name=""))
        for key, device in zip(devices.keys, devices.devices, strict=True)
    ]
    return msgspec.json.encode(contents, enc_hook=str)

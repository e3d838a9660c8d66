"""The devices that a node can access, by pool and in total order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dra_conform.allocator.allocation_decision import Failed, Stop
from dra_conform.kube.category import Category
from dra_conform.kube.core import Node
from dra_conform.kube.node_selectors import is_available_on_node
from dra_conform.kube.resource import Device, ResourceSlice

PoolKey = tuple[str, str]
"""The identity of a pool: driver and name."""


DeviceKey = tuple[str, str, str]
"""The identity of a device: driver, pool and name."""


class PoolState(StrEnum):
    """Whether all ResourceSlices of a pool are published, and whether they are valid together."""

    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class NodePool:
    """A pool as one node sees it. `fault` says why it is invalid.

    `slices` are the ResourceSlices that the node can access, in search order; none for an unusable pool.
    `everywhere` are all slices of the same generation, also those for other nodes.
    """

    driver: str
    name: str
    state: PoolState
    slices: tuple[ResourceSlice, ...] = ()
    everywhere: tuple[ResourceSlice, ...] = ()
    fault: str = ""

    @property
    def label(self) -> str:
        """Return the label of the pool, `driver/pool`."""
        return f"{self.driver}/{self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class NodeDevices:
    """The pools of a node in search order, and their devices in total order: by pool, slice name and index.

    The lists are parallel. `shared` is whether a device allows multiple allocations, `special` whether it
    consumes counters or has taints. `homes` is the index of its pool in `pools`. `hidden` are devices with
    binding conditions if that feature is disabled. `draw` is true if any device consumes counters. At index
    `barrier` the search reaches an invalid pool and ends with an error.
    """

    node: Node
    pools: tuple[NodePool, ...]
    keys: list[DeviceKey]
    devices: list[Device]
    slices: list[ResourceSlice]
    shared: list[bool]
    special: list[bool]
    homes: list[int]
    hidden: frozenset[int]
    draw: bool
    barrier: int

    def pool_of(self, index: int) -> NodePool:
        """Return the pool of a device."""
        return self.pools[self.homes[index]]

    def fault(self) -> str:
        """Return the name of the first invalid pool, with what is wrong."""
        pool = next(pool for pool in self.pools if pool.state is PoolState.INVALID)
        return f"{pool.label} is invalid: {pool.fault}"

    def label(self, index: int) -> str:
        """Return the label of a device, `driver/pool/device`."""
        return "/".join(self.keys[index])

    def reaches(self, index: int) -> bool:
        """Whether the node can access the device, if its slice has perDeviceNodeSelection."""
        item = self.slices[index]
        if not item.spec.per_device_node_selection:
            return True
        try:
            return is_available_on_node(self.devices[index], self.node)
        except ValueError as error:
            raise bad_selector(item, error) from error


def bad_selector(item: ResourceSlice, error: ValueError) -> Stop:
    """Return the end of the allocation because of the node selector of a ResourceSlice."""
    return Stop(
        Failed(
            Category.FIELD_INVALID,
            "gather pool information: failed to perform node selection for slice "
            f"{item.metadata.name}: failed to parse node selector: {error}",
        )
    )

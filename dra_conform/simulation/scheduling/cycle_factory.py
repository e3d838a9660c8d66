"""Creation of scheduling cycles: a snapshot of the cluster, and the plugins of the scheduler's release."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.kube.json_values import Json
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.simulation.client import Client
from dra_conform.simulation.extended_resources.backing_classes import BackingClasses
from dra_conform.simulation.in_flight import InFlight
from dra_conform.simulation.parts import AllocatorPart, allocate
from dra_conform.simulation.scheduling.allocated_claims import AllocatedClaims
from dra_conform.simulation.scheduling.builtin_allocation import BuiltinAllocation
from dra_conform.simulation.scheduling.cycle import Cycle, SchedulerPlugin
from dra_conform.simulation.scheduling.dynamic_resources import DynamicResources
from dra_conform.simulation.scheduling.failed_nodes import FailedNodeCache, FailedNodes
from dra_conform.simulation.scheduling.node_allocatable import (
    NodeAllocatable,
    NodeAllocatableByPolicy,
)
from dra_conform.simulation.scheduling.node_allocation import DelegatedAllocation, NodeAllocation
from dra_conform.simulation.scheduling.node_plugins import (
    NodeAffinity,
    NodeOrders,
    NodeResourcesFit,
    NodeTaints,
)
from dra_conform.simulation.scheduling.scheduling_cycle import SchedulingCycle
from dra_conform.simulation.shared_state import Clock
from dra_conform.simulation.snapshot import Snapshots


class CycleFactory:
    """Creates the scheduling cycle of each attempt; `allocator` gets `seed` and its successors.

    `in_flight`: allocations that the scheduler has not written yet, shared with the caller.
    """

    def __init__(
        self,
        client: Client,
        allocator: AllocatorPart,
        clock: Clock,
        seed: int,
        in_flight: InFlight | None = None,
    ) -> None:
        self._client = client
        self._allocation: NodeAllocation = (
            BuiltinAllocation(client, seed) if allocator is allocate else DelegatedAllocation(allocator, seed)
        )
        self._in_flight = in_flight or InFlight()
        self._started = client.started
        self._snapshots = Snapshots(client)
        self._failed_nodes = FailedNodeCache()
        self._orders = NodeOrders()
        self._clock = clock
        self._backing_classes = BackingClasses()

    def cycle_for(self, pod: Json, assumed: list[Json]) -> SchedulingCycle:
        """Return the cycle of an attempt in the current cluster.

        `assumed` pods count as bound to their nodes.
        """
        if self._started != self._client.started:
            self._started = self._client.started
            self._in_flight.clear()
        profile = self._client.profile
        snapshot = self._snapshots.current(assumed)
        self._failed_nodes.update(snapshot)
        self._orders.update(snapshot)
        backing: Mapping[str, str] = {}
        if profile.enabled("DRAExtendedResource"):
            classes = snapshot.objects["deviceClasses"]
            backing = self._backing_classes.current(
                classes, ExtendedResourceSwitches.of(profile), self._client.started
            )
        cycle = Cycle(pod, snapshot, profile, backing)
        return SchedulingCycle(cycle, self._plugins(cycle), self._client, self._failed_nodes_for)

    def _failed_nodes_for(self, cycle: Cycle) -> FailedNodes:
        return self._failed_nodes.of(cycle, self._allocation.generation)

    def _plugins(self, cycle: Cycle) -> list[SchedulerPlugin]:
        """Return the plugins in the order of the default configuration, those for claims only with the gate
        on."""
        plugins: list[SchedulerPlugin] = [NodeTaints(cycle), NodeAffinity(cycle)]
        plugins.append(NodeResourcesFit(cycle, self._orders))
        if cycle.profile.enabled("DynamicResourceAllocation"):
            plugins.append(
                DynamicResources(cycle, self._client, self._allocation, self._in_flight, self._clock)
            )
            if cycle.profile.enabled("DRANodeAllocatableResources"):
                by_policy = NodeResourceSwitches.of(cycle.profile).policies
                plugin_class = NodeAllocatableByPolicy if by_policy else NodeAllocatable
                plugins.append(plugin_class(cycle, self._client))
            plugins.append(AllocatedClaims(cycle, self._client, self._clock))
        return plugins

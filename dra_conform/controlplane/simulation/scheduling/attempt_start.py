"""The start of an attempt: a snapshot of the cluster, and the plugins of the scheduler's release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.allocating import allocate
from dra_conform.controlplane.parts import AllocatorPart
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.clock import Clock
from dra_conform.controlplane.simulation.extended_resources.class_names import ClassNames
from dra_conform.controlplane.simulation.extended_resources.serving_rules import ServingRules
from dra_conform.controlplane.simulation.in_flight import InFlight
from dra_conform.controlplane.simulation.scheduling.allocated_claims import AllocatedClaims
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.dynamic_resources import DynamicResources
from dra_conform.controlplane.simulation.scheduling.node_allocatable import NodeAllocatable
from dra_conform.controlplane.simulation.scheduling.node_allocatable_by_policy import NodeAllocatableByPolicy
from dra_conform.controlplane.simulation.scheduling.node_allocation import AskedAllocation, NodeAllocation
from dra_conform.controlplane.simulation.scheduling.node_order import NodeOrders
from dra_conform.controlplane.simulation.scheduling.node_plugins import (
    NodeAffinity,
    NodeResourcesFit,
    NodeTaints,
)
from dra_conform.controlplane.simulation.scheduling.own_allocation import OwnAllocation
from dra_conform.controlplane.simulation.scheduling.plugin import Plugin
from dra_conform.controlplane.simulation.scheduling.refused_nodes import NodeMemory, RefusedNodes
from dra_conform.controlplane.simulation.scheduling.scheduling_cycle import SchedulingCycle
from dra_conform.controlplane.simulation.snapshot import Snapshots
from dra_conform.footprint import FootprintRules

Json = Any


class Beginning:
    """Makes the cycle of each attempt; `allocator` gets the seeds after `seed`.

    `in_flight`: the allocations that the allocator is told of besides those in the store, if it is.
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
            OwnAllocation(client, seed) if allocator is allocate else AskedAllocation(allocator, seed)
        )
        self._in_flight = in_flight or InFlight()
        self._started = client.started
        self._snapshots = Snapshots(client)
        self._memory = NodeMemory()
        self._orders = NodeOrders()
        self._clock = clock
        self._names = ClassNames()

    def of(self, pod: Json, assumed: list[Json]) -> SchedulingCycle:
        """The attempt for a pod in the cluster as it is now, with some pods assumed to be on nodes."""
        if self._started != self._client.started:
            self._started = self._client.started
            self._in_flight.clear()
        profile = self._client.profile
        snapshot = self._snapshots.now(assumed)
        self._memory.look(snapshot)
        self._orders.look(snapshot)
        served: Mapping[str, str] = {}
        if profile.enabled("DRAExtendedResource"):
            classes = snapshot.objects["deviceClasses"]
            served = self._names.now(classes, ServingRules.of(profile), self._client.started)
        cycle = Cycle(pod, snapshot, profile, served)
        return SchedulingCycle(cycle, self._plugins(cycle), self._client, self._refused)

    def _refused(self, cycle: Cycle) -> RefusedNodes:
        return self._memory.of(cycle, self._allocation.generation)

    def _plugins(self, cycle: Cycle) -> list[Plugin]:
        """In the order of the default configuration; without the gate there is none for claims."""
        plugins: list[Plugin] = [NodeTaints(cycle), NodeAffinity(cycle)]
        plugins.append(NodeResourcesFit(cycle, self._orders))
        if cycle.profile.enabled("DynamicResourceAllocation"):
            plugins.append(
                DynamicResources(cycle, self._client, self._allocation, self._in_flight, self._clock)
            )
            if cycle.profile.enabled("DRANodeAllocatableResources"):
                by_policy = FootprintRules.of(cycle.profile).policies
                counting = NodeAllocatableByPolicy if by_policy else NodeAllocatable
                plugins.append(counting(cycle, self._client))
            plugins.append(AllocatedClaims(cycle, self._client, self._clock))
        return plugins

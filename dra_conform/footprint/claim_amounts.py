"""The node resource usage of a pod's claims, from their allocations or from the pod's status."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dra_conform.footprint.amounts import added, multiplied
from dra_conform.footprint.device_amounts import (
    AccountingPolicy,
    CountingFailed,
    DevicesInSlices,
    DeviceUsage,
    Overhead,
    device_usage,
)
from dra_conform.kube.core import (
    NodeAllocatableMappedResources,
    NodeAllocatableOverheadResources,
    NodeAllocatableResourceClaimStatus,
    Pod,
)
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import AllocationResult
from dra_conform.kube.switches.node_resources import NodeResourceSwitches

__all__ = ["ClaimPart", "ClaimResourceUsage", "CountingFailed", "claims_of", "counted", "recorded"]


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """The usage of one resource by a device of a claim, and its accounting policy."""

    driver: str
    resource: str
    policy: AccountingPolicy
    amount: Quantity


@dataclass(frozen=True, slots=True)
class ClaimResourceUsage:
    """The node resource usage of one claim of a pod.

    `containers` are the containers that use the claim, init containers first. `parts` is the same usage by
    device and policy, if accounting policies exist.
    """

    claim: str
    containers: tuple[str, ...] = ()
    resources: Mapping[str, Quantity] = field(default_factory=dict)
    overhead: Mapping[str, Overhead] = field(default_factory=dict)
    parts: tuple[ClaimPart, ...] = ()

    def by(self, policies: Collection[AccountingPolicy]) -> dict[str, Quantity]:
        """Return the usage with one of these policies."""
        return added(*({part.resource: part.amount} for part in self.parts if part.policy in policies))

    @property
    def total(self) -> dict[str, Quantity]:
        """The total usage of the claim, with the per-container overhead of each container."""
        return added(self.resources, *map(self._total_overhead, self.overhead))

    @property
    def of_container(self) -> dict[str, Quantity]:
        """The usage of the claim for the limits of one container that uses it."""
        return added(
            self.resources,
            *(
                {name: part}
                for name, each in self.overhead.items()
                for part in (each.per_pod, each.per_container)
                if part is not None
            ),
        )

    def _total_overhead(self, name: str) -> dict[str, Quantity]:
        overhead = self.overhead[name]
        times = Quantity.whole(len(self.containers))
        each = (
            multiplied(overhead.per_container, times) if overhead.per_container is not None else Quantity(0)
        )
        return {name: each if overhead.per_pod is None else overhead.per_pod + each}

    def status(self, switches: NodeResourceSwitches) -> NodeAllocatableResourceClaimStatus:
        """Return the entry of the pod's status, with resources sorted by name."""
        if not switches.overhead:
            return NodeAllocatableResourceClaimStatus(
                resource_claim_name=self.claim,
                containers=self.containers,
                resources=dict(sorted(self.resources.items())),
            )
        return NodeAllocatableResourceClaimStatus(
            resource_claim_name=self.claim,
            containers=self.containers,
            mapping=tuple(
                NodeAllocatableMappedResources(name=name, quantity=quantity)
                for name, quantity in sorted(self.resources.items())
            ),
            overhead=tuple(
                NodeAllocatableOverheadResources(
                    name=name, per_pod=overhead.per_pod, per_container=overhead.per_container
                )
                for name, overhead in sorted(self.overhead.items())
            ),
        )


def claims_of(pod: Pod) -> Iterator[tuple[str, str]]:
    """Yield the claim entries of a pod with the names of their claims.

    The name of a claim that was not created yet is empty.
    """
    statuses = pod.status.resource_claim_statuses if pod.status else ()
    generated = {status.name: status.resource_claim_name or "" for status in statuses}
    for entry in pod.spec.resource_claims:
        yield entry.name, entry.resource_claim_name or generated.get(entry.name, "")


def counted(
    pod: Pod,
    allocated: Mapping[str, tuple[Sequence[str], AllocationResult]],
    devices: DevicesInSlices,
    switches: NodeResourceSwitches,
) -> list[ClaimResourceUsage]:
    """Return the usage of each claim that uses node resources, sorted by name; raise CountingFailed.

    `allocated` has the pod's entries and the allocation of each claim by its name.
    """
    usage = []
    for claim, (entries, allocation) in sorted(allocated.items()):
        total = DeviceUsage()
        for result in allocation.devices.results:
            device = devices.get(result)
            if device is not None:
                total += device_usage(device, result, switches)
        if total:
            containers = _using(pod, entries, once=switches.containers_once)
            usage.append(ClaimResourceUsage(claim, containers, total.resources, total.overhead))
    return usage


def recorded(pod: Pod, switches: NodeResourceSwitches) -> list[ClaimResourceUsage]:
    """Return the usage of claims recorded in the pod's status, none while the gate is off."""
    if not switches.claims_count or pod.status is None:
        return []
    return [_recorded(status, switches) for status in pod.status.node_allocatable_resource_claim_statuses]


def _recorded(
    status: NodeAllocatableResourceClaimStatus, switches: NodeResourceSwitches
) -> ClaimResourceUsage:
    claim, containers = status.resource_claim_name, status.containers
    if not switches.overhead:
        return ClaimResourceUsage(claim, containers, status.resources)
    mapped = added(*({each.name: each.quantity} for each in status.mapping if each.quantity is not None))
    overhead = {each.name: Overhead(each.per_pod, each.per_container) for each in status.overhead}
    return ClaimResourceUsage(claim, containers, mapped, overhead)


def _using(pod: Pod, entries: Iterable[str], *, once: bool) -> tuple[str, ...]:
    """Return the containers that use one of the entries, init containers first."""
    names = set(entries)
    containers = (*pod.spec.init_containers, *pod.spec.containers)
    using = [
        container.name
        for container in containers
        for used in container.resources.claims
        if used.name in names
    ]
    return tuple(dict.fromkeys(using)) if once else tuple(using)

"""The node resource usage of a pod's claims, from their allocation or from the pod's status."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dra_conform.footprint.accounting_policy import AccountingPolicy
from dra_conform.footprint.amounts import added, multiplied
from dra_conform.footprint.device_amounts import (
    CountingFailed,
    DevicesInSlices,
    Overhead,
    TakenByDevice,
    taken_by,
)
from dra_conform.footprint.rules import FootprintRules
from dra_conform.kube.core import (
    NodeAllocatableMappedResources,
    NodeAllocatableOverheadResources,
    NodeAllocatableResourceClaimStatus,
    Pod,
)
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import AllocationResult

__all__ = ["ClaimAmounts", "ClaimPart", "CountingFailed", "claims_of", "counted", "recorded"]


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """What a device of a claim takes of one resource, and how that is counted."""

    driver: str
    resource: str
    policy: AccountingPolicy
    amount: Quantity


@dataclass(frozen=True, slots=True)
class ClaimAmounts:
    """What one claim of a pod takes. `containers` are those of the pod that use it, init containers first.

    `parts` are the same amounts where policies say how they are counted.
    """

    claim: str
    containers: tuple[str, ...] = ()
    resources: Mapping[str, Quantity] = field(default_factory=dict)
    overhead: Mapping[str, Overhead] = field(default_factory=dict)
    parts: tuple[ClaimPart, ...] = ()

    def by(self, policies: Collection[AccountingPolicy]) -> dict[str, Quantity]:
        """What is counted in one of these ways."""
        return added(*({one.resource: one.amount} for one in self.parts if one.policy in policies))

    @property
    def total(self) -> dict[str, Quantity]:
        """All that the claim takes, however many containers use it; overhead of containers for each."""
        return added(self.resources, *map(self._of_overhead, self.overhead))

    def _of_overhead(self, name: str) -> dict[str, Quantity]:
        one = self.overhead[name]
        times = Quantity.whole(len(self.containers))
        each = multiplied(one.per_container, times) if one.per_container is not None else Quantity(0)
        return {name: each if one.per_pod is None else one.per_pod + each}

    def status(self, rules: FootprintRules) -> NodeAllocatableResourceClaimStatus:
        """The entry of the pod's status, resources in order of name."""
        if not rules.overhead:
            return NodeAllocatableResourceClaimStatus(
                resource_claim_name=self.claim,
                containers=self.containers,
                resources=dict(sorted(self.resources.items())),
            )
        return NodeAllocatableResourceClaimStatus(
            resource_claim_name=self.claim,
            containers=self.containers,
            mapping=tuple(
                NodeAllocatableMappedResources(name=name, quantity=amount)
                for name, amount in sorted(self.resources.items())
            ),
            overhead=tuple(
                NodeAllocatableOverheadResources(
                    name=name, per_pod=one.per_pod, per_container=one.per_container
                )
                for name, one in sorted(self.overhead.items())
            ),
        )


def claims_of(pod: Pod) -> Iterator[tuple[str, str]]:
    """The entries of a pod, each with the name of its claim, empty while none was made for it."""
    statuses = pod.status.resource_claim_statuses if pod.status else ()
    made = {one.name: one.resource_claim_name or "" for one in statuses}
    for entry in pod.spec.resource_claims:
        yield entry.name, entry.resource_claim_name or made.get(entry.name, "")


def counted(
    pod: Pod,
    held: Mapping[str, tuple[Sequence[str], AllocationResult]],
    devices: DevicesInSlices,
    rules: FootprintRules,
) -> list[ClaimAmounts]:
    """What each claim that takes anything takes, in order of name.

    `held`: by the name of the claim the entries of the pod that mean it, and its allocation. Raises
    CountingFailed.
    """
    found = []
    for claim, (entries, allocation) in sorted(held.items()):
        total = TakenByDevice()
        for result in allocation.devices.results:
            device = devices.get(result)
            if device is not None:
                total += taken_by(device, result, rules)
        if total:
            containers = _using(pod, entries, once=rules.containers_once)
            found.append(ClaimAmounts(claim, containers, total.resources, total.overhead))
    return found


def recorded(pod: Pod, rules: FootprintRules) -> list[ClaimAmounts]:
    """What the status of the pod says of its claims, as a release reads it; nothing while the gate is off."""
    if not rules.claims_count or pod.status is None:
        return []
    return [_recorded(one, rules) for one in pod.status.node_allocatable_resource_claim_statuses]


def _recorded(status: NodeAllocatableResourceClaimStatus, rules: FootprintRules) -> ClaimAmounts:
    claim, containers = status.resource_claim_name, status.containers
    if not rules.overhead:
        return ClaimAmounts(claim, containers, status.resources)
    mapped = added(*({one.name: one.quantity} for one in status.mapping if one.quantity is not None))
    overhead = {one.name: Overhead(one.per_pod, one.per_container) for one in status.overhead}
    return ClaimAmounts(claim, containers, mapped, overhead)


def _using(pod: Pod, entries: Iterable[str], *, once: bool) -> tuple[str, ...]:
    """The containers that use one of the entries, init containers first."""
    names = set(entries)
    both = (*pod.spec.init_containers, *pod.spec.containers)
    found = [one.name for one in both for used in one.resources.claims if used.name in names]
    return tuple(dict.fromkeys(found)) if once else tuple(found)

"""The node resource usage of a pod's claims, with and without accounting policies (KEP-5517)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dra_conform.footprint import (
    ClaimResourceUsage,
    CountingFailed,
    FootprintOptions,
    claims_of,
    container_over_limit,
    counted,
    exceeded,
    recorded,
)
from dra_conform.footprint.amounts import ZERO, Amounts
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.footprint.pod_footprint import pod_level_requests
from dra_conform.footprint.policy_ledger import (
    PolicyLedger,
    PolicyMissing,
    classes_of,
    conflicting,
    policy_demand,
    with_parts,
)
from dra_conform.kube.core import Pod
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.kube.resource import AllocationResult, DeviceClass, ResourceClaim
from dra_conform.kube.switches.node_resources import NodeResourceSwitches


class Obstacle(StrEnum):
    """The reason why the claims of a pod cannot be counted on a node."""

    OVER_BUDGET = "OverBudget"
    CLAIM_SHARED = "ClaimShared"
    CLAIM_UNREFERENCED = "ClaimUnreferenced"
    CLAIM_NOT_ALLOCATED = "ClaimNotAllocated"
    CAPACITY_UNKNOWN = "CapacityUnknown"
    POLICY_MISSING = "PolicyMissing"
    POLICIES_CONFLICT = "PoliciesConflict"


class AccountingFailed(Exception):  # noqa: N818 - it reads as what happened
    """The claims of a pod cannot be counted on a node, so that the pod cannot run there."""

    def __init__(self, obstacle: Obstacle, message: str) -> None:
        super().__init__(message)
        self.obstacle = obstacle


def account(
    pod: Pod,
    allocations: Mapping[str, AllocationResult],
    devices: DevicesInSlices,
    in_use: Collection[str],
    switches: NodeResourceSwitches,
) -> list[ClaimResourceUsage]:
    """Return the node resource usage of each claim in `allocations`, an empty map while the gate is off.

    `in_use` are the claims of the namespace that other pods use. Raises AccountingFailed if the pod cannot
    share them, exceeds its budget, or cannot be counted.
    """
    usage = usage_of_claims(pod, allocations, devices, switches)
    mapped = _mapped(allocations, devices) if switches.claims_count and switches.overhead_shared else ()
    _check(pod, usage, mapped, in_use, switches)
    return usage


def usage_of_claims(
    pod: Pod,
    allocations: Mapping[str, AllocationResult],
    devices: DevicesInSlices,
    switches: NodeResourceSwitches,
) -> list[ClaimResourceUsage]:
    """Return the usage like `account`, without its checks; raise AccountingFailed for an unknown capacity."""
    if not switches.claims_count:
        return []
    entries: dict[str, list[str]] = {}
    for entry, claim in claims_of(pod):
        entries.setdefault(claim, []).append(entry)
    allocated = {claim: (entries.get(claim, ()), allocation) for claim, allocation in allocations.items()}
    try:
        return counted(pod, allocated, devices, switches)
    except CountingFailed as error:
        raise AccountingFailed(Obstacle.CAPACITY_UNKNOWN, str(error)) from None


def claims_in_use(others: Iterable[Pod], switches: NodeResourceSwitches) -> frozenset[str]:
    """Return the claims that pods of one namespace use, by their status or by their spec."""
    if switches.shared_by_records:
        return frozenset(claim.claim for other in others for claim in recorded(other, switches))
    return frozenset(claim for other in others for _, claim in claims_of(other))


def _mapped(allocations: Mapping[str, AllocationResult], devices: DevicesInSlices) -> Iterator[str]:
    """Yield the claims with a device that maps to node allocatable resources."""
    for claim, allocation in allocations.items():
        allocated = filter(None, map(devices.get, allocation.devices.results))
        resources = (resource for each in allocated for resource in each.node_allocatable_resources.values())
        if any(resource.mapping is not None for resource in resources):
            yield claim


def _check(
    pod: Pod,
    usage: list[ClaimResourceUsage],
    mapped: Iterable[str],
    in_use: Collection[str],
    switches: NodeResourceSwitches,
) -> None:
    """Raise AccountingFailed for a claim in use, an unreferenced claim, or an exceeded budget.

    `mapped` are claims that cannot be shared even if they use no resources.
    """
    mine = [claim.claim for claim in usage if claim.resources or not switches.overhead_shared]
    mine += mapped
    if switches.shared_by_records:
        mine = [claim for _, claim in claims_of(pod)]
    for claim in mine:
        if claim in in_use:
            message = f"node allocatable resource claim {claim} is already used by another pod"
            raise AccountingFailed(Obstacle.CLAIM_SHARED, message)
    for claim_usage in usage:
        if not claim_usage.containers and switches.unreferenced_rejected:
            message = f"claim {claim_usage.claim}: not referenced by any container within the pod"
            raise AccountingFailed(Obstacle.CLAIM_UNREFERENCED, message)
    resource = exceeded(pod, usage)
    if resource:
        message = f"pod level request for {resource} is insufficient to cover containers and claims"
        raise AccountingFailed(Obstacle.OVER_BUDGET, message)
    if switches.pod_level_limits:
        _check_limits(pod, usage)


def _check_limits(pod: Pod, usage: list[ClaimResourceUsage]) -> None:
    """Raise AccountingFailed if a container with its claims exceeds the pod-level limit."""
    over_limit = container_over_limit(pod, usage)
    if over_limit:
        message = f"pod level limit is insufficient to cover limit and claims for {over_limit}"
        raise AccountingFailed(Obstacle.OVER_BUDGET, message)


@dataclass(frozen=True, slots=True)
class Charge:
    """The additional node resource usage of a further pod on a node.

    `overdrawn` is the resource of a pool that the pod exceeds, empty if none.
    """

    demand: Amounts
    taken: Amounts
    overdrawn: str


class PolicyAccounting:
    """Computes the node resource usage of pods by the accounting policies of their DeviceClasses."""

    def __init__(
        self,
        claims: Iterable[ResourceClaim],
        classes: Iterable[DeviceClass],
        devices: DevicesInSlices,
        switches: NodeResourceSwitches,
    ) -> None:
        self._switches = switches
        self._claims = {claim.key: claim for claim in claims}
        self._classes = {device_class.metadata.name: device_class for device_class in classes}
        self._devices = devices

    @staticmethod
    def of_objects(objects: Mapping[str, Sequence[Json]], switches: NodeResourceSwitches) -> PolicyAccounting:
        """Return the accounting with JSON objects by collection; raises DecodeErrors."""
        claims, classes, slices = (
            map(decode, objects.get(name, ()))
            for name in ("resourceClaims", "deviceClasses", "resourceSlices")
        )
        return PolicyAccounting(claims, classes, DevicesInSlices(slices, switches), switches)

    def of(self, pod: Pod, allocated: Mapping[str, ResourceClaim]) -> list[ClaimResourceUsage]:
        """Return the usage of each allocated claim of a pod; raises AccountingFailed."""
        allocations = {
            name: claim.allocation for name, claim in allocated.items() if claim.allocation is not None
        }
        usage = usage_of_claims(pod, allocations, self._devices, self._switches)
        try:
            parts = [
                with_parts(claim, allocated[claim.claim], self._devices, self._classes, self._switches)
                for claim in usage
            ]
        except PolicyMissing as missing:
            raise AccountingFailed(Obstacle.POLICY_MISSING, str(missing)) from None
        conflict = conflicting(pod, parts)
        if conflict:
            raise AccountingFailed(Obstacle.POLICIES_CONFLICT, conflict)
        self._check_budget(pod, parts)
        return parts

    def ledger(self, pods: Iterable[Pod]) -> PolicyLedger:
        """Return the node resource usage of a node on which these pods are."""
        ledger = PolicyLedger()
        for pod in pods:
            ledger.add(pod, self.counted(pod))
        return ledger

    def counted(self, pod: Pod) -> list[ClaimResourceUsage]:
        """Return the usage of a pod's allocated claims, empty if it cannot be determined."""
        try:
            return self.of(pod, self.allocated_claims(pod))
        except AccountingFailed:
            return []

    def charge(self, pod: Pod, claims: Sequence[ClaimResourceUsage], others: Iterable[Pod]) -> Charge:
        """Return the charge for a pod on a node with other pods."""
        ledger = self.ledger(others)
        before = ledger.taken
        ledger.add(pod, claims)
        increase = {name: quantity - before.get(name, ZERO) for name, quantity in ledger.taken.items()}
        demand = {name: quantity for name, quantity in increase.items() if quantity}
        return Charge(demand, before, ledger.overdrawn())

    def allocated_claims(self, pod: Pod) -> dict[str, ResourceClaim]:
        """Return the allocated claims of a pod by name."""
        namespace = pod.metadata.namespace or "default"
        named = {name: self._claims.get(f"{namespace}/{name}") for _, name in claims_of(pod)}
        return {
            name: claim for name, claim in named.items() if claim is not None and claim.allocation is not None
        }

    def are_managed(self, claims: Iterable[ResourceClaim]) -> bool:
        """Whether a DeviceClass of the claims manages node allocatable resources
        (KEP-5517/policy/managed-class-skips-standard-fit).
        """
        names = {name for claim in claims for _, name in classes_of(claim)}
        known = (self._classes[name] for name in names if name in self._classes)
        return any(device_class.spec.manages_node_allocatable_resources for device_class in known)

    def _check_budget(self, pod: Pod, claims: list[ClaimResourceUsage]) -> None:
        options = FootprintOptions(without_overhead=True, without_pod_level=True)
        usage = policy_demand(pod, claims, options).total()
        for name, budget in sorted(pod_level_requests(pod).items()):
            if usage.get(name, ZERO) > budget:
                message = f"pod level request for {name} is insufficient to cover containers and claims"
                raise AccountingFailed(Obstacle.OVER_BUDGET, message)

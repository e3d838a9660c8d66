"""The node resource usage of a pod's claims, as the scheduler counts it before it binds (KEP-5517)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum

from dra_conform.footprint import (
    ClaimAmounts,
    CountingFailed,
    FootprintRules,
    claims_of,
    counted,
    exceeded,
    recorded,
)
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.kube.core import Pod
from dra_conform.kube.resource import AllocationResult


class Obstacle(StrEnum):
    """Why nothing is counted for a pod."""

    OVER_BUDGET = "OverBudget"
    CLAIM_SHARED = "ClaimShared"
    CLAIM_UNREFERENCED = "ClaimUnreferenced"
    CLAIM_NOT_ALLOCATED = "ClaimNotAllocated"
    CAPACITY_UNKNOWN = "CapacityUnknown"
    POLICY_MISSING = "PolicyMissing"
    POLICIES_CONFLICT = "PoliciesConflict"


class NotCounted(Exception):  # noqa: N818 - it reads as what happened
    """The pod cannot take the node; `obstacle` says why."""

    def __init__(self, obstacle: Obstacle, message: str) -> None:
        super().__init__(message)
        self.obstacle = obstacle


def account(
    pod: Pod,
    allocations: Mapping[str, AllocationResult],
    devices: DevicesInSlices,
    taken: Collection[str],
    rules: FootprintRules,
) -> list[ClaimAmounts]:
    """What each claim takes, by the name of the claim in `allocations`; nothing while the gate is off.

    `taken` are the claims of the namespace that others use and do not share. Raises NotCounted.
    """
    found = amounts_of(pod, allocations, devices, rules)
    mapped = _mapped(allocations, devices) if rules.claims_count and rules.overhead_shared else ()
    _check(pod, found, mapped, taken, rules)
    return found


def amounts_of(
    pod: Pod, allocations: Mapping[str, AllocationResult], devices: DevicesInSlices, rules: FootprintRules
) -> list[ClaimAmounts]:
    """As `account`, whatever stands in the way of the pod; raises NotCounted for an unknown capacity."""
    if not rules.claims_count:
        return []
    entries: dict[str, list[str]] = {}
    for entry, claim in claims_of(pod):
        entries.setdefault(claim, []).append(entry)
    held = {claim: (entries.get(claim, ()), allocation) for claim, allocation in allocations.items()}
    try:
        return counted(pod, held, devices, rules)
    except CountingFailed as failed:
        raise NotCounted(Obstacle.CAPACITY_UNKNOWN, str(failed)) from None


def claims_taken(others: Iterable[Pod], rules: FootprintRules) -> frozenset[str]:
    """The claims that pods of one namespace do not share, by what they record or else by what they name."""
    if rules.shared_by_records:
        return frozenset(one.claim for other in others for one in recorded(other, rules))
    return frozenset(claim for other in others for _, claim in claims_of(other))


def _mapped(allocations: Mapping[str, AllocationResult], devices: DevicesInSlices) -> Iterator[str]:
    """The claims with a device that is something of its node, whatever they consume of it."""
    for claim, allocation in allocations.items():
        held = filter(None, map(devices.get, allocation.devices.results))
        if any(one.mapping is not None for each in held for one in each.node_allocatable_resources.values()):
            yield claim


def _check(
    pod: Pod, found: list[ClaimAmounts], mapped: Iterable[str], taken: Collection[str], rules: FootprintRules
) -> None:
    """`mapped`: claims that are not shared, whatever they take."""
    mine = [one.claim for one in found if one.resources or not rules.overhead_shared]
    mine += mapped
    if rules.shared_by_records:
        mine = [claim for _, claim in claims_of(pod)]
    for claim in mine:
        if claim in taken:
            message = f"node allocatable resource claim {claim} is already used by another pod"
            raise NotCounted(Obstacle.CLAIM_SHARED, message)
    for one in found:
        if not one.containers and rules.unreferenced_refused:
            message = f"claim {one.claim}: not referenced by any container within the pod"
            raise NotCounted(Obstacle.CLAIM_UNREFERENCED, message)
    short = exceeded(pod, found)
    if short:
        message = f"pod level request for {short} is insufficient to cover containers and claims"
        raise NotCounted(Obstacle.OVER_BUDGET, message)

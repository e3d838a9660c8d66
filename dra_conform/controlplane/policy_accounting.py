"""The node resource usage of a pod's claims under accounting policies (KEP-5517)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.claim_accounting import AccountingFailed, Obstacle, usage_of_claims
from dra_conform.footprint import ClaimResourceUsage, FootprintOptions, claims_of
from dra_conform.footprint.amounts import ZERO, Amounts
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.footprint.pod_footprint import pod_level_requests
from dra_conform.footprint.policy_demand import conflicting, policy_demand
from dra_conform.footprint.policy_ledger import PolicyLedger, PolicyMissing, classes_of, with_parts
from dra_conform.kube.core import Pod
from dra_conform.kube.objects import decode
from dra_conform.kube.resource import DeviceClass, ResourceClaim
from dra_conform.kube.switches.node_resources import NodeResourceSwitches

Json = Any


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

    def __init__(self, objects: Mapping[str, Sequence[Json]], switches: NodeResourceSwitches) -> None:
        claims, slices, classes = (
            map(decode, objects.get(name, ()))
            for name in ("resourceClaims", "resourceSlices", "deviceClasses")
        )
        self._switches = switches
        self._claims: dict[str, ResourceClaim] = {claim.key: claim for claim in claims}
        self._classes: dict[str, DeviceClass] = {
            device_class.metadata.name: device_class for device_class in classes
        }
        self._devices = DevicesInSlices(slices, switches)

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

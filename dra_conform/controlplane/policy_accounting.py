"""The node resource usage of a pod's claims under accounting policies (KEP-5517)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.claim_accounting import NotCounted, Obstacle, amounts_of
from dra_conform.footprint import ClaimAmounts, FootprintOptions, FootprintRules, claims_of
from dra_conform.footprint.amounts import NOTHING, Amounts
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.footprint.pod_footprint import requested_as_a_whole
from dra_conform.footprint.policy_demand import conflicting, policy_demand
from dra_conform.footprint.policy_ledger import PolicyLedger
from dra_conform.footprint.policy_parts import PolicyMissing, classes_of, with_parts
from dra_conform.kube.core import Pod
from dra_conform.kube.objects import decode
from dra_conform.kube.resource import DeviceClass, ResourceClaim

Json = Any


@dataclass(frozen=True, slots=True)
class Charge:
    """What a node is charged for one more pod beside what is `taken`; `overdrawn`: the resource of a pool
    that is used up."""

    demand: Amounts
    taken: Amounts
    overdrawn: str


class PolicyAccounts:
    """The accounts of pods, with the claims, classes and slices that there are."""

    def __init__(self, objects: Mapping[str, Sequence[Json]], rules: FootprintRules) -> None:
        claims, slices, classes = (
            map(decode, objects.get(name, ()))
            for name in ("resourceClaims", "resourceSlices", "deviceClasses")
        )
        self._rules = rules
        self._claims: dict[str, ResourceClaim] = {one.key: one for one in claims}
        self._classes: dict[str, DeviceClass] = {one.metadata.name: one for one in classes}
        self._devices = DevicesInSlices(slices, rules)

    def of(self, pod: Pod, held: Mapping[str, ResourceClaim]) -> list[ClaimAmounts]:
        """What each of the allocated claims takes, by name; raises NotCounted."""
        allocations = {name: one.allocation for name, one in held.items() if one.allocation is not None}
        found = amounts_of(pod, allocations, self._devices, self._rules)
        try:
            parts = [
                with_parts(one, held[one.claim], self._devices, self._classes, self._rules) for one in found
            ]
        except PolicyMissing as missing:
            raise NotCounted(Obstacle.POLICY_MISSING, str(missing)) from None
        conflict = conflicting(pod, parts)
        if conflict:
            raise NotCounted(Obstacle.POLICIES_CONFLICT, conflict)
        self._check_budget(pod, parts)
        return parts

    def ledger(self, pods: Iterable[Pod]) -> PolicyLedger:
        """The ledger of a node with these pods."""
        ledger = PolicyLedger()
        for pod in pods:
            ledger.add(pod, self.counted(pod))
        return ledger

    def counted(self, pod: Pod) -> list[ClaimAmounts]:
        """What the allocated claims of a pod take; nothing where that cannot be said."""
        try:
            return self.of(pod, self.held_by(pod))
        except NotCounted:
            return []

    def charge(self, pod: Pod, claims: Sequence[ClaimAmounts], beside: Iterable[Pod]) -> Charge:
        """What comes of a pod on a node with other pods."""
        ledger = self.ledger(beside)
        before = ledger.taken
        ledger.add(pod, claims)
        more = {name: amount - before.get(name, NOTHING) for name, amount in ledger.taken.items()}
        demand = {name: amount for name, amount in more.items() if amount}
        return Charge(demand, before, ledger.overdrawn())

    def held_by(self, pod: Pod) -> dict[str, ResourceClaim]:
        """The claims of a pod that are allocated, by name."""
        namespace = pod.metadata.namespace or "default"
        named = {name: self._claims.get(f"{namespace}/{name}") for _, name in claims_of(pod)}
        return {name: one for name, one in named.items() if one is not None and one.allocation is not None}

    def are_managed(self, claims: Iterable[ResourceClaim]) -> bool:
        """Whether a class of the claims manages resources of nodes.

        KEP-5517/policy/managed-class-skips-standard-fit.
        """
        names = {name for claim in claims for _, name in classes_of(claim)}
        known = (self._classes[name] for name in names if name in self._classes)
        return any(one.spec.manages_node_allocatable_resources for one in known)

    def _check_budget(self, pod: Pod, claims: list[ClaimAmounts]) -> None:
        options = FootprintOptions(without_overhead=True, without_pod_level=True)
        taken = policy_demand(pod, claims, options).beside()
        for name, budget in sorted(requested_as_a_whole(pod).items()):
            if taken.get(name, NOTHING) > budget:
                message = f"pod level request for {name} is insufficient to cover containers and claims"
                raise NotCounted(Obstacle.OVER_BUDGET, message)

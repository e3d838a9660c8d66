"""The checks of the node resources that claims use (KEP-5517).

One is for the whole demand of a pod, the other for accounting policies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from dra_conform.cluster_state.acceptable_nodes import usable
from dra_conform.cluster_state.claim_accounting import AccountingFailed, Obstacle, account, claims_in_use
from dra_conform.cluster_state.kubelet_admission import insufficient_resources
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import (
    allocation_of,
    claim_keys,
    reservations_of,
    reserved_for,
    with_status,
)
from dra_conform.footprint import ClaimResourceUsage, footprint
from dra_conform.footprint.amounts import Amounts
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode, decode_as, encode
from dra_conform.kube.resource import AllocationResult, ResourceClaim
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.simulation.client import Client, WriteFailed
from dra_conform.simulation.scheduling.cycle import Cycle, SchedulerPlugin
from dra_conform.simulation.scheduling.node_plugins import remaining_percent
from dra_conform.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.simulation.scheduling.shortages import Shortage, insufficient, shortages_of
from dra_conform.simulation.status_writes import write_status

FIELD = "nodeAllocatableResourceClaimStatuses"
_CODES = {Obstacle.CAPACITY_UNKNOWN: Code.ERROR}


def _phase_failure(error: AccountingFailed) -> PhaseFailed:
    """Return the failure of a phase for claims whose node resource usage cannot be determined."""
    return PhaseFailed(_CODES.get(error.obstacle, Code.UNRESOLVABLE), str(error))


class NodeAllocatable(SchedulerPlugin):
    """Computes the node resource usage of claims, checks it with that of all pods, and writes it to the
    status."""

    name = "DynamicResources"

    def __init__(self, cycle: Cycle, client: Client) -> None:
        super().__init__(cycle)
        self._client = client
        self._switches = NodeResourceSwitches.of(cycle.profile)
        self._cacheable = False
        self._lacking: dict[str, tuple[Sequence[str], Amounts, Amounts]] = {}
        """The insufficient resources, the demand and the usage of other pods by rejected node."""

    def pre_filter(self) -> None:
        """Determine whether pods on other nodes affect the filter."""
        switches, snapshot = self._switches, self.cycle.snapshot
        named = (claim for _, claim in claim_keys(self.cycle.pod) if claim)
        used = any(True for claim in named for _ in snapshot.users_of(claim))
        self._cacheable = not (switches.policies or switches.shared_by_records or used)

    def filter(self, node: Node) -> None:
        """Reject a node if the pod exceeds its budget, cannot share a claim, or needs more resources with its
        claims than are free (KEP-5517/node-fit/effective-demand-against-free)."""
        name = node.metadata.name
        running = list(self.cycle.snapshot.running_on(node))
        unusable = self._unusable(node)
        shared = {claim for claim in self._shared(running) if claim not in unusable}
        allocations = self._allocations(name)
        for claim in unusable:
            if not self._switches.claims_counted_anywhere or not self._counts(node, allocations[claim]):
                allocations.pop(claim, None)
        used = self.cycle.snapshot.usage_on(node, self._switches)
        try:
            claims = account(self.cycle.typed, allocations, self._devices(), shared, self._switches)
        except AccountingFailed as error:
            raise _phase_failure(error) from None
        if not claims:
            return
        self._check_fit(node, footprint(self.cycle.typed, claims), used)
        self._set_status(name, claims)

    def shortages(self, node: Node) -> Sequence[Shortage]:
        """Return the resources of which a node has too little left for the pod with its claims."""
        if node.metadata.name not in self._lacking:
            return ()
        lacking, demand, used = self._lacking[node.metadata.name]
        return shortages_of(lacking, node, demand, used, footprint(self.cycle.typed, ()))

    @property
    def cacheable(self) -> bool:
        """False if pods on other nodes affect the filter, so that a change on another node can help."""
        return self._cacheable

    def pre_bind(self) -> Iterator[str]:
        """Write the node resource usage of the claims to the status of the pod
        (KEP-5517/status/written-at-prebind)."""
        records = self.cycle.recorded.get(self.cycle.node)
        pod = self._client.get(key_in(self.cycle.pod)) if records else None
        if records and pod is not None:
            write_status(pod, {FIELD: _with_generated_name(records, self.cycle, pod)}, self._client)
        yield from ()

    def unreserve(self) -> None:
        """Clear the status field with an empty list, since an omitted field would keep its stored value
        (KEP-5517/lifecycle/status-cleared-after-failed-attempt). Unlike the write in PreBind, a failed write
        is not retried.
        """
        records = self.cycle.recorded.get(self.cycle.node)
        pod = self._client.get(key_in(self.cycle.pod)) if records else None
        if pod is None:
            return
        try:
            self._client.update(with_status(pod, **{FIELD: []}), "status")
        except WriteFailed:
            return

    def _unusable(self, node: Node) -> list[str]:
        """Return the names of allocated claims that cannot be used on the node."""
        allocated = (decode(claim) for claim in self.cycle.claims if allocation_of(claim) is not None)
        return [claim.metadata.name for claim in allocated if not usable(claim, node)]

    def _counts(self, node: Node, allocation: AllocationResult) -> bool:
        """Whether a claim counts on a node although it cannot be used there.

        Raises PhaseFailed if only some of the claim's devices are available on the node.
        """
        reached = [self._devices().get_on(node, result) for result in allocation.devices.results]
        if not any(device and device.node_allocatable_resources for device in reached):
            return False
        if None in reached:
            message = (
                "a claim that maps to node allocatable resources has devices that the node cannot access"
            )
            raise PhaseFailed(Code.ERROR, message)
        return True

    def _allocations(self, node: str) -> dict[str, AllocationResult]:
        """Return the allocations of the pod's claims on a node by the name of the claim."""
        allocations: dict[str, AllocationResult] = {}
        for claim in self.cycle.claims if self._switches.earlier_allocations else ():
            if allocation_of(claim) is not None:
                allocations[claim["metadata"]["name"]] = decode_as(AllocationResult, allocation_of(claim))
        extended = self.cycle.fits[node].extended
        if extended is not None and extended.exists and self._switches.earlier_allocations:
            allocation = allocation_of(extended.claim)
            allocations[extended.claim["metadata"]["name"]] = decode_as(AllocationResult, allocation)
        for key, allocation in self.cycle.fits[node].allocations.items():
            allocations[key.partition("/")[2]] = decode_as(AllocationResult, allocation)
        return allocations

    def _devices(self) -> DevicesInSlices:
        return self.cycle.snapshot.devices(self._switches)

    def _shared(self, running: Sequence[Pod]) -> Collection[str]:
        """Return the names of the pod's claims that other pods use as well."""
        cycle = self.cycle
        if self._switches.shared_by_reservations:
            used = (claim for claim in cycle.claims if reservations_of(claim))
            return {claim["metadata"]["name"] for claim in used if not reserved_for(claim, cycle.pod)}
        others: Iterable[Pod]
        if self._switches.shared_by_records:
            others = (pod for pod in running if pod.metadata.namespace == cycle.typed.metadata.namespace)
        else:
            named = (claim for _, claim in claim_keys(cycle.pod) if claim)
            others = chain.from_iterable(map(cycle.snapshot.users_of, named))
        return claims_in_use(others, self._switches)

    def _set_status(self, node: str, claims: Sequence[ClaimResourceUsage]) -> None:
        """Store the status entries to write if the node is chosen."""
        self.cycle.recorded[node] = [encode(claim.status(self._switches)) for claim in claims]

    def _check_fit(self, node: Node, demand: Amounts, used: Amounts) -> None:
        """Raise PhaseFailed if the node has too little left.

        The failure is unresolvable if the demand exceeds even the allocatable resources of the empty node.
        """
        node_demand = {name: quantity for name, quantity in demand.items() if "/" not in name}
        allocatable = node.status.allocatable if node.status else {}
        missing = [name for name in node_demand if allocatable and name not in allocatable]
        lacking = sorted({*missing, *insufficient_resources(node_demand, node, used)})
        if lacking:
            never = missing or insufficient_resources(node_demand, node, {})
            self._lacking[node.metadata.name] = lacking, node_demand, used
            reasons = [insufficient(name) for name in lacking]
            raise PhaseFailed(Code.UNRESOLVABLE if never else Code.UNSCHEDULABLE, *reasons)


def _with_generated_name(records: Sequence[Json], cycle: Cycle, pod: Json) -> list[Json]:
    """Return the status entries with the generated name of the extended-resource claim."""
    extended = cycle.fits[cycle.node].extended
    unnamed = extended.claim["metadata"]["name"] if extended else None
    name = ((pod.get("status") or {}).get("extendedResourceClaimStatus") or {}).get("resourceClaimName")
    return [
        {**entry, "resourceClaimName": name} if entry["resourceClaimName"] == unnamed else entry
        for entry in records
    ]


class NodeAllocatableByPolicy(NodeAllocatable):
    """Checks node resource usage by accounting policies, and the pools that claims share."""

    def __init__(self, cycle: Cycle, client: Client) -> None:
        super().__init__(cycle, client)
        self._scores: dict[str, int] = {}

    def filter(self, node: Node) -> None:
        """Reject a node for claims that exclude each other, an exhausted pool, or insufficient resources
        (KEP-5517/policy/consume-from-reserves-whole-pool)."""
        cycle = self.cycle
        allocated = self._claims_on(node.metadata.name)
        try:
            claims = cycle.accounts.of(cycle.typed, allocated)
        except AccountingFailed as error:
            raise _phase_failure(error) from None
        if not claims and not cycle.accounts.are_managed(allocated.values()):
            return
        charge = cycle.accounts.charge(cycle.typed, claims, cycle.snapshot.running_on(node))
        self._check_fit(node, charge.demand, charge.taken)
        self._scores[node.metadata.name] = remaining_percent(node, charge.demand, charge.taken)
        if charge.overdrawn:
            raise PhaseFailed(Code.UNSCHEDULABLE, f"Insufficient {charge.overdrawn} in the pool of a claim")
        if claims:
            self._set_status(node.metadata.name, claims)

    @property
    def scores_nodes(self) -> bool:
        """Whether the pod has claims, whose usage can differ between nodes
        (KEP-5517/node-fit/scoring-includes-dra)."""
        return bool(self.cycle.claims)

    def score(self, node: str) -> int:
        """Return the percentage of cpu and memory that remains on the node with the pod and its claims."""
        return self._scores.get(node, 0)

    def _claims_on(self, node: str) -> dict[str, ResourceClaim]:
        """Return the pod's claims by name, with their allocations on a node."""
        fit, claims = self.cycle.fits[node], dict[str, ResourceClaim]()
        extended = () if fit.extended is None else (fit.extended.claim,)
        for raw in (*self.cycle.claims, *extended):
            claim: ResourceClaim = decode(raw)
            if claim.key in fit.allocations:
                claim = decode({**raw, "status": {"allocation": fit.allocations[claim.key]}})
            claims[claim.metadata.name] = claim
        return claims

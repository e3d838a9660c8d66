"""The check of node resources that claims use (KEP-5517): the whole demand at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from dra_conform.controlplane.acceptable_nodes import usable
from dra_conform.controlplane.claim_accounting import NotCounted, Obstacle, account, claims_taken
from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.node_resources import lacking
from dra_conform.controlplane.simulation.pod_status import write_status
from dra_conform.controlplane.simulation.pods import allocation_of, claim_keys, reservations_of, reserved_for
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused
from dra_conform.controlplane.simulation.scheduling.plugin import Plugin
from dra_conform.footprint import ClaimAmounts, FootprintRules, footprint
from dra_conform.footprint.amounts import Amounts
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.objects import decode, decode_as, encode
from dra_conform.kube.resource import AllocationResult

Json = Any

FIELD = "nodeAllocatableResourceClaimStatuses"
_CODES = {Obstacle.CAPACITY_UNKNOWN: Code.ERROR}


def refusal(refused: NotCounted) -> PhaseRefused:
    """How the phase ends for a pod that cannot take the node."""
    return PhaseRefused(_CODES.get(refused.obstacle, Code.UNRESOLVABLE), str(refused))


class NodeAllocatable(Plugin):
    """Counts what claims take on each node that passed, checks it with all else, and writes it down."""

    def __init__(self, cycle: Cycle, client: Client) -> None:
        super().__init__(cycle)
        self._client = client
        self._rules = FootprintRules.of(cycle.profile)
        self._lasting = False

    def pre_filter(self) -> None:
        """Look whether pods on other nodes count: those that use the claims, or record what claims take."""
        rules, snapshot = self._rules, self.cycle.snapshot
        named = (claim for _, claim in claim_keys(self.cycle.pod) if claim)
        used = any(True for claim in named for _ in snapshot.users_of(claim))
        self._lasting = not (rules.policies or rules.shared_by_records or used)

    def filter(self, node: Node) -> None:
        """Refuse a node on which the pod exceeds its budget, may not have a claim, or does not fit with what
        its claims take there (KEP-5517/node-fit/effective-demand-against-free)."""
        name = node.metadata.name
        running = list(self.cycle.snapshot.running_on(node))
        elsewhere = self._elsewhere(node)
        shared = {claim for claim in self._shared(running) if claim not in elsewhere}
        held = self._held(name)
        for claim in elsewhere:
            if not self._rules.claims_counted_anywhere or not self._counts(node, held[claim]):
                held.pop(claim, None)
        taken = self.cycle.snapshot.taken_on(node, self._rules)
        try:
            claims = account(self.cycle.typed, held, self._devices(), shared, self._rules)
        except NotCounted as refused:
            raise refusal(refused) from None
        if not claims:
            return
        self._check_fit(node, footprint(self.cycle.typed, claims), taken)
        self._note(name, claims)

    @property
    def lasting(self) -> bool:
        """Where pods on other nodes count, a change there can let the pod in here."""
        return self._lasting

    def pre_bind(self) -> Iterator[str]:
        """Write what the claims take into the status of the pod (KEP-5517/status/written-at-prebind)."""
        records = self.cycle.recorded.get(self.cycle.node)
        pod = self._client.get(key_in(self.cycle.pod)) if records else None
        if records and pod is not None:
            write_status(pod, {FIELD: _named(records, self.cycle, pod)}, self._client)
        yield from ()

    def unreserve(self) -> None:
        """Empty it again: a field that is left out would stay as it is stored.

        KEP-5517/lifecycle/status-cleared-after-failed-attempt.
        """
        records = self.cycle.recorded.get(self.cycle.node)
        pod = self._client.get(key_in(self.cycle.pod)) if records else None
        if pod is None:
            return
        try:
            write_status(pod, {FIELD: []}, self._client)
        except WriteFailed:
            return

    def _elsewhere(self, node: Node) -> list[str]:
        """The claims that are allocated and cannot be used on the node."""
        allocated = (decode(one) for one in self.cycle.claims if allocation_of(one) is not None)
        return [one.metadata.name for one in allocated if not usable(one, node)]

    def _counts(self, node: Node, allocation: AllocationResult) -> bool:
        """Whether a claim that cannot be used on the node takes something there nevertheless; raises
        PhaseRefused where the node does not reach all of its devices."""
        reached = [self._devices().get_on(node, one) for one in allocation.devices.results]
        if not any(one and one.node_allocatable_resources for one in reached):
            return False
        if None in reached:
            raise PhaseRefused(Code.ERROR, "the node does not reach all devices of a claim that takes of it")
        return True

    def _held(self, node: str) -> dict[str, AllocationResult]:
        """What the pod's claims hold on a node, by the name of the claim."""
        found: dict[str, AllocationResult] = {}
        for claim in self.cycle.claims if self._rules.earlier_allocations else ():
            if allocation_of(claim) is not None:
                found[claim["metadata"]["name"]] = decode_as(AllocationResult, allocation_of(claim))
        special = self.cycle.fits[node].special
        if special is not None and special.made and self._rules.earlier_allocations:
            allocation = allocation_of(special.claim)
            found[special.claim["metadata"]["name"]] = decode_as(AllocationResult, allocation)
        for key, allocation in self.cycle.fits[node].allocations.items():
            found[key.partition("/")[2]] = decode_as(AllocationResult, allocation)
        return found

    def _devices(self) -> DevicesInSlices:
        return self.cycle.snapshot.devices(self._rules)

    def _shared(self, running: Sequence[Pod]) -> Collection[str]:
        """The claims that others use, none of which the pod may have if they do not share it."""
        cycle = self.cycle
        if self._rules.shared_by_reservations:
            used = (claim for claim in cycle.claims if reservations_of(claim))
            return {claim["metadata"]["name"] for claim in used if not reserved_for(claim, cycle.pod)}
        others: Iterable[Pod]
        if self._rules.shared_by_records:
            others = (one for one in running if one.metadata.namespace == cycle.typed.metadata.namespace)
        else:
            named = (claim for _, claim in claim_keys(cycle.pod) if claim)
            others = chain.from_iterable(map(cycle.snapshot.users_of, named))
        return claims_taken(others, self._rules)

    def _note(self, node: str, claims: Sequence[ClaimAmounts]) -> None:
        """Keep what the status will record if the node is chosen."""
        self.cycle.recorded[node] = [encode(one.status(self._rules)) for one in claims]

    def _check_fit(self, node: Node, demand: Amounts, taken: Amounts) -> None:
        """Freeing the node helps if it has enough when it is empty."""
        of_node = {name: amount for name, amount in demand.items() if "/" not in name}
        offered = node.status.allocatable if node.status else {}
        missing = [name for name in of_node if offered and name not in offered]
        short = lacking(of_node, node, taken)
        if missing or short:
            never = missing or lacking(of_node, node, {})
            said = ", ".join(f"Insufficient {name}" for name in sorted({*missing, *short}))
            raise PhaseRefused(Code.UNRESOLVABLE if never else Code.UNSCHEDULABLE, said)


def _named(records: Sequence[Json], cycle: Cycle, pod: Json) -> list[Json]:
    """The entries with the name that the claim for extended resources has got."""
    special = cycle.fits[cycle.node].special
    unnamed = special.claim["metadata"]["name"] if special else None
    name = ((pod.get("status") or {}).get("extendedResourceClaimStatus") or {}).get("resourceClaimName")
    return [
        {**one, "resourceClaimName": name} if one["resourceClaimName"] == unnamed else one for one in records
    ]

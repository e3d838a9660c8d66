"""The check of node resources that claims use under accounting policies (KEP-5517)."""

from __future__ import annotations

from dra_conform.controlplane.claim_accounting import NotCounted
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.node_allocatable import NodeAllocatable, refusal
from dra_conform.controlplane.simulation.scheduling.node_order import left_over
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused
from dra_conform.kube.core import Node
from dra_conform.kube.objects import decode
from dra_conform.kube.resource import ResourceClaim


class NodeAllocatableByPolicy(NodeAllocatable):
    """Checks what a node is charged with the pod against what it has, and pools against their sizes."""

    def __init__(self, cycle: Cycle, client: Client) -> None:
        super().__init__(cycle, client)
        self._scores: dict[str, int] = {}

    def filter(self, node: Node) -> None:
        """Refuse a node for claims that exclude each other, for a pool that is used up, and for what is
        short (KEP-5517/policy/consume-from-reserves-whole-pool)."""
        cycle = self.cycle
        held = self._claims_on(node.metadata.name)
        try:
            claims = cycle.accounts.of(cycle.typed, held)
        except NotCounted as refused:
            raise refusal(refused) from None
        if not claims and not cycle.accounts.are_managed(held.values()):
            return
        charge = cycle.accounts.charge(cycle.typed, claims, cycle.snapshot.running_on(node))
        self._check_fit(node, charge.demand, charge.taken)
        self._scores[node.metadata.name] = left_over(node, charge.demand, charge.taken)
        if charge.overdrawn:
            raise PhaseRefused(Code.UNSCHEDULABLE, f"Insufficient {charge.overdrawn} in the pool of a claim")
        if claims:
            self._note(node.metadata.name, claims)

    @property
    def ranks(self) -> bool:
        """Claims may take more of one node than of another (KEP-5517/node-fit/scoring-includes-dra)."""
        return bool(self.cycle.claims)

    def score(self, node: str) -> int:
        """What is left of the node with the pod and all that its claims take there."""
        return self._scores.get(node, 0)

    def _claims_on(self, node: str) -> dict[str, ResourceClaim]:
        """The pod's claims with what they hold on a node, by name."""
        fit, found = self.cycle.fits[node], dict[str, ResourceClaim]()
        special = () if fit.special is None else (fit.special.claim,)
        for raw in (*self.cycle.claims, *special):
            claim: ResourceClaim = decode(raw)
            if claim.key in fit.allocations:
                claim = decode({**raw, "status": {"allocation": fit.allocations[claim.key]}})
            found[claim.metadata.name] = claim
        return found

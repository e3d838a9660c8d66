"""What claims take of a node's own resources where policies say how that is counted (KEP-5517)."""

from __future__ import annotations

from dra_conform.controlplane.claim_accounting import NotCounted
from dra_conform.controlplane.simulation.scheduling.node_allocatable import NodeAllocatable, refusal
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused
from dra_conform.kube.core import Node
from dra_conform.kube.objects import decode
from dra_conform.kube.resource import ResourceClaim


class NodeAllocatableByPolicy(NodeAllocatable):
    """Checks what a node is charged with the pod against what it has, and pools against their sizes."""

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
        if charge.overdrawn:
            raise PhaseRefused(Code.UNSCHEDULABLE, f"Insufficient {charge.overdrawn} in the pool of a claim")
        if claims:
            self._note(node.metadata.name, claims)

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

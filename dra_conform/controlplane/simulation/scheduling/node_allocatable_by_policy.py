"""The check of node resources that claims use under accounting policies (KEP-5517)."""

from __future__ import annotations

from dra_conform.controlplane.claim_accounting import AccountingFailed
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.node_allocatable import NodeAllocatable, phase_failure
from dra_conform.controlplane.simulation.scheduling.node_order import remaining_percent
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.kube.core import Node
from dra_conform.kube.objects import decode
from dra_conform.kube.resource import ResourceClaim


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
            raise phase_failure(error) from None
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

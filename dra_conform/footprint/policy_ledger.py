"""The node resource usage of all pods of a node that may share claims (KEP-5517 "Accounting Policies")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from dra_conform.footprint.accounting_policy import AccountingPolicy
from dra_conform.footprint.amounts import NOTHING, Amounts, added
from dra_conform.footprint.claim_amounts import ClaimAmounts
from dra_conform.footprint.policy_demand import PoolDraw, policy_demand
from dra_conform.kube.core import Pod
from dra_conform.kube.quantity import Quantity

Pools = frozenset[str]


@dataclass
class PolicyLedger:
    """What is charged to a node: to each pod its own, each shared claim once; and what pools have given.

    Claims go by `namespace/name`.
    """

    _own: list[Amounts] = field(default_factory=list)
    _shared: dict[str, Amounts] = field(default_factory=dict)
    _pools: dict[tuple[str, str], Quantity] = field(default_factory=dict)
    _draws: list[PoolDraw] = field(default_factory=list)

    def add(self, pod: Pod, claims: Sequence[ClaimAmounts]) -> None:
        """Charge a pod that is, or shall be, on the node."""
        namespace = pod.metadata.namespace or "default"
        named = [replace(one, claim=f"{namespace}/{one.claim}") for one in claims]
        demand = policy_demand(pod, named)
        self._own.append(demand.own)
        for claim, amounts in demand.shared.items():
            self._shared[claim] = {**self._shared.get(claim, {}), **amounts}
        for one in named:
            for name, amount in one.by((AccountingPolicy.CONSUME_FROM,)).items():
                self._pools[one.claim, name] = amount
        self._draws += demand.draws

    @property
    def taken(self) -> dict[str, Quantity]:
        """All that is charged."""
        return added(*self._own, *self._shared.values())

    def overdrawn(self) -> str:
        """The first resource, by name, of which pools have given more than they have; else empty.

        KEP-5517/policy/consume-from-sum-within-pool.
        """
        for name in sorted({draw.resource for draw in self._draws}):
            draws = [draw for draw in self._draws if draw.resource == name]
            for pools in _together(draw.claims for draw in draws):
                given = sum((draw.amount for draw in draws if draw.claims <= pools), NOTHING)
                if given > sum((self._pools[claim, name] for claim in pools), NOTHING):
                    return name
        return ""


def _together(used: Iterable[Pools]) -> Iterator[Pools]:
    """The pools of each container; and with them those that other containers use beside one of them.

    KEP-5517/policy-compatibility/consume-from-same-driver.
    """
    each = set(used)
    yield from each
    joint: list[Pools] = []
    for pools in each:
        touching = [one for one in joint if one & pools]
        joint = [one for one in joint if one not in touching] + [pools.union(*touching)]
    yield from joint

"""The node resource usage of a pod under accounting policies (KEP-5517 "Accounting Policies")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.footprint.accounting_policy import SHARED, AccountingPolicy
from dra_conform.footprint.amounts import NOTHING, Amounts, added, multiplied
from dra_conform.footprint.claim_amounts import ClaimAmounts
from dra_conform.footprint.containers import SIDECAR, aggregated
from dra_conform.footprint.pod_footprint import ALL, FootprintOptions, requested_as_a_whole
from dra_conform.kube.core import Container, Pod
from dra_conform.kube.quantity import Quantity

_MAX, _POOL = AccountingPolicy.MAX, AccountingPolicy.CONSUME_FROM


@dataclass(frozen=True, slots=True)
class PoolDraw:
    """What a container takes of one resource from the claims that are its pools, together one pool."""

    claims: frozenset[str]
    resource: str
    amount: Quantity


@dataclass(frozen=True, slots=True)
class PolicyDemand:
    """What a pod takes: its `own` amounts, what each of its claims takes of a node `shared` by all pods that
    use it there, and what its containers draw from pools."""

    own: Amounts
    shared: Mapping[str, Amounts]
    draws: tuple[PoolDraw, ...]

    def beside(self, claims: Iterable[str] = ()) -> dict[str, Quantity]:
        """All that a node is charged for the pod, these claims being charged already."""
        known = set(claims)
        return added(self.own, *(amounts for claim, amounts in self.shared.items() if claim not in known))


def policy_demand(pod: Pod, claims: Sequence[ClaimAmounts], options: FootprintOptions = ALL) -> PolicyDemand:
    """The demand of a pod; what it requests as a whole takes the place of all else of that resource."""
    own = added(
        aggregated(
            ((one.restart_policy == SIDECAR, _effective(one, claims)) for one in pod.spec.init_containers),
            (_effective(one, claims) for one in pod.spec.containers),
        ),
        *map(_for_references, claims),
    )
    whole = {} if options.without_pod_level else requested_as_a_whole(pod)
    own.update(whole)
    shared = {
        one.claim: {name: amount for name, amount in one.by(SHARED).items() if name not in whole}
        for one in claims
    }
    return PolicyDemand(
        own if options.without_overhead else added(own, pod.spec.overhead),
        {claim: amounts for claim, amounts in shared.items() if amounts},
        tuple(_draws(pod, claims)),
    )


def conflicting(pod: Pod, claims: Sequence[ClaimAmounts]) -> str:
    """Why the claims of a container may not be used together, empty where they may.

    KEP-5517/policy-compatibility/*, for each container and each resource.
    """
    for container in _containers(pod):
        parts = [part for one in _used(container, claims) for part in one.parts]
        for resource in dict.fromkeys(part.resource for part in parts):
            base = [part for part in parts if part.resource == resource and part.policy in (_MAX, _POOL)]
            policies = sorted({part.policy for part in base})
            where = f"container {container.name}, {resource}"
            if len(policies) > 1:
                return f"{where}: {' and '.join(policies)} exclude each other"
            if len({part.driver for part in base}) > 1:
                return f"{where}: {policies[0]} of several drivers"
    return ""


def _effective(container: Container, claims: Sequence[ClaimAmounts]) -> dict[str, Quantity]:
    """What a container takes of the node by itself: requests served by a pool are no part of it."""
    used = _used(container, claims)
    largest = added(*(one.by((_MAX,)) for one in used))
    pools = added(*(one.by((_POOL,)) for one in used))
    requests = container.resources.requests
    return {
        name: max(requests.get(name, NOTHING), largest.get(name, NOTHING))
        for name in {**requests, **largest}
        if name not in pools
    }


def _for_references(one: ClaimAmounts) -> dict[str, Quantity]:
    """What is counted for each container, for none once."""
    each = one.by((AccountingPolicy.ADD_PER_REFERENCE,))
    times = Quantity.whole(max(1, len(one.containers)))
    total = {name: multiplied(amount, times) for name, amount in each.items()}
    return total if one.containers else added(total, one.by((_MAX,)))


def _draws(pod: Pod, claims: Sequence[ClaimAmounts]) -> Iterator[PoolDraw]:
    for container in _containers(pod):
        used = _used(container, claims)
        for name, amount in container.resources.requests.items():
            pools = frozenset(one.claim for one in used if name in one.by((_POOL,)))
            if pools:
                yield PoolDraw(pools, name, amount)


def _used(container: Container, claims: Sequence[ClaimAmounts]) -> list[ClaimAmounts]:
    return [one for one in claims if container.name in one.containers]


def _containers(pod: Pod) -> tuple[Container, ...]:
    return (*pod.spec.init_containers, *pod.spec.containers)

"""The node resource usage of all pods of a cluster by accounting policies (KEP-5517).

A claim that several pods of a node share counts once for the node, so pods are counted one by one instead of
over columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.footprint.amounts import ZERO
from dra_conform.footprint.claim_amounts import ClaimResourceUsage
from dra_conform.footprint.cluster_footprints import FootprintParts
from dra_conform.footprint.pod_footprint import FootprintOptions, pod_level_requests
from dra_conform.footprint.policy_ledger import PolicyLedger, policy_demand
from dra_conform.kube.core import Pod

_BARE = FootprintOptions(without_overhead=True, without_pod_level=True)


@dataclass(frozen=True, slots=True)
class PolicyFootprints:
    """The usage of pods by the accounting policies of their claims, each with its parts."""

    pods: Sequence[tuple[Pod, Sequence[ClaimResourceUsage]]]

    def by_pod(self) -> Iterator[tuple[int, str, FootprintParts]]:
        """Yield the number of each pod, each resource that it uses, and the parts, in this order.

        The total of a pod includes all usage of its claims, also if other pods share them.
        """
        for number, (pod, claims) in enumerate(self.pods):
            for name, parts in sorted(_parts_of(pod, claims).items()):
                yield number, name, parts

    def by_group(self, groups: Sequence[str]) -> Mapping[tuple[str, str], tuple[int, int]]:
        """Return the total usage and the part of claims by group and resource, in nano-units."""
        totals: dict[tuple[str, str], tuple[int, int]] = {}
        for group, ledger in self._ledgers(groups).items():
            claimed = ledger.claimed
            for name, quantity in ledger.taken.items():
                totals[group, name] = quantity.nano, claimed.get(name, ZERO).nano
        return totals

    def overdrawn(self, groups: Sequence[str]) -> Mapping[str, str]:
        """Return by group the first resource of which more is taken from pools than they have
        (KEP-5517/policy/consume-from-sum-within-pool)."""
        found = {group: ledger.overdrawn() for group, ledger in self._ledgers(groups).items()}
        return {group: resource for group, resource in found.items() if resource}

    def _ledgers(self, groups: Sequence[str]) -> Mapping[str, PolicyLedger]:
        ledgers: defaultdict[str, PolicyLedger] = defaultdict(PolicyLedger)
        for group, (pod, claims) in zip(groups, self.pods, strict=True):
            ledgers[group].add(pod, claims)
        return ledgers


def _parts_of(pod: Pod, claims: Sequence[ClaimResourceUsage]) -> dict[str, FootprintParts]:
    bare = policy_demand(pod, claims, _BARE)
    sums, claimed, whole = bare.total(), bare.claimed, pod_level_requests(pod)
    total = policy_demand(pod, claims).total()
    parts = {}
    for name in {**total, **sums}:
        of_claims = claimed.get(name, ZERO).nano
        parts[name] = FootprintParts(
            containers=sums.get(name, ZERO).nano - of_claims,
            claims=of_claims,
            pod_level=whole[name].nano if name in whole else None,
            overhead=pod.spec.overhead.get(name, ZERO).nano,
            total=total.get(name, ZERO).nano,
        )
    return parts

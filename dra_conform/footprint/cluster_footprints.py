"""The node resource usage of all pods of a cluster: by pod with its parts, in total by node, and by
accounting policies (KEP-5517).

A claim that several pods of a node share counts once for the node under accounting policies, so pods are then
counted one by one instead of over columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import polars as pl

from dra_conform.footprint.amounts import ZERO, added
from dra_conform.footprint.claim_amounts import ClaimResourceUsage
from dra_conform.footprint.footprint_columns import PARTS, PodColumns, fits_columns, footprint_parts
from dra_conform.footprint.pod_footprint import (
    FootprintOptions,
    footprint,
    on_nodes,
    pod_level_requests,
)
from dra_conform.footprint.policy_ledger import PolicyLedger, policy_demand
from dra_conform.kube.core import Pod
from dra_conform.kube.switches.node_resources import NodeResourceSwitches


@dataclass(frozen=True, slots=True)
class FootprintParts:
    """The usage of one resource by a pod, in nano-units.

    `containers` has the aggregated requests, `pod_level` is None without a pod-level request.
    """

    containers: int
    claims: int
    pod_level: int | None
    overhead: int
    total: int


class Footprints(Protocol):
    """The usage of the pods of a cluster; pods are identified by number."""

    def by_pod(self) -> Iterator[tuple[int, str, FootprintParts]]:
        """Yield the number of each pod, each resource that it uses, and the parts, in this order."""
        ...

    def by_group(self, groups: Sequence[str]) -> Mapping[tuple[str, str], tuple[int, int]]:
        """Return the total usage and the part of claims by group and resource, in nano-units.

        `groups` has the group of each pod, such as its node.
        """
        ...


def parts_of(
    pod: Pod, claims: Sequence[ClaimResourceUsage], options: FootprintOptions
) -> dict[str, FootprintParts]:
    """Return the parts of the usage of one pod by resource."""
    total = footprint(pod, claims, options)
    used = added(*(claim.total for claim in claims))
    of_containers = footprint(pod, (), replace(options, without_overhead=True, without_pod_level=True))
    whole = pod_level_requests(pod)
    parts = {}
    for name in {**total, **used, **of_containers}:
        overhead, claimed = (each.get(name, ZERO).nano for each in (pod.spec.overhead, used))
        sum_of_parts = total.get(name, ZERO).nano
        containers = (
            of_containers.get(name, ZERO).nano if name in whole else sum_of_parts - overhead - claimed
        )
        pod_level = whole[name].nano if name in whole else None
        parts[name] = FootprintParts(containers, claimed, pod_level, overhead, sum_of_parts)
    return parts


@dataclass(frozen=True)
class ClusterFootprints:
    """The usage of pods with the usage of their claims; pods are identified by number."""

    pods: Sequence[tuple[Pod, Sequence[ClaimResourceUsage]]]
    switches: NodeResourceSwitches

    def by_pod(self) -> Iterator[tuple[int, str, FootprintParts]]:
        """Yield the number of each pod, each resource that it uses, and the parts, in this order."""
        rows = [
            (number, resource, FootprintParts(*parts))
            for number, resource, *parts in self._columns.iter_rows()
        ]
        rows += [
            (number, name, each) for number, parts in self._apart.items() for name, each in parts.items()
        ]
        yield from sorted(rows, key=lambda row: row[:2])

    def by_group(self, groups: Sequence[str]) -> Mapping[tuple[str, str], tuple[int, int]]:
        """Return the total usage and the part of claims by group and resource, in nano-units.

        `groups` has the group of each pod, such as its node.
        """
        group = pl.Series("group", groups, dtype=pl.String)
        columns = self._columns.select(group.gather(self._columns["pod"]), *PARTS[1:])
        claims = pl.when(pl.col("pod_level").is_null()).then("claims").otherwise(0)
        sums = columns.group_by("group", "resource").agg(pl.col("total").sum(), claims=claims.sum())
        totals: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
        for name, resource, total, of_claims in sums.iter_rows():
            totals[name, resource] = total, of_claims
        for number, parts in self._apart.items():
            for resource, each in parts.items():
                total, of_claims = totals[groups[number], resource]
                claimed = each.claims if each.pod_level is None else 0
                totals[groups[number], resource] = total + each.total, of_claims + claimed
        return totals

    @cached_property
    def _in_columns(self) -> Sequence[int]:
        statuses = on_nodes(self.switches).statuses
        return [
            number for number, (pod, claims) in enumerate(self.pods) if fits_columns(pod, statuses, claims)
        ]

    @cached_property
    def _columns(self) -> pl.DataFrame:
        parts = footprint_parts(PodColumns.of(self.pods[number] for number in self._in_columns))
        numbers = pl.Series("pod", self._in_columns, dtype=pl.Int64)
        return parts.with_columns(numbers.gather(parts["pod"]))

    @cached_property
    def _apart(self) -> Mapping[int, Mapping[str, FootprintParts]]:
        """The parts of pods that do not fit into columns."""
        known = set(self._in_columns)
        return {
            number: parts_of(pod, claims, on_nodes(self.switches))
            for number, (pod, claims) in enumerate(self.pods)
            if number not in known
        }


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
        """Return by group the first node resource of which more is used than its pools have
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

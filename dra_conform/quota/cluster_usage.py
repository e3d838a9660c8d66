"""The quota usage of all namespaces of a cluster over columns, with the same results as `UsageCounter`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import polars as pl

from dra_conform.footprint.footprint_columns import LARGEST
from dra_conform.kube.core import Pod, ResourceQuota
from dra_conform.kube.quantity import NANO
from dra_conform.kube.resource import DeviceClass, ResourceClaim
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota.object_usage import NOW, claim_usage, namespace_of
from dra_conform.quota.scopes import has_scopes, in_scopes
from dra_conform.quota.usage_columns import (
    COUNT,
    ClaimColumns,
    PodUsage,
    no_charges,
    pod_usage_by_columns,
    usage_by_namespace,
)
from dra_conform.quota.usage_counter import owner_pod, pod_of_extended_resource_claim

NanoByName = Mapping[str, int]
"""Usage in nano-units by quota name."""


@dataclass(frozen=True)
class ClusterUsage:
    """The usage of every namespace, and of ResourceQuotas with scopes."""

    classes: Sequence[DeviceClass]
    claims: Sequence[ResourceClaim]
    pods: Sequence[Pod]
    switches: QuotaSwitches
    now: datetime = NOW

    @cached_property
    def by_namespace(self) -> Mapping[str, NanoByName]:
        """The usage of each namespace with a claim or a pod."""
        totals: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        usage = usage_by_namespace(
            ClaimColumns.of(self.claims), self.resources, self._charges(), adjusted=self.switches.adjusted
        )
        for namespace, name, count in usage.iter_rows():
            totals[namespace][name] += count * NANO
        for namespace, name, amount in self._of_pods().iter_rows():
            totals[namespace][name] += amount
        for number, amounts in self._pod_usage.apart.items():
            for name, quantity in amounts.items():
                totals[namespace_of(self.pods[number])][name] += quantity.nano
        return totals

    def of_quota(self, quota: ResourceQuota) -> NanoByName:
        """Return the usage that a ResourceQuota counts, by quota name."""
        if not has_scopes(quota.spec):
            return self.by_namespace.get(namespace_of(quota), {})
        total: dict[str, int] = defaultdict(int)
        for number in self.pods_of(namespace_of(quota)):
            if in_scopes(self.pods[number], quota.spec):
                for name, amount in self.of_pod(number):
                    total[name] += amount
        return total

    def of_pod(self, number: int) -> Iterator[tuple[str, int]]:
        """Yield the quota names of a pod by its number, and its usage in nano-units."""
        apart = self._pod_usage.apart.get(number, {})
        yield from ((name, quantity.nano) for name, quantity in apart.items())
        yield from self._rows_of_pods.get(number, ())

    def pods_of(self, namespace: str) -> Sequence[int]:
        """Return the numbers of the pods of a namespace."""
        return self._pods_by_namespace.get(namespace, ())

    def claims_of(self, namespace: str) -> Sequence[int]:
        """Return the numbers of the claims of a namespace."""
        return self._claims_by_namespace.get(namespace, ())

    def charged(self, number: int) -> Mapping[str, int]:
        """Return what the pod of an extended-resource claim counts by quota name, by the claim's number."""
        pod = self._pods_of_claims.get(number)
        return {} if pod is None else {name: _whole(amount) for name, amount in self.of_pod(pod)}

    def of_claim(self, number: int) -> Mapping[str, int]:
        """Return the usage of a claim by quota name, by the claim's number."""
        return claim_usage(
            self.claims[number],
            self.resources,
            adjusted=self.switches.adjusted,
            charged=self.charged(number),
        )

    @cached_property
    def resources(self) -> Mapping[str, str]:
        """The extended resource of every DeviceClass, empty for none."""
        return {each.metadata.name: each.spec.extended_resource_name or "" for each in self.classes}

    @cached_property
    def _pod_usage(self) -> PodUsage:
        return pod_usage_by_columns(self.pods, self.switches, self.now)

    @cached_property
    def _rows_of_pods(self) -> Mapping[int, Sequence[tuple[str, int]]]:
        """The quota names and the usage of pods in columns, by number."""
        rows: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for number, name, amount in self._pod_usage.columns.sort("pod", "name").iter_rows():
            rows[number].append((name, amount))
        return rows

    @cached_property
    def _pods_by_namespace(self) -> Mapping[str, Sequence[int]]:
        return _by_namespace(self.pods)

    @cached_property
    def _claims_by_namespace(self) -> Mapping[str, Sequence[int]]:
        return _by_namespace(self.claims)

    def _of_pods(self) -> pl.DataFrame:
        """Return the usage of the pods in columns by namespace and quota name."""
        namespaces = pl.Series("namespace", [namespace_of(pod) for pod in self.pods], dtype=pl.String)
        rows = self._pod_usage.columns
        by_namespace = rows.select(namespaces.gather(rows["pod"]), "name", "amount")
        return by_namespace.group_by("namespace", "name").agg(pl.col("amount").sum())

    def _charges(self) -> pl.DataFrame:
        """Return the columns claim, name and charged of extended-resource claims."""
        rows = [
            (claim, name, min(_whole(amount), LARGEST))
            for claim, pod in self._pods_of_claims.items()
            if pod in self._pod_usage.apart
            for name, amount in self.of_pod(pod)
        ]
        apart = pl.DataFrame(rows, schema=no_charges().schema, orient="row")
        pairs = pl.DataFrame(
            {"claim": list(self._pods_of_claims), "pod": list(self._pods_of_claims.values())},
            schema={"claim": pl.Int64, "pod": pl.Int64},
        )
        charged = ((pl.col("amount") + NANO - 1) // NANO).cast(COUNT)
        in_columns = pairs.join(self._pod_usage.columns, on="pod").select("claim", "name", charged=charged)
        return pl.concat([in_columns, apart])

    @cached_property
    def _pods_of_claims(self) -> Mapping[int, int]:
        """The number of the pod of each extended-resource claim, by the number of the claim."""
        pods = {f"{namespace_of(pod)}/{pod.metadata.name}": pod for pod in self.pods}
        numbers = {id(pod): number for number, pod in enumerate(self.pods)}
        siblings: dict[tuple[str, str], list[ResourceClaim]] = defaultdict(list)
        owners = {number: owner for number, claim in enumerate(self.claims) if (owner := owner_pod(claim))}
        for number, owner in owners.items():
            siblings[self.claims[number].metadata.namespace, owner.uid].append(self.claims[number])
        found = {}
        for number, owner in owners.items():
            claim = self.claims[number]
            pod = pod_of_extended_resource_claim(
                claim,
                pods,
                siblings[claim.metadata.namespace, owner.uid],
                first_only=self.switches.first_claim_only,
            )
            if pod is not None:
                found[number] = numbers[id(pod)]
        return found


def _whole(amount: int) -> int:
    """Return whole units, rounded away from zero."""
    return -(-amount // NANO) if amount >= 0 else amount // NANO


def _by_namespace(items: Sequence[ResourceClaim | Pod]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        numbers[namespace_of(item)].append(number)
    return numbers

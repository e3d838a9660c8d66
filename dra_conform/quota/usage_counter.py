"""The quota usage of all objects of a cluster, by quota name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dra_conform.footprint.amounts import added
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Pod, ResourceQuota
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceClass, ResourceClaim
from dra_conform.quota.claim_usage import NOTHING, claim_usage
from dra_conform.quota.extended_resource_claims import pod_of_special_claim
from dra_conform.quota.pod_usage import pod_usage
from dra_conform.quota.rules import QuotaRules
from dra_conform.quota.scopes import has_scopes, in_scopes

WORTHWHILE = 2048
"""From so many ResourceClaims on columns are faster."""


@dataclass(frozen=True)
class UsageCounter:
    """The classes, claims and pods of a cluster, and how they are counted."""

    classes: tuple[DeviceClass, ...]
    claims: tuple[ResourceClaim, ...]
    pods: tuple[Pod, ...]
    rules: QuotaRules
    columns: ColumnUse = ColumnUse.BY_SIZE

    def of_claim(self, claim: ResourceClaim) -> dict[str, Quantity]:
        """What a claim counts, which may be one of these or a new one."""
        usage = claim_usage(
            claim, self._resources, adjusted=self.rules.adjusted, charged=self._charged_for(claim)
        )
        return {name: Quantity.whole(count) for name, count in usage.items()}

    def of_pod(self, pod: Pod) -> dict[str, Quantity]:
        """What a pod counts, which may be one of these or a new one."""
        return pod_usage(pod, self.rules)

    def of_namespace(self, namespace: str) -> dict[str, Quantity]:
        """What all claims and pods of a namespace count together (KEP-5004/quota/per-namespace)."""
        return self.of_quota(ResourceQuota(metadata=ObjectMeta(namespace=namespace)))

    def of_quota(self, quota: ResourceQuota) -> dict[str, Quantity]:
        """What the claims and pods of a quota's namespace that are in its scopes count together."""
        namespace = _namespace(quota)
        counted = () if has_scopes(quota.spec) else self.claims
        claims = [claim for claim in counted if _namespace(claim) == namespace]
        pods = (one for one in self.pods if in_scopes(one, quota.spec))
        return added(
            *self._of_claims(claims),
            *(self.of_pod(one) for one in pods if _namespace(one) == namespace),
        )

    def _of_claims(self, claims: Sequence[ResourceClaim]) -> Iterator[Mapping[str, Quantity]]:
        if not claims or not self.columns.applies(len(claims), WORTHWHILE):
            yield from map(self.of_claim, claims)
            return
        from dra_conform.quota.usage_columns import (  # noqa: PLC0415 -- few claims never import polars
            usage_by_columns,
        )

        charged = map(self._charged_for, claims)
        usage = usage_by_columns(claims, self._resources, charged, adjusted=self.rules.adjusted)
        yield {name: Quantity.whole(count) for name, count in usage.items()}

    def _charged_for(self, claim: ResourceClaim) -> Mapping[str, int]:
        pod = pod_of_special_claim(
            claim, self._pods_by_key, self.claims, first_only=self.rules.first_claim_only
        )
        return {name: amount.value() for name, amount in self.of_pod(pod).items()} if pod else NOTHING

    @cached_property
    def _resources(self) -> Mapping[str, str]:
        return {one.metadata.name: one.spec.extended_resource_name or "" for one in self.classes}

    @cached_property
    def _pods_by_key(self) -> Mapping[str, Pod]:
        return {f"{_namespace(one)}/{one.metadata.name}": one for one in self.pods}


def _namespace(one: ResourceClaim | Pod | ResourceQuota) -> str:
    return one.metadata.namespace or "default"

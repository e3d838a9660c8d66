"""The quota usage of the objects of a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dra_conform.footprint.amounts import added
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Pod, ResourceQuota
from dra_conform.kube.extended_resources import EXTENDED_RESOURCE_CLAIM
from dra_conform.kube.meta import ObjectMeta, OwnerReference
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceClass, ResourceClaim
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota.object_usage import NO_CHARGES, claim_usage, namespace_of, pod_usage
from dra_conform.quota.scopes import has_scopes, in_scopes


def pod_of_extended_resource_claim(
    claim: ResourceClaim, pods: Mapping[str, Pod], claims: Iterable[ResourceClaim], *, first_only: bool
) -> Pod | None:
    """Return the pod of an extended-resource claim, None for other claims.

    `pods` are all pods by `namespace/name`. If the status of the pod names no claim, `first_only` accepts
    only its oldest extended-resource claim, at equal age the first by name.
    """
    owner = owner_pod(claim)
    pod = pods.get(f"{claim.metadata.namespace or 'default'}/{owner.name}") if owner else None
    if pod is None or owner is None or pod.metadata.uid != owner.uid:
        return None
    status = pod.status.extended_resource_claim_status if pod.status else None
    if status is not None:
        return pod if status.resource_claim_name == claim.metadata.name else None
    siblings = (
        other
        for other in claims
        if other.metadata.namespace == claim.metadata.namespace
        and (owner_pod(other) or OwnerReference()).uid == owner.uid
    )
    return None if first_only and any(_age(sibling) < _age(claim) for sibling in siblings) else pod


def owner_pod(claim: ResourceClaim) -> OwnerReference | None:
    """Return the owner reference of an extended-resource claim to its pod.

    The value of the annotation is `true`, or the name of the pod as in the KEP.
    """
    for owner in claim.metadata.owner_references:
        if owner.kind == "Pod" and owner.api_version == "v1" and owner.controller:
            annotation = claim.metadata.annotations.get(EXTENDED_RESOURCE_CLAIM)
            return owner if annotation in ("true", owner.name) else None
    return None


def _age(claim: ResourceClaim) -> tuple[str, str]:
    return claim.metadata.creation_timestamp or "", claim.metadata.name


WORTHWHILE = 2048
"""The number of ResourceClaims from which columns are faster."""


@dataclass(frozen=True)
class UsageCounter:
    """Counts the quota usage of claims and pods of a cluster."""

    classes: tuple[DeviceClass, ...]
    claims: tuple[ResourceClaim, ...]
    pods: tuple[Pod, ...]
    switches: QuotaSwitches
    columns: ColumnUse = ColumnUse.BY_SIZE

    def of_claim(self, claim: ResourceClaim) -> dict[str, Quantity]:
        """Return the usage of an existing or new claim."""
        usage = claim_usage(
            claim, self._resources, adjusted=self.switches.adjusted, charged=self._charged_for(claim)
        )
        return {name: Quantity.whole(count) for name, count in usage.items()}

    def of_pod(self, pod: Pod) -> dict[str, Quantity]:
        """Return the usage of an existing or new pod."""
        return pod_usage(pod, self.switches)

    def of_namespace(self, namespace: str) -> dict[str, Quantity]:
        """Return the total usage of a namespace (KEP-5004/quota/per-namespace)."""
        return self.of_quota(ResourceQuota(metadata=ObjectMeta(namespace=namespace)))

    def of_quota(self, quota: ResourceQuota) -> dict[str, Quantity]:
        """Return the total usage of the claims and pods in a quota's namespace and scopes."""
        namespace = namespace_of(quota)
        counted = () if has_scopes(quota.spec) else self.claims
        claims = [claim for claim in counted if namespace_of(claim) == namespace]
        pods = (pod for pod in self.pods if in_scopes(pod, quota.spec))
        return added(
            *self._of_claims(claims),
            *(self.of_pod(pod) for pod in pods if namespace_of(pod) == namespace),
        )

    def _of_claims(self, claims: Sequence[ResourceClaim]) -> Iterator[Mapping[str, Quantity]]:
        if not claims or not self.columns.applies(len(claims), WORTHWHILE):
            yield from map(self.of_claim, claims)
            return
        from dra_conform.quota.usage_columns import (  # noqa: PLC0415 -- few claims never import polars
            usage_by_columns,
        )

        charged = map(self._charged_for, claims)
        usage = usage_by_columns(claims, self._resources, charged, adjusted=self.switches.adjusted)
        yield {name: Quantity.whole(count) for name, count in usage.items()}

    def _charged_for(self, claim: ResourceClaim) -> Mapping[str, int]:
        pod = pod_of_extended_resource_claim(
            claim, self._pods_by_key, self.claims, first_only=self.switches.first_claim_only
        )
        return {name: quantity.value() for name, quantity in self.of_pod(pod).items()} if pod else NO_CHARGES

    @cached_property
    def _resources(self) -> Mapping[str, str]:
        return {
            device_class.metadata.name: device_class.spec.extended_resource_name or ""
            for device_class in self.classes
        }

    @cached_property
    def _pods_by_key(self) -> Mapping[str, Pod]:
        return {f"{namespace_of(pod)}/{pod.metadata.name}": pod for pod in self.pods}

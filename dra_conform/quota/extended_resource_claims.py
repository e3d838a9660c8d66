"""The pod of an extended-resource claim, whose usage counts once (KEP-5004/quota/no-double-count)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dra_conform.kube.core import Pod
from dra_conform.kube.extended_resources import EXTENDED_RESOURCE_CLAIM
from dra_conform.kube.meta import OwnerReference
from dra_conform.kube.resource import ResourceClaim


def pod_of_extended_resource_claim(
    claim: ResourceClaim, pods: Mapping[str, Pod], claims: Iterable[ResourceClaim], *, first_only: bool
) -> Pod | None:
    """Return the pod of an extended-resource claim, None for other claims.

    `pods` are all pods by `namespace/name`. If the status of the pod names no claim, `first_only` accepts
    only its oldest extended-resource claim, at equal age the first by name.
    """
    owner = _owner_pod(claim)
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
        and (_owner_pod(other) or OwnerReference()).uid == owner.uid
    )
    return None if first_only and any(_age(sibling) < _age(claim) for sibling in siblings) else pod


def _owner_pod(claim: ResourceClaim) -> OwnerReference | None:
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

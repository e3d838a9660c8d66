"""The part of an extended-resource claim that its pod counts already (KEP-5004/quota/no-double-count)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dra_conform.kube.core import Pod
from dra_conform.kube.extended_resources import SPECIAL_CLAIM
from dra_conform.kube.meta import OwnerReference
from dra_conform.kube.resource import ResourceClaim


def pod_of_special_claim(
    claim: ResourceClaim, pods: Mapping[str, Pod], claims: Iterable[ResourceClaim], *, first_only: bool
) -> Pod | None:
    """The pod that a claim is the special claim of, None where there is none.

    `pods` goes by `namespace/name`. As long as the pod does not name its claim, with `first_only` that is the
    oldest of its special claims, and of several the first by name.
    """
    owner = _special_owner(claim)
    pod = pods.get(f"{claim.metadata.namespace or 'default'}/{owner.name}") if owner else None
    if pod is None or owner is None or pod.metadata.uid != owner.uid:
        return None
    status = pod.status.extended_resource_claim_status if pod.status else None
    if status is not None:
        return pod if status.resource_claim_name == claim.metadata.name else None
    siblings = (
        one
        for one in claims
        if one.metadata.namespace == claim.metadata.namespace
        and (_special_owner(one) or OwnerReference()).uid == owner.uid
    )
    return None if first_only and any(_age(one) < _age(claim) for one in siblings) else pod


def _special_owner(claim: ResourceClaim) -> OwnerReference | None:
    """The pod that controls a special claim; the annotation says `true`, or as in the document its name."""
    for owner in claim.metadata.owner_references:
        if owner.kind == "Pod" and owner.api_version == "v1" and owner.controller:
            said = claim.metadata.annotations.get(SPECIAL_CLAIM)
            return owner if said in ("true", owner.name) else None
    return None


def _age(claim: ResourceClaim) -> tuple[str, str]:
    return claim.metadata.creation_timestamp or "", claim.metadata.name

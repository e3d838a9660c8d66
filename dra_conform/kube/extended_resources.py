"""The names of extended resources and of the claims created for them (KEP-5004)."""

from __future__ import annotations

from dra_conform.kube.json_values import Json

CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"
"""Prefix of the implicit extended resource of a DeviceClass; the name of the DeviceClass follows."""

EXTENDED_RESOURCE_CLAIM = "resource.kubernetes.io/extended-resource-claim"
"""The annotation of an extended-resource claim, which is created for the extended resources of a pod."""


def is_extended(resource: str) -> bool:
    """Whether a resource is an extended resource, such as `example.com/gpu`, unlike `cpu`."""
    return "/" in resource


def has_request_quota(resource: str) -> bool:
    """Whether quotas count requests of an extended resource: its name has a domain outside of kubernetes.io,
    or is the implicit name of a DeviceClass."""
    if resource.startswith(CLASS_PREFIX):
        return True
    domain, _, name = resource.partition("/")
    native = domain.endswith("kubernetes.io") or domain.startswith("requests.")
    return bool(domain and name) and "/" not in name and not native


def is_extended_resource_claim(claim: Json) -> bool:
    """Whether a ResourceClaim is an extended-resource claim.

    The value of its annotation is `true`, or, as in the KEP, the name of the pod that owns the claim.
    """
    metadata = claim.get("metadata") or {}
    value = (metadata.get("annotations") or {}).get(EXTENDED_RESOURCE_CLAIM)
    owners = metadata.get("ownerReferences") or ()
    pods = [owner.get("name") for owner in owners if owner.get("kind") == "Pod"]
    return value == "true" or (bool(value) and value in pods)

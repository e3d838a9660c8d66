"""The names of extended resources and of the claims created for them (KEP-5004)."""

from __future__ import annotations

from typing import Any

Json = Any

CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"
"""With the name of a device class behind it: the class's implicit name as an extended resource."""

SPECIAL_CLAIM = "resource.kubernetes.io/extended-resource-claim"
"""The annotation of a claim that was made for the extended resources of a pod."""


def is_extended(resource: str) -> bool:
    """Whether a resource is one that nodes do not have by themselves."""
    return "/" in resource


def is_special(claim: Json) -> bool:
    """Whether a claim was made for the extended resources of a pod: the annotation says so, in the words of
    the document with the name of the pod."""
    metadata = claim.get("metadata") or {}
    value = (metadata.get("annotations") or {}).get(SPECIAL_CLAIM)
    pods = [one.get("name") for one in metadata.get("ownerReferences") or () if one.get("kind") == "Pod"]
    return value == "true" or (bool(value) and value in pods)

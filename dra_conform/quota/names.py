"""The names of quotas."""

from __future__ import annotations

from dra_conform.kube.extended_resources import CLASS_PREFIX, is_extended

CLAIMS = "count/resourceclaims.resource.k8s.io"
"""Counts claims."""
PODS = "pods"
"""Counts pods that are not finished."""
DEVICES = ".deviceclass.resource.k8s.io/devices"
"""What follows the name of a class in the quota of its devices."""
_REQUESTS = "requests."
_OF_NODES = ("cpu", "memory", "ephemeral-storage")


def devices_of(device_class: str) -> str:
    """The quota of the devices of a class, in claims."""
    return device_class + DEVICES


def requested(resource: str) -> str:
    """The quota of a resource that pods request (KEP-5004/quota/key-prefix)."""
    return _REQUESTS + resource


def implicit(device_class: str) -> str:
    """The quota of a class under its implicit name as an extended resource."""
    return requested(CLASS_PREFIX + device_class)


def is_of_nodes(resource: str) -> bool:
    """Whether a resource is one that nodes have by themselves; its quotas are its name and `requests.` it."""
    return resource in _OF_NODES or resource.startswith("hugepages-")


def is_counted(quota: str) -> bool:
    """Whether a quota is about claims, devices, pods, or what pods request."""
    resource = quota.removeprefix(_REQUESTS)
    extended = quota.startswith(_REQUESTS) and is_extended(resource)
    return quota in (CLAIMS, PODS) or quota.endswith(DEVICES) or extended or is_of_nodes(resource)

"""The names of quotas."""

from __future__ import annotations

from dra_conform.kube.extended_resources import CLASS_PREFIX, is_extended

CLAIMS = "count/resourceclaims.resource.k8s.io"
"""Counts claims."""
PODS = "pods"
"""Counts pods that are not finished."""
ALL_PODS = "count/pods"
"""Counts pods, finished or not."""
DEVICES = ".deviceclass.resource.k8s.io/devices"
"""What follows the name of a class in the quota of its devices."""
_REQUESTS = "requests."
_LIMITS = "limits."
_OF_NODES = ("cpu", "memory", "ephemeral-storage")


def devices_of(device_class: str) -> str:
    """The quota of the devices of a class, in claims."""
    return device_class + DEVICES


def requested(resource: str) -> str:
    """The quota of a resource that pods request (KEP-5004/quota/key-prefix)."""
    return _REQUESTS + resource


def limited(resource: str) -> str:
    """The quota of what pods are limited to of a resource that nodes have by themselves."""
    return _LIMITS + resource


def implicit(device_class: str) -> str:
    """The quota of a class under its implicit name as an extended resource."""
    return requested(CLASS_PREFIX + device_class)


def is_of_nodes(resource: str) -> bool:
    """Whether a resource is one that nodes have by themselves; its quotas are its name and `requests.` it."""
    return resource in _OF_NODES or resource.startswith("hugepages-")


def has_limits(resource: str) -> bool:
    """Whether quotas count the limits of a resource; of huge pages they are what is requested."""
    return resource in _OF_NODES


def is_counted(quota: str) -> bool:
    """Whether a quota is about claims, devices, pods, or what pods request or are limited to."""
    resource = quota.removeprefix(_REQUESTS)
    extended = quota.startswith(_REQUESTS) and is_extended(resource)
    by_kind = quota in (CLAIMS, PODS, ALL_PODS) or quota.endswith(DEVICES)
    limits = quota.startswith(_LIMITS) and has_limits(quota.removeprefix(_LIMITS))
    return by_kind or extended or limits or is_of_nodes(resource)

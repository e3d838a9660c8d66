"""The quota names of claims, devices, pods and resources."""

from __future__ import annotations

from dra_conform.kube.extended_resources import CLASS_PREFIX, is_extended

CLAIMS = "count/resourceclaims.resource.k8s.io"
"""The quota name for the number of ResourceClaims."""
PODS = "pods"
"""The quota name for the number of unfinished pods."""
ALL_PODS = "count/pods"
"""The quota name for the number of pods, including finished ones."""
DEVICES = ".deviceclass.resource.k8s.io/devices"
"""The suffix after a DeviceClass name in the quota of its devices."""
_REQUESTS = "requests."
_LIMITS = "limits."
_NODE_RESOURCES = ("cpu", "memory", "ephemeral-storage")


def devices_of(device_class: str) -> str:
    """Return the quota name for devices of a DeviceClass in claims."""
    return device_class + DEVICES


def requested(resource: str) -> str:
    """Return the quota name for requests of a resource (KEP-5004/quota/key-prefix)."""
    return _REQUESTS + resource


def limited(resource: str) -> str:
    """Return the quota name for limits of a resource."""
    return _LIMITS + resource


def implicit(device_class: str) -> str:
    """Return the quota name for the implicit extended resource of a DeviceClass."""
    return requested(CLASS_PREFIX + device_class)


def is_of_nodes(resource: str) -> bool:
    """Whether a resource is a native node resource, whose quota names are `NAME` and `requests.NAME`."""
    return resource in _NODE_RESOURCES or resource.startswith("hugepages-")


def has_limits(resource: str) -> bool:
    """Whether there is a quota for the limits of a resource, which huge pages do not have."""
    return resource in _NODE_RESOURCES


def is_counted(quota: str, *, implicit: bool = True) -> bool:
    """Whether the usage of a quota name is counted; `implicit`: also that of implicit extended resources."""
    resource = quota.removeprefix(_REQUESTS)
    if resource.startswith(CLASS_PREFIX) and not implicit:
        return False
    extended = quota.startswith(_REQUESTS) and is_extended(resource)
    by_kind = quota in (CLAIMS, PODS, ALL_PODS) or quota.endswith(DEVICES)
    limits = quota.startswith(_LIMITS) and has_limits(quota.removeprefix(_LIMITS))
    return by_kind or extended or limits or is_of_nodes(resource)

"""The requests and limits that a ResourceQuota makes mandatory for each container of a pod."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.footprint.pod_footprint import pod_level_only
from dra_conform.kube.core import Pod, ResourceRequirements

_REQUIRED = {
    "cpu": ("requests", "cpu"),
    "memory": ("requests", "memory"),
    "requests.cpu": ("requests", "cpu"),
    "requests.memory": ("requests", "memory"),
    "limits.cpu": ("limits", "cpu"),
    "limits.memory": ("limits", "memory"),
}
"""The mandatory container field and resource by quota name, which usage of claims does not replace."""


def unspecified_resources(pod: Pod, quotas: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the quota names that containers do not specify, with the names of these containers.

    Nothing is mandatory for the containers of a pod with pod-level requests or limits.
    """
    pod_level = pod.spec.resources
    if pod_level is not None and pod_level_only({**pod_level.requests, **pod_level.limits}):
        return {}
    containers = (*pod.spec.containers, *pod.spec.init_containers)
    missing = {
        quota: tuple(
            sorted(container.name for container in containers if not _specifies(container.resources, quota))
        )
        for quota in sorted(_REQUIRED.keys() & set(quotas))
    }
    return {quota: names for quota, names in missing.items() if names}


def _specifies(resources: ResourceRequirements, quota: str) -> bool:
    field, resource = _REQUIRED[quota]
    return resource in (resources.requests if field == "requests" else resources.limits)

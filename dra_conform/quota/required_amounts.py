"""The requests that a quota makes mandatory for each container of a pod."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.footprint.pod_footprint import of_pods
from dra_conform.kube.core import Pod, ResourceRequirements

_REQUIRED = {
    "cpu": ("requests", "cpu"),
    "memory": ("requests", "memory"),
    "requests.cpu": ("requests", "cpu"),
    "requests.memory": ("requests", "memory"),
    "limits.cpu": ("limits", "cpu"),
    "limits.memory": ("limits", "memory"),
}
"""By quota name, and what claims take of a node does not do instead."""


def unnamed_amounts(pod: Pod, quotas: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The names of quotas of which containers name no amount, with those containers.

    A pod that requests or is limited to something as a whole need not name anything in its containers.
    """
    whole = pod.spec.resources
    if whole is not None and of_pods({**whole.requests, **whole.limits}):
        return {}
    containers = (*pod.spec.containers, *pod.spec.init_containers)
    missing = {
        quota: tuple(sorted(one.name for one in containers if not _names(one.resources, quota)))
        for quota in sorted(_REQUIRED.keys() & set(quotas))
    }
    return {quota: names for quota, names in missing.items() if names}


def _names(resources: ResourceRequirements, quota: str) -> bool:
    field, resource = _REQUIRED[quota]
    return resource in (resources.requests if field == "requests" else resources.limits)

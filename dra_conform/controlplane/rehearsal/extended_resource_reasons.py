"""Why no DeviceClass backs an extended resource of a pod that stays Pending."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dra_conform.controlplane.simulation.extended_resources.backing_classes import provided_by_node
from dra_conform.controlplane.simulation.scheduling.scheduler import Attempt
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.listing import listed
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches

Json = Any
_GATE = "DRAExtendedResource"


def extended_resource_reasons(
    pod: Pod, attempt: Attempt, backing: Mapping[str, str], nodes: Iterable[Json], profile: Profile
) -> Iterator[str]:
    """Yield a line for each extended resource that no DeviceClass backs, or that nodes provide themselves.

    `attempt` failed because nodes have too little of the resource. `backing` has the DeviceClass by resource.
    """
    switches = ExtendedResourceSwitches.of(profile)
    typed: list[Node] | None = None
    failures = {part for phase in attempt.phases for part in phase.reason.split(", ")}
    missing = (resource for resource in _requested(pod) if f"Insufficient {resource}" in failures)
    for resource in sorted(missing):
        if resource not in backing:
            yield f"no DeviceClass backs {resource}: {_why_unbacked(resource, profile)}"
            continue
        typed = [decode(node) for node in nodes] if typed is None else typed
        providing = [node.metadata.name for node in typed if provided_by_node(resource, node, switches)]
        if providing:
            yield (
                f"{listed(providing)}: status.allocatable has {resource} of a device plugin, "
                f"so DeviceClass {backing[resource]} does not back it there"
            )


def _requested(pod: Pod) -> set[str]:
    """Return the names of the extended resources that containers of the pod request."""
    containers = (*pod.spec.init_containers, *pod.spec.containers)
    return {name for container in containers for name in container.resources.requests if "/" in name}


def _why_unbacked(resource: str, profile: Profile) -> str:
    if not profile.enabled(_GATE):
        if not profile.has(_GATE):
            return f"{profile.name} does not have the feature gate {_GATE}"
        return f"the feature gate {_GATE} is off in {profile.name}"
    if resource.startswith(CLASS_PREFIX):
        name = resource.removeprefix(CLASS_PREFIX)
        if not ExtendedResourceSwitches.of(profile).implicit_names:
            return f"{profile.name} has no implicit resource names of DeviceClasses"
        return f"DeviceClass {name} does not exist"
    return f"none has spec.extendedResourceName {resource}"

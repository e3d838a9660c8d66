"""The reasons for outcomes of pods: evictions, and extended resources that no DeviceClass backs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta

from dra_conform.allocator.device_taints import tolerates
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import listed
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import KEP, Profile
from dra_conform.kube.resource import DeviceTaint, DeviceToleration, ResourceClaim
from dra_conform.kube.switches.allocation import AllocationSwitches, TaintSwitches
from dra_conform.kube.switches.controllers import ControllerSwitches
from dra_conform.kube.switches.declarations import DECLARATION, Declaration, Switches
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.simulation.controllers.device_taint_eviction import EvictingTaint, Eviction
from dra_conform.simulation.extended_resources.backing_classes import provided_by_node
from dra_conform.simulation.parts import Objects
from dra_conform.simulation.scheduling.scheduler import SchedulingAttempt
from dra_conform.simulation.shared_state import START, time_of
from dra_conform.simulation.tainted_devices import taint_sources


def eviction_reasons(eviction: Eviction, objects: Objects, profile: Profile, now: datetime) -> Iterator[str]:
    """Yield a line for each device and taint that evicted a pod, then its tolerations, indented by two.

    A line says so if the toleration would apply by the specification, so that the profile deviates from it.
    `now` is the time of the eviction or later.
    """
    for evicting in eviction.taints:
        result, metadata = evicting.result, evicting.claim["metadata"]
        device = result.driver, result.pool, result.device
        sources = list(taint_sources(device, evicting.taint, objects, profile))
        tainted_by = f" of {' and '.join(sources)}" if sources else ""
        yield (
            f"claim {metadata['namespace']}/{metadata['name']}, request {result.request}, "
            f"device {'/'.join(device)}: taint {evicting.taint.text}{tainted_by} evicts the pod"
        )
        yield from (f"  {line}" for line in _tolerations(evicting, profile, now))


def _tolerations(evicting: EvictingTaint, profile: Profile, now: datetime) -> Iterator[str]:
    """Yield why each toleration of the allocation result does not apply."""
    result, taint = evicting.result, evicting.taint
    for toleration in result.tolerations:
        mismatch = toleration_mismatch(toleration, taint, profile)
        yield f"toleration {_toleration(toleration)}: {mismatch or _expiry(toleration, taint, now)}"
        if mismatch and _holds_by_specification(toleration, taint, now):
            yield from (f"  {line}" for line in _deviations(toleration, taint, profile))
    if result.tolerations:
        return
    requested = _requested_tolerations(evicting.claim, result.request)
    if not requested:
        yield "no toleration"
    elif not AllocationSwitches.of(profile).taints.tolerations_recorded:
        yield f"{profile.name} does not record the tolerations of the request in the allocation"
        if any(_holds_by_specification(toleration, taint, now) for toleration in requested):
            yield f"  {_deviation(profile, TaintSwitches, 'tolerations_recorded')}"
    else:
        yield "the allocation has no toleration, although the request has one"


def toleration_mismatch(toleration: DeviceToleration, taint: DeviceTaint, profile: Profile) -> str:
    """Return why a toleration does not delay an eviction by this taint at all, empty if it does."""
    if toleration.effect and toleration.effect != taint.effect:
        return f"its effect is {toleration.effect}, not {taint.effect}"
    if not toleration.effect and not ControllerSwitches.of(profile).any_effect_tolerates_eviction:
        return f"it has no effect, and {profile.name} only considers tolerations with the effect NoExecute"
    if toleration.key and toleration.key != taint.key:
        return f"its key is {toleration.key}, not {taint.key}"
    if tolerates(toleration, taint, AllocationSwitches.of(profile).taints):
        return ""
    if toleration.operator not in ("", "Equal"):
        return f"its operator is {toleration.operator}, expected Equal or Exists"
    if not toleration.value:
        return f'its value is empty, not "{taint.value}"; operator Exists tolerates every value'
    return f'its value is "{toleration.value}", not "{taint.value}"'


def _expiry(toleration: DeviceToleration, taint: DeviceTaint, now: datetime) -> str:
    since = f"the taint was added at {_added(taint):%Y-%m-%dT%H:%M:%SZ}"
    if _expired(toleration, taint, now):
        return f"expired, {since}"
    return f"not expired, but the shortest tolerationSeconds of the matching tolerations decides; {since}"


def _holds_by_specification(toleration: DeviceToleration, taint: DeviceTaint, now: datetime) -> bool:
    mismatch = toleration_mismatch(toleration, taint, Profile.named(KEP))
    return not mismatch and not _expired(toleration, taint, now)


def _expired(toleration: DeviceToleration, taint: DeviceTaint, now: datetime) -> bool:
    seconds = toleration.toleration_seconds
    return seconds is not None and _added(taint) + timedelta(seconds=max(0, seconds)) <= now


def _added(taint: DeviceTaint) -> datetime:
    return time_of(taint.time_added) if taint.time_added else START


def _deviations(toleration: DeviceToleration, taint: DeviceTaint, profile: Profile) -> Iterator[str]:
    if not toleration.effect and not ControllerSwitches.of(profile).any_effect_tolerates_eviction:
        yield _deviation(profile, ControllerSwitches, "any_effect_tolerates_eviction")
    if not tolerates(toleration, taint, AllocationSwitches.of(profile).taints):
        yield _deviation(profile, TaintSwitches, "empty_toleration_tolerates_all")


def _deviation(profile: Profile, area: type[Switches], name: str) -> str:
    """Return the line for a deviation, with the requirement that the switch names."""
    [declared] = [field for field in fields(area) if field.name == name]  # type: ignore[arg-type]
    declaration: Declaration = declared.metadata[DECLARATION]
    return (
        f"deviation of {profile.name} from {declaration.source}: by the specification the toleration applies"
    )


def _requested_tolerations(claim: Json, request: str) -> Sequence[DeviceToleration]:
    """Return the tolerations of a request or, for `request/subrequest`, of the subrequest."""
    name, _, subrequest = request.partition("/")
    typed: ResourceClaim = decode(claim)
    for candidate in typed.spec.devices.requests:
        if candidate.name != name:
            continue
        if not subrequest:
            return candidate.exactly.tolerations if candidate.exactly is not None else ()
        for alternative in candidate.first_available:
            if alternative.name == subrequest:
                return alternative.tolerations
    return ()


def _toleration(toleration: DeviceToleration) -> str:
    parts = {
        "key": toleration.key,
        "operator": toleration.operator,
        "value": toleration.value,
        "effect": toleration.effect,
        "tolerationSeconds": toleration.toleration_seconds,
    }
    named = ", ".join(f"{name}: {value}" for name, value in parts.items() if value not in ("", None))
    return f"{{{named}}}"


_GATE = "DRAExtendedResource"


def extended_resource_reasons(
    pod: Pod,
    attempt: SchedulingAttempt,
    backing: Mapping[str, str],
    nodes: Iterable[Json],
    profile: Profile,
) -> Iterator[str]:
    """Yield a line for each extended resource that no DeviceClass backs, or that nodes provide themselves.

    `attempt` failed because nodes have too little of the resource. `backing` has the DeviceClass by resource.
    """
    switches = ExtendedResourceSwitches.of(profile)
    typed: list[Node] | None = None
    failures = {reason for phase in attempt.phases for reason in phase.reasons}
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
        return f"the feature gate {profile.why_off([_GATE])}"
    if resource.startswith(CLASS_PREFIX):
        name = resource.removeprefix(CLASS_PREFIX)
        if not ExtendedResourceSwitches.of(profile).implicit_names:
            return f"{profile.name} has no implicit resource names of DeviceClasses"
        return f"DeviceClass {name} does not exist"
    return f"none has spec.extendedResourceName {resource}"

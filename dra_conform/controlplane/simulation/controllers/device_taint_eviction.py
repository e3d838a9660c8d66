"""Eviction of pods from devices that carry a NoExecute taint (DRA/eviction/*)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from dra_conform.allocator import Behaviour
from dra_conform.allocator.device_taints import tolerates, with_rules
from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.clock import START, Clock, time_of
from dra_conform.controlplane.simulation.events import Events
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import claim_keys, finished, reserved_for
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import (
    DeviceRequestAllocationResult,
    DeviceTaint,
    ResourceClaim,
    ResourceSlice,
)

Json = Any
_Device = tuple[str, str, str]
"""Driver, pool and name."""


def evict_pods(client: Client, events: Events, clock: Clock) -> None:
    """Delete the running pods whose claims hold a tainted device for longer than they tolerate."""
    profile = client.profile
    if not profile.enabled("DRADeviceTaints"):
        return
    taints = _taints(client, profile)
    if not taints:
        return
    for claim in client.all("ResourceClaim"):
        due = _due(decode(claim), taints, profile)
        if due is None or due > clock.now:
            continue
        for pod in client.all("Pod"):
            running = pod["spec"].get("nodeName") and not finished(pod)
            named = any(key == key_in(claim) for _, key in claim_keys(pod))
            if running and named and reserved_for(claim, pod):
                _evict(pod, client, events)


def _evict(pod: Json, client: Client, events: Events) -> None:
    try:
        client.delete(key_in(pod))
    except WriteFailed:
        return  # tried again in the next round
    events.add(pod, "DeviceTaintManagerEviction", "Marking for deletion")


def _taints(client: Client, profile: Profile) -> Mapping[_Device, list[DeviceTaint]]:
    """The NoExecute taints of each device, those of rules among them."""
    behaviour = Behaviour.of(profile)
    behaviour = replace(behaviour, taints=replace(behaviour.taints, rules_need_selector=True))
    slices = _newest([decode(one) for one in client.all("ResourceSlice")])
    rules = [decode(one) for one in client.all("DeviceTaintRule")]
    classes = {one["metadata"]["name"]: decode(one) for one in client.all("DeviceClass")}
    found: dict[_Device, list[DeviceTaint]] = {}
    for one in with_rules(slices, rules, classes, behaviour):
        for device in one.spec.devices:
            taints = [taint for taint in device.taints if taint.effect == "NoExecute"]
            if taints:
                found[one.spec.driver, one.spec.pool.name, device.name] = taints
    return found


def _newest(slices: Sequence[ResourceSlice]) -> list[ResourceSlice]:
    """Those of the highest generation of each pool."""
    generations: dict[tuple[str, str], int] = {}
    for one in slices:
        pool = one.spec.driver, one.spec.pool.name
        generations[pool] = max(generations.get(pool, 0), one.spec.pool.generation)
    return [
        one for one in slices if one.spec.pool.generation == generations[one.spec.driver, one.spec.pool.name]
    ]


def _due(
    claim: ResourceClaim, taints: Mapping[_Device, Sequence[DeviceTaint]], profile: Profile
) -> datetime | None:
    """When the pods that use a claim have to go, None if they need not."""
    results = claim.allocation.devices.results if claim.allocation else ()
    times = [
        time
        for result in results
        for taint in taints.get((result.driver, result.pool, result.device), ())
        for time in _times(result, taint, profile)
    ]
    return min(times, default=None)


def _times(result: DeviceRequestAllocationResult, taint: DeviceTaint, profile: Profile) -> Iterator[datetime]:
    """When a result stops tolerating a taint; nothing if never.

    The releases hold a toleration without an effect to be for scheduling only.
    """
    behaviour = Behaviour.of(profile).taints
    matching = [
        one
        for one in result.tolerations
        if tolerates(one, taint, behaviour) and (profile.release is None or one.effect == taint.effect)
    ]
    seconds = [one.toleration_seconds for one in matching if one.toleration_seconds is not None]
    if len(seconds) == len(matching):
        added = time_of(taint.time_added) if taint.time_added else START
        yield added + timedelta(seconds=max(0, min(seconds, default=0)))

"""Eviction of pods that use devices with a NoExecute taint (DRA/eviction/*)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from dra_conform.allocator.device_taints import tolerates
from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.cluster_state.pods import (
    claim_keys,
    created_for,
    extended_resource_claim_key,
    finished,
    reserved_for,
    with_status,
)
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import (
    DeviceRequestAllocationResult,
    DeviceTaint,
    DeviceTaintRule,
    ResourceClaim,
)
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.controllers import ControllerSwitches
from dra_conform.simulation.client import Changes, Client, WriteFailed
from dra_conform.simulation.shared_state import START, Clock, Events, time_of
from dra_conform.simulation.tainted_devices import (
    PublishedDevice,
    evicting_rules,
    selects_by_name,
    tainted_devices,
)


@dataclass(frozen=True, slots=True)
class EvictingTaint:
    """A NoExecute taint of an allocated device of a pod. The tolerations of `result` do not tolerate it, or
    no longer.

    `claim` is the stored claim at the time of the eviction.
    """

    claim: Json
    result: DeviceRequestAllocationResult
    taint: DeviceTaint


@dataclass(frozen=True, slots=True)
class Eviction:
    """A pod that was evicted, as it was stored before, and every taint that evicted it."""

    pod: Json
    taints: tuple[EvictingTaint, ...]


_EVENT = "DeviceTaintManagerEviction"
_TAINTING = ("ResourceSlice", "DeviceTaintRule", "DeviceClass")


@dataclass(frozen=True, slots=True)
class _Taints:
    """The NoExecute taints of published devices, and the DeviceTaintRules for any device in use."""

    published: Mapping[PublishedDevice, Sequence[DeviceTaint]]
    switches: Sequence[DeviceTaintRule]

    def of(self, device: PublishedDevice) -> Iterator[DeviceTaint]:
        """Yield the taints of a device; a taint may be repeated."""
        yield from self.published.get(device, ())
        yield from (rule.spec.taint for rule in self.switches if selects_by_name(rule, device))


class DeviceTaintEviction:
    """The device taint eviction controller; a restart clears the pods it is waiting to evict."""

    def __init__(self, client: Client, events: Events, clock: Clock) -> None:
        self._client = client
        self._events = events
        self._clock = clock
        self._started = client.started
        self._waiting: set[str] = set()
        """The UIDs of pods that are to be evicted at a later time."""
        self._published = Changes(client)
        self._taints: _Taints | None = None
        """The evicting taints, None after a change of an object that taints devices."""
        self._evictions: list[Eviction] = []

    def take_evictions(self) -> list[Eviction]:
        """Return the evictions since the last call in order."""
        taken, self._evictions = self._evictions, []
        return taken

    def run(self) -> None:
        """Delete the pods on nodes that use a tainted device for longer than they tolerate
        (DRA/eviction/noexecute-deletes-running-pods, DRA/toleration/delays-eviction)."""
        if self._started != self._client.started:
            self._started, self._waiting = self._client.started, set()
        due = self._due_pods()
        for pod in self._client.all("Pod"):
            uid = pod["metadata"]["uid"]
            if uid in due and due[uid] <= self._clock.now:
                self._evict(pod)
            elif uid in due:
                self._waiting.add(uid)
            elif uid in self._waiting:
                self._waiting.remove(uid)
                self._events.add(pod, _EVENT, "Cancelling deletion")

    def _due_pods(self) -> Mapping[str, datetime]:
        """Return the eviction time of each pod by UID, which is the earliest time of its claims."""
        profile = self._client.profile
        taints = self._tainted(profile)
        if not taints.published and not taints.switches:
            return {}
        claims = {key_in(claim): claim for claim in self._client.all("ResourceClaim")}
        due = {key: time for key, claim in claims.items() if (time := _due(decode(claim), taints, profile))}
        times: dict[str, datetime] = {}
        for pod in self._client.all("Pod") if due else ():
            if not pod["spec"].get("nodeName") or finished(pod) or "deletionTimestamp" in pod["metadata"]:
                continue
            used = _used_claims(pod, claims, profile)
            keys = {key for key in used if key in due and reserved_for(claims[key], pod)}
            if keys:
                times[pod["metadata"]["uid"]] = min(due[key] for key in keys)
        return times

    def _tainted(self, profile: Profile) -> _Taints:
        """Return the evicting taints; they are computed again only after an object that taints devices
        changed."""
        if [kind for kind in _TAINTING if self._published.of(kind)]:
            self._taints = None
        if self._taints is None:
            published = {COLLECTIONS[kind]: self._client.all(kind) for kind in _TAINTING}
            switches = evicting_rules(published["deviceTaintRules"], profile)
            self._taints = _Taints(tainted_devices(published, profile, ("NoExecute",)), switches)
        return self._taints

    def _evict(self, pod: Json) -> None:
        """Add the DisruptionTarget condition to a pod, then delete it."""
        eviction = Eviction(pod, tuple(self._evicting(pod)))
        try:
            self._client.update(_disrupted(pod, self._clock.text), "status")
            self._client.delete(key_in(pod))
        except WriteFailed:
            return  # The next round tries again.
        self._waiting.discard(pod["metadata"]["uid"])
        self._events.add(pod, _EVENT, "Marking for deletion")
        self._evictions.append(eviction)

    def _evicting(self, pod: Json) -> Iterator[EvictingTaint]:
        """Yield each taint that the devices of a pod do not tolerate, or no longer."""
        profile = self._client.profile
        taints = self._tainted(profile)
        keys = [*(key for _, key in claim_keys(pod)), extended_resource_claim_key(pod)]
        claims = {key: claim for key in keys if key and (claim := self._client.get(key))}
        for key in _used_claims(pod, claims, profile):
            allocation = decode(claims[key]).allocation if reserved_for(claims[key], pod) else None
            for result in allocation.devices.results if allocation else ():
                device = result.driver, result.pool, result.device
                for taint in dict.fromkeys(taints.of(device)):
                    if any(time <= self._clock.now for time in _times(result, taint, profile)):
                        yield EvictingTaint(claims[key], result, taint)


def _used_claims(pod: Json, claims: Mapping[Key, Json], profile: Profile) -> Iterator[Key]:
    """Yield the keys of the claims whose tainted devices evict a pod.

    A claim for an entry with a template must have been created for the pod.
    """
    for entry, key in claim_keys(pod):
        if key is None or key not in claims:
            continue
        if entry.get("resourceClaimName") or created_for(claims[key], pod):
            yield key
    extended_resource_claim = extended_resource_claim_key(pod)
    if extended_resource_claim is not None and ControllerSwitches.of(profile).extended_resource_claims_evict:
        yield extended_resource_claim


def _disrupted(pod: Json, time: str) -> Json:
    condition = {
        "type": "DisruptionTarget",
        "status": "True",
        "reason": "DeletionByDeviceTaintManager",
        "message": "Device Taint manager: deleting due to NoExecute taint",
        "lastTransitionTime": time,
    }
    conditions = (pod.get("status") or {}).get("conditions") or ()
    others = [existing for existing in conditions if existing["type"] != condition["type"]]
    return with_status(pod, conditions=[*others, condition])


def _due(claim: ResourceClaim, taints: _Taints, profile: Profile) -> datetime | None:
    """Return the time at which the pods that use a claim are evicted, None for never."""
    results = claim.allocation.devices.results if claim.allocation else ()
    times = [
        time
        for result in results
        for taint in taints.of((result.driver, result.pool, result.device))
        for time in _times(result, taint, profile)
    ]
    return min(times, default=None)


def _times(result: DeviceRequestAllocationResult, taint: DeviceTaint, profile: Profile) -> Iterator[datetime]:
    """Yield the times at which a device result stops tolerating a taint; nothing for always."""
    switches = AllocationSwitches.of(profile).taints
    any_effect = ControllerSwitches.of(profile).any_effect_tolerates_eviction
    matching = [
        toleration
        for toleration in result.tolerations
        if tolerates(toleration, taint, switches) and (any_effect or toleration.effect == taint.effect)
    ]
    seconds = [
        toleration.toleration_seconds for toleration in matching if toleration.toleration_seconds is not None
    ]
    if len(seconds) == len(matching):
        added = time_of(taint.time_added) if taint.time_added else START
        yield added + timedelta(seconds=max(0, min(seconds, default=0)))

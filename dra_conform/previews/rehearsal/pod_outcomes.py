"""The outcomes of pods, read from a simulated cluster in a steady state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from dra_conform.allocator.node_view import INVALID_POOLS
from dra_conform.apiserver.decoding import Undecodable
from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.cluster_state.pods import DEFAULT_SCHEDULER, claim_keys, entries
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.previews.rehearsal.outcome_reasons import eviction_reasons, extended_resource_reasons
from dra_conform.simulation.extended_resources.backing_classes import classes_by_resource
from dra_conform.simulation.extended_resources.claim_requests import requests_backed_resource
from dra_conform.simulation.known_fields import known_to
from dra_conform.simulation.parts import Objects
from dra_conform.simulation.running import RunningCluster
from dra_conform.simulation.scheduling.dynamic_resources import CLAIMS_UNALLOCATABLE
from dra_conform.simulation.scheduling.rejections import RejectingNodes, Rejections
from dra_conform.simulation.scheduling.scheduler import SchedulingAttempt
from dra_conform.simulation.scheduling.shortages import is_shortage
from dra_conform.simulation.server import Server, WriteResult
from dra_conform.simulation.shared_state import Event

_EXPLAINED = (CLAIMS_UNALLOCATABLE, INVALID_POOLS)
"""The reasons of the scheduler for which the allocator has more to say."""


class PodState(StrEnum):
    """The final state of a pod in a preview."""

    RUNNING = "running"
    COMPLETED = "completed"
    PENDING = "pending"
    FAILED = "failed"
    GONE = "gone"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class RehearsedPod:
    """A pod in the final state of a preview, with its generated and extended-resource claims.

    `key` is `namespace/name`. `message` says why the pod does not run. `wants_devices`: the pod names claims,
    or requests an extended resource that a DeviceClass backs. `claims_unallocatable`: the claims of the pod
    cannot be allocated on some node; `rejections` has the reasons of nodes if PreviewOptions.explain is set.
    `reasons` has lines about an eviction or about extended resources if it is set; `unexplained` says that
    there would be such lines. `generated` has the generateName of each generated claim by its name, also of
    the claims that evicted the pod.
    """

    key: str
    state: PodState
    node: str = ""
    claims: tuple[Json, ...] = ()
    message: str = ""
    wants_devices: bool = False
    claims_unallocatable: bool = False
    rejections: Sequence[RejectingNodes] = ()
    reasons: Sequence[str] = ()
    unexplained: bool = False
    generated: Mapping[str, str] = field(default_factory=dict)


_CREATION_FAILED = "FailedResourceClaimCreation"
"""The reason of the event for a claim that cannot be created from its template."""


def device_objects(server: Server) -> Objects:
    """Return the stored objects that publish devices and on which the taints of devices depend."""
    kinds = "ResourceSlice", "DeviceTaintRule", "DeviceClass"
    return {COLLECTIONS[kind]: server.all(kind) for kind in kinds}


class PodOutcomes:
    """Reads the outcomes of pods; `explain`: also the reasons why claims cannot be allocated."""

    def __init__(self, cluster: RunningCluster, *, explain: bool) -> None:
        self._cluster = cluster
        self._rejections = Rejections(cluster.scheduler.attempt) if explain else None
        self._attempts: dict[str, SchedulingAttempt] = {}
        self._events: defaultdict[tuple[str, str], list[Event]] = defaultdict(list)
        self._claims: dict[Key, Json] = {}
        self._owned: defaultdict[str, list[Key]] = defaultdict(list)
        self._backed: Mapping[str, str] = {}
        self._evictions: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {}
        """The reasons for the eviction of a pod, and its generated claims, by `namespace/name`."""

    @property
    def _profile(self) -> Profile:
        return self._cluster.server.profile

    def update(self) -> None:
        """Read attempts, events and claims since the last call."""
        server = self._cluster.server
        self._attempts.update((attempt.pod, attempt) for attempt in self._cluster.scheduler.take_attempts())
        for event in self._cluster.events.take():
            if event["kind"] == "Pod":
                self._events[event["namespace"], event["name"]].append(event)
        self._claims = {key_in(claim): claim for claim in server.all("ResourceClaim")}
        self._owned.clear()
        for key, claim in self._claims.items():
            for owner in claim["metadata"].get("ownerReferences") or ():
                self._owned[owner["uid"]].append(key)
        if self._profile.enabled("DRAExtendedResource"):
            implicit = ExtendedResourceSwitches.of(self._profile).implicit_names
            self._backed = classes_by_resource(server.all("DeviceClass"), implicit=implicit)
        tainting = device_objects(server)
        for eviction in self._cluster.eviction.take_evictions():
            lines = eviction_reasons(eviction, tainting, self._profile, self._cluster.clock.now)
            reasons = tuple(lines if self._rejections is not None else ())
            generated = _generated(evicting.claim for evicting in eviction.taints)
            self._evictions[_name(eviction.pod)] = reasons, generated

    def of_created(self, raw: Json, written: WriteResult) -> RehearsedPod:
        """Return the outcome of a pod that was created or rejected."""
        if written["outcome"] == "rejected":
            try:
                wants = self._wants_devices(known_to(raw, self._profile))
            except Undecodable:
                wants = False
            message = written.get("message", "")
            return RehearsedPod(_name(raw), PodState.REJECTED, message=message, wants_devices=wants)
        return self.of(written["object"])

    def of(self, stored: Json) -> RehearsedPod:
        """Return the outcome of a stored pod, which may have been deleted since."""
        pod = self._cluster.server.get(key_in(stored))
        key, wants = _name(stored), self._wants_devices(stored)
        if pod is None:
            reasons, generated = self._evictions.get(key, ((), {}))
            return RehearsedPod(
                key,
                PodState.GONE,
                message=self._why_gone(stored),
                wants_devices=wants,
                reasons=reasons,
                unexplained=self._rejections is None and key in self._evictions,
                generated=generated,
            )
        claims = self._claims_of(pod)
        node = pod["spec"].get("nodeName", "")
        status = pod.get("status") or {}
        match status.get("phase"):
            case "Failed":
                why = status.get("message") or status.get("reason") or ""
                return RehearsedPod(key, PodState.FAILED, node, claims, why, wants)
            case "Running" | "Succeeded" as phase:
                state = PodState.RUNNING if phase == "Running" else PodState.COMPLETED
                return RehearsedPod(
                    key, state, node, claims, wants_devices=wants, generated=_generated(claims)
                )
        unallocatable, short = self._is_rejected_for(pod) if not node else (False, False)
        explained = self._rejections is not None
        rejections = self._rejections.of(pod) if self._rejections and (unallocatable or short) else ()
        missing = self._extended_resource_reasons(pod) if not node else ()
        return RehearsedPod(
            key,
            PodState.PENDING,
            node,
            claims,
            self._why_pending(pod, claims),
            wants,
            unallocatable,
            rejections,
            tuple(missing) if explained else (),
            not explained and (unallocatable or short or any(missing)),
            _generated(claims),
        )

    def _wants_devices(self, pod: Json) -> bool:
        return bool(entries(pod)) or bool(
            self._backed and requests_backed_resource(decode(pod), self._backed)
        )

    def _claims_of(self, pod: Json) -> tuple[Json, ...]:
        """Return the claims of the pod's entries, then other claims that it owns."""
        keys = [key for _, key in claim_keys(pod) if key]
        keys += self._owned.get(pod["metadata"]["uid"], ())
        return tuple(self._claims[key] for key in dict.fromkeys(keys) if key in self._claims)

    def _is_rejected_for(self, pod: Json) -> tuple[bool, bool]:
        """Return whether a node rejected the pod for its claims, and whether one has too little left."""
        attempt = self._attempts.get(_name(pod))
        phases = attempt.phases if attempt is not None else ()
        unallocatable = any(phase.reason in _EXPLAINED for phase in phases)
        reasons = (reason for phase in phases for reason in phase.reasons)
        return unallocatable, any(is_shortage(reason) for reason in reasons)

    def _extended_resource_reasons(self, pod: Json) -> Iterator[str]:
        attempt = self._attempts.get(_name(pod))
        if attempt is None:
            return iter(())
        nodes = self._cluster.server.all("Node")
        return extended_resource_reasons(decode(pod), attempt, self._backed, nodes, self._profile)

    def _why_pending(self, pod: Json, claims: Iterable[Json]) -> str:
        attempt = self._attempts.get(_name(pod))
        message = (attempt.message if attempt else "") or why_not_tried(pod["spec"])
        events = self._events_of(pod)
        if pod["spec"].get("nodeName") and events:
            return f"{events[-1]['reason']}: {events[-1]['message']}".removesuffix(": ")
        failures = [event for event in events if event["reason"] == _CREATION_FAILED]
        if failures and not claims:
            return f"{message} ({_CREATION_FAILED}: {failures[-1]['message']})"
        return message

    def _why_gone(self, pod: Json) -> str:
        events = self._events_of(pod)
        if not events:
            return "was deleted"
        return f"{events[-1]['reason']}: {events[-1]['message']}".removesuffix(": ")

    def _events_of(self, pod: Json) -> Sequence[Event]:
        """Return the events of a pod, the newest last."""
        _, namespace, name = key_in(pod)
        return self._events.get((namespace, name), ())


def why_not_tried(spec: Json) -> str:
    """Return why the scheduler has not tried a pod."""
    if gates := [gate["name"] for gate in spec.get("schedulingGates") or ()]:
        return f"the scheduler waits until these scheduling gates are removed: {', '.join(gates)}"
    if (scheduler := spec.get("schedulerName") or DEFAULT_SCHEDULER) != DEFAULT_SCHEDULER:
        return f"the pod is for another scheduler, {scheduler}"
    if spec.get("nodeName"):
        return "the pod names its node, so the scheduler does not try it"
    return "the scheduler has not tried the pod"


def _generated(claims: Iterable[Json]) -> dict[str, str]:
    """Return the generateName of each generated claim, by its name."""
    all_metadata = [claim["metadata"] for claim in claims]
    return {metadata["name"]: stem for metadata in all_metadata if (stem := metadata.get("generateName"))}


def _name(pod: Json) -> str:
    """Return the `namespace/name` of a pod."""
    return "/".join(key_in(pod)[1:])

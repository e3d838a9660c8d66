"""The states of real clusters, whose components are started, upgraded and observed for an upgrade check."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.cluster_state.pods import claim_keys, status_of
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run import ProposedWrite, Question
from dra_conform.previews.nodes_of_slices import nodes_of_slices
from dra_conform.previews.progress import Progress, no_progress
from dra_conform.previews.rehearsal import (
    PodState,
    Rehearsal,
    RehearsedPod,
    objects_to_apply,
    why_not_tried,
)
from dra_conform.previews.upgrade_check.cluster_states import (
    ClusterStates,
    has_new,
    states_of,
    with_derived_claims,
)
from dra_conform.previews.upgrade_check.findings import UpgradeStep
from dra_conform.previews.upgrade_check.live_scenario import Action, UpgradeScenario, upgrade_scenario
from dra_conform.previews.upgrade_check.release_servers import ReleaseServers
from dra_conform.previews.workload_pods import pods

Observation = Mapping[str, Json]


class ReleaseClusters(Protocol):
    """Control planes of releases, with emulated nodes."""

    def admission(self, questions: Sequence[Question], profile: Profile) -> Sequence[Mapping[str, Json]]:
        """Answer writes as `Admission`, by the API server of the profile's release."""
        ...

    def observe(
        self, objects: Mapping[str, Sequence[Json]], actions: Sequence[Action], profile: Profile
    ) -> Sequence[Observation]:
        """Run actions of the operation `cluster` on a new cluster; return an observation for each action."""
        ...


class LiveUpgrade:
    """Existing objects in a cluster that is upgraded, and new objects in a new cluster of each release."""

    def __init__(
        self,
        loaded: Sequence[LoadedObject],
        profiles: Sequence[Profile],
        seconds: int,
        clusters: ReleaseClusters,
        progress: Progress = no_progress,
    ) -> None:
        """Run all clusters. `seconds` is the time that passes after each step."""
        self._clusters = clusters
        self._profiles = profiles
        self._pods = _first_pods(loaded)
        new = profiles[1:] if has_new(loaded) else ()
        progress("running control planes", 1, 1 + len(new))
        upgraded, self._served = self._run(loaded, profiles, seconds)
        created = [upgraded[0]] if new else []
        for number, profile in enumerate(new, 2):
            progress("running control planes", number, 1 + len(new))
            created.append(self._run(loaded, [profile], seconds)[0][0])
        existing, new_states = ([states_of(each) for each in several] for several in (upgraded, created))
        self.states = ClusterStates(existing, new_states, nodes_by_chance=True)

    @property
    def servers(self) -> ReleaseServers:
        """The API servers of the control planes."""
        return ReleaseServers(self._clusters.admission, self._read_back)

    def _run(
        self, loaded: Sequence[LoadedObject], profiles: Sequence[Profile], seconds: int
    ) -> tuple[list[Rehearsal], list[Mapping[Key, Json]]]:
        """Return the outcomes and the served objects in each release."""
        written = objects_to_apply([with_derived_claims(loaded, profiles[0])])
        scenario = upgrade_scenario(written.added, [*written.objects()], profiles, seconds)
        seen = self._clusters.observe(scenario.objects, scenario.actions, profiles[0])
        served: list[Mapping[Key, Json]] = [_objects(seen[number]) for number in scenario.settled]
        return [_outcomes(scenario, seen, number) for number in range(len(profiles))], served

    def _read_back(self, write: ProposedWrite, step: UpgradeStep) -> tuple[Json, Json] | None:
        key = self._pods.get((write.manifest.file, write.manifest.line)) if write.within else None
        key = key or key_of(write.kind, write.name, write.namespace)
        number = next(n for n, profile in enumerate(self._profiles) if profile is step.before)
        before, after = (served.get(key) for served in self._served[number : number + 2])
        return None if before is None or after is None else (before, after)


def _first_pods(loaded: Sequence[LoadedObject]) -> Mapping[tuple[str, int], Key]:
    """Return the first pod of each workload, by file and line of its manifest."""
    nodes = [item.object for item in loaded if isinstance(item.object, Node)]
    nodes += [decode(raw) for raw in nodes_of_slices(loaded)]
    first: dict[tuple[str, int], Key] = {}
    for pod in pods(loaded, nodes):
        metadata = pod.pod.metadata
        key = key_of("Pod", str(metadata.name), metadata.namespace or "default")
        first.setdefault((pod.origin.manifest.file, pod.origin.manifest.line), key)
    return first


def _objects(observation: Observation) -> dict[Key, Json]:
    return {key_in(raw): raw for items in observation["objects"].values() for raw in items}


def _outcomes(scenario: UpgradeScenario, seen: Sequence[Observation], number: int) -> Rehearsal:
    """Return the outcomes after the step with this number; step 0 is the first release."""
    past = seen[: scenario.settled[number] + 1]
    outcomes = _Outcomes(past)
    found = [outcomes.of(key_in(raw)) for raw in scenario.existing]
    for action, raw in scenario.created:
        written = seen[action]
        if written["outcome"] == "admitted":
            found.append(outcomes.of(key_in(written["object"])))
        else:
            key = "/".join(key_in(raw)[1:])
            found.append(RehearsedPod(key, PodState.REJECTED, message=written.get("message", "")))
    objects = outcomes.objects
    placeholders = set(scenario.unused.values())
    stored = [raw for key, raw in objects.items() if key[0] in ("Pod", "ResourceClaim")]
    return Rehearsal(
        pods=tuple(found),
        unused_claims=tuple(outcomes.of_claim(*item) for item in scenario.unused.items()),
        objects=tuple(raw for raw in stored if key_in(raw) not in placeholders),
        device_objects={},
        added_nodes=(),
        rejected=(),
        quotas=tuple(raw for raw in objects.values() if raw["kind"] == "ResourceQuota"),
    )


_PREEMPTION = re.compile(r"(?: still not schedulable,)? preemption: .*", re.DOTALL)
"""What kube-scheduler adds to the message of an attempt if it tried preemption."""

_OF_SCHEDULER = ("Scheduled", "FailedScheduling")
"""The events that do not say why a pod is gone."""


class _Outcomes:
    """Outcomes of pods and claims after some observations, the last of which is a steady state."""

    def __init__(self, seen: Sequence[Observation]) -> None:
        self.objects = _objects(seen[-1])
        self._attempts: dict[str, str] = {}
        self._events: dict[str, str] = {}
        for observation in seen:
            for attempt in observation.get("attempts") or ():
                self._attempts[attempt["pod"]] = _PREEMPTION.sub("", attempt.get("message", ""))
            for event in observation.get("events") or ():
                if event["kind"] == "Pod" and event["reason"] not in _OF_SCHEDULER:
                    message = f"{event['reason']}: {event['message']}".removesuffix(": ")
                    self._events[f"{event['namespace']}/{event['name']}"] = message

    def of(self, key: Key) -> RehearsedPod:
        """Return the outcome of a stored pod, which may have been deleted since."""
        pod, name = self.objects.get(key), "/".join(key[1:])
        if pod is None:
            return RehearsedPod(name, PodState.GONE, message=self._events.get(name, "was deleted"))
        status, node, claims = status_of(pod), pod["spec"].get("nodeName", ""), self._claims_of(pod)
        match status.get("phase"):
            case "Failed":
                return RehearsedPod(name, PodState.FAILED, node, claims, status.get("message", ""))
            case "Running":
                return RehearsedPod(name, PodState.RUNNING, node, claims)
            case "Succeeded":
                return RehearsedPod(name, PodState.COMPLETED, node, claims)
        message = self._attempts.get(name) or why_not_tried(pod["spec"])
        return RehearsedPod(name, PodState.PENDING, node, claims, message)

    def of_claim(self, key: Key, placeholder: Key | None) -> RehearsedPod:
        """Return the outcome of a claim that only a placeholder uses, None for none."""
        claim, name = self.objects.get(key), "/".join(key[1:])
        claims = () if claim is None else (claim,)
        message = self.of(placeholder).message if placeholder else ""
        return RehearsedPod(name, PodState.RUNNING, claims=claims, message=message)

    def _claims_of(self, pod: Json) -> tuple[Json, ...]:
        """Return the claims of the pod's entries, then other claims that it owns."""
        uid = pod["metadata"]["uid"]
        keys = [key for _, key in claim_keys(pod) if key]
        keys += [
            key
            for key, raw in self.objects.items()
            if any(owner["uid"] == uid for owner in raw["metadata"].get("ownerReferences") or ())
        ]
        return tuple(self.objects[key] for key in dict.fromkeys(keys) if key in self.objects)

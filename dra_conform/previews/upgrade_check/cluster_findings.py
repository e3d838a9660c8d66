"""What a cluster allocates, counts and evicts differently after a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import owner_of, status_of
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import CheckedJson
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.profile import Profile
from dra_conform.kube.yaml import Path, written
from dra_conform.previews.dry_run import stored_in
from dra_conform.previews.dry_run.written_fields import field_changes, value_at
from dra_conform.previews.pod_groups import PodGroups
from dra_conform.previews.progress import Progress, no_progress
from dra_conform.previews.rehearsal import (
    PodState,
    PreviewOptions,
    Rehearsal,
    RehearsedPod,
    rehearse,
    rehearse_upgrades,
)
from dra_conform.previews.template_claims import claims_of_bare_templates
from dra_conform.previews.upgrade_check.findings import (
    Aspect,
    DifferenceCause,
    Scope,
    StateByChange,
    UpgradeFinding,
    UpgradeSeverity,
    UpgradeStep,
    shown,
)
from dra_conform.previews.workload_pods import pods
from dra_conform.simulation.controllers.claim_generation import POD_CLAIM_NAME

POD, CLAIM, QUOTA, POD_CLAIM = "Pod", "ResourceClaim", "ResourceQuota", "ResourceClaim of Pod"

ALLOCATED = "allocated"
"""The state of a claim that is allocated, although no pod uses it."""

Subject = tuple[str, str]
"""The kind and the name (`namespace/name`) of an object; a generated claim has the name of its pod and of the
entry there, since generated names are random."""

States = Mapping[Subject, CheckedJson]
"""The compared fields of each object."""

_RANDOM = frozenset(
    {"allocationTimestamp", "lastTransitionTime", "resourceClaimName", "shareID", "timeAdded"}
)
"""The fields with random values or times."""


def states_of(rehearsal: Rehearsal) -> dict[Subject, CheckedJson]:
    """Return the states of all pods, claims and quotas of a preview."""
    return dict(_states(rehearsal))


def _states(rehearsal: Rehearsal) -> Iterator[tuple[Subject, CheckedJson]]:
    stored = {"/".join(key_in(raw)[1:]): raw for raw in rehearsal.objects if raw["kind"] == POD}
    for pod in rehearsal.pods:
        yield (POD, pod.key), _pod(pod, stored.get(pod.key))
        for claim in pod.claims:
            yield _subject(claim), {"status": _compared(status_of(claim).get("allocation"), "allocation")}
    for outcome in rehearsal.unused_claims:
        allocation = next((status_of(claim).get("allocation") for claim in outcome.claims), None)
        state, message = (ALLOCATED, "") if allocation else ("unallocated", outcome.message)
        status = _compared(allocation, "allocation")
        yield (CLAIM, outcome.key), {"state": state, "message": message, "status": status}
    for quota in rehearsal.quotas:
        yield (QUOTA, "/".join(key_in(quota)[1:])), {"status": {"used": status_of(quota).get("used") or {}}}


def _pod(pod: RehearsedPod, stored: CheckedJson) -> CheckedJson:
    status = status_of(stored or {})
    names = ("extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses")
    compared = {name: _without_random(status[name]) for name in names if name in status}
    return {"state": pod.state.value, "node": pod.node, "message": pod.message, "status": compared}


def _subject(claim: CheckedJson) -> Subject:
    metadata = claim["metadata"]
    owner = owner_of(claim)
    if owner is None:
        return CLAIM, "/".join(key_in(claim)[1:])
    entry = (metadata.get("annotations") or {}).get(POD_CLAIM_NAME, "extended resources")
    return POD_CLAIM, f"{metadata['namespace']}/{owner['name']}: {entry}"


def _compared(value: CheckedJson, name: str) -> CheckedJson:
    return {} if value is None else {name: _without_random(value)}


def _without_random(value: CheckedJson) -> CheckedJson:
    if isinstance(value, Mapping):
        return {name: _without_random(item) for name, item in value.items() if name not in _RANDOM}
    return [_without_random(item) for item in value] if isinstance(value, list | tuple) else value


Change = tuple[Path, CheckedJson, CheckedJson]
"""The path of a compared field, with its values before and after a step."""

_STATE: Path = ("state",)
_NODE: Path = ("node",)


class ClusterFindings:
    """Compares two kinds of clusters before and after each step.

    In one the objects exist before the step, and were written in the first release. In the other the
    manifests are applied to an empty cluster of each release; it is left out if all objects have a UID, since
    they are then those of a cluster.
    """

    def __init__(
        self,
        loaded: Sequence[LoadedObject],
        profiles: Sequence[Profile],
        seconds: int,
        progress: Progress = no_progress,
    ) -> None:
        self._loaded = loaded
        self._profiles = profiles
        self._question = PreviewOptions(profiles[0], seconds, unused_claims=True)
        self._progress = progress
        self._places = _places(loaded)
        self._has_new = any(not (item.raw.get("metadata") or {}).get("uid") for item in loaded)
        existing = rehearse_upgrades([self._objects(profiles[0])], self._question, profiles[1:], progress)
        self.added_nodes = existing[0].added_nodes
        self._existing = [states_of(rehearsal) for rehearsal in existing]
        self._new = [self._existing[0], *map(self._created_in, profiles[1:])] if self._has_new else []

    def findings(self, step: UpgradeStep, number: int) -> Iterator[UpgradeFinding]:
        """Yield what differs in the step with this number."""
        existing = StateByChange(step, lambda profile: self._upgraded_to(number, profile))
        found = dict(self._changes(Scope.EXISTING, self._existing, number, existing, step))
        if self._has_new:
            created = StateByChange(step, self._created_in)
            for key, finding in self._changes(Scope.NEW, self._new, number, created, step):
                if key in found and found[key].after == finding.after:
                    found[key] = replace(found[key], scope=Scope.ALL)
                else:
                    found[*key, Scope.NEW] = finding
        yield from found.values()

    def _changes(
        self,
        scope: Scope,
        states: Sequence[States],
        number: int,
        by_change: StateByChange[States],
        step: UpgradeStep,
    ) -> Iterator[tuple[tuple[Any, ...], UpgradeFinding]]:
        before, after = states[number : number + 2]
        for subject in before:
            if subject not in after:
                continue
            for path, old, new in _differences(before[subject], after[subject]):
                cause = by_change.cause(partial(_has_value, subject, path, new))
                finding = self._finding(step, scope, subject, (path, old, new), after[subject], cause)
                yield (subject, path), finding

    def _finding(
        self,
        step: UpgradeStep,
        scope: Scope,
        subject: Subject,
        change: Change,
        state: CheckedJson,
        cause: DifferenceCause | None,
    ) -> UpgradeFinding:
        path, old, new = change
        kind, name = subject
        place = self._places.get((kind, name)) or self._places.get((POD, name.partition(":")[0]))
        severity, aspect = UpgradeSeverity.CHANGE, Aspect.ALLOCATED
        before, after = shown(old), shown(new)
        if kind == QUOTA:
            aspect = Aspect.COUNTED
        elif path == _STATE:
            severity = UpgradeSeverity.ERROR if old in (PodState.RUNNING, ALLOCATED) else UpgradeSeverity.NOTE
            if new == PodState.GONE and scope is Scope.EXISTING:
                aspect = Aspect.EVICTED
            before, after = old, ": ".join(filter(None, (new, state["message"])))
        shown_path = "status.phase" if path == _STATE and kind == POD else _shown_path(path, kind)
        file, line = (place.file, place.line) if place is not None else ("", None)
        causes = () if cause is None else (cause,)
        return UpgradeFinding(
            step, severity, aspect, scope, file, line, kind, name, shown_path, before, after, causes
        )

    def _objects(self, profile: Profile) -> list[LoadedObject]:
        """Return the objects that a release admits, with claims of PodGroups and of unused templates."""
        stored = stored_in(self._loaded, profile, self._progress).objects
        groups = PodGroups.of(stored, profile)
        nodes = [item.object for item in stored if isinstance(item.object, Node)]
        bare = claims_of_bare_templates(stored, nodes, tuple(groups.templates_used()))
        return [*groups.with_claims(stored), *bare]

    def _created_in(self, profile: Profile) -> States:
        question = replace(self._question, profile=profile)
        return states_of(rehearse([self._objects(profile)], question, self._progress))

    def _upgraded_to(self, number: int, profile: Profile) -> States:
        """Return the states after the real steps before step `number` and then an upgrade to a profile."""
        later = (*self._profiles[1 : number + 1], profile)
        objects = self._objects(self._profiles[0])
        return states_of(rehearse_upgrades([objects], self._question, later, self._progress)[-1])


def _has_value(subject: Subject, path: Path, value: CheckedJson, states: States) -> bool:
    return subject in states and bool(value_at(states[subject], path) == value)


def _differences(before: CheckedJson, after: CheckedJson) -> Iterator[Change]:
    """Yield the differences of one object: only the state if it differs, otherwise each field.

    The allocation of a claim that a pod uses appears and disappears with the state of the pod.
    """
    if ("state" in before) != ("state" in after):
        return  # Only one of the clusters has a pod that uses the claim.
    if before.get("state") != after.get("state"):
        yield _STATE, before.get("state"), after.get("state")
        return
    if before.get("node") != after.get("node"):
        yield _NODE, before.get("node"), after.get("node")
    for change in field_changes(before["status"], after["status"]):
        if change.path == ("allocation",):
            continue
        yield ("status", *change.path), change.written, change.stored


def _shown_path(path: Path, kind: str) -> str:
    if path == _STATE:
        return "status.allocation"
    return "spec.nodeName" if path == _NODE and kind == POD else written(path)


def _places(loaded: Sequence[LoadedObject]) -> Mapping[Subject, LoadedObject]:
    """Return the manifest of each object, and of the pods of workloads."""
    nodes = [item.object for item in loaded if isinstance(item.object, Node)]
    places: dict[Subject, LoadedObject] = {}
    for item in loaded:
        metadata = item.raw.get("metadata") or {}
        places[item.kind, f"{metadata.get('namespace') or 'default'}/{metadata.get('name', '')}"] = item
    for pod in pods(loaded, nodes):
        metadata = pod.pod.metadata
        places.setdefault((POD, f"{metadata.namespace or 'default'}/{metadata.name}"), pod.origin)
    return places

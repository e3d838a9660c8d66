"""The states of pods, claims and quotas that an upgrade check compares, and the clusters that have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import owner_of, status_of
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run import stored_in
from dra_conform.previews.pod_groups import PodGroups
from dra_conform.previews.progress import Progress, no_progress
from dra_conform.previews.rehearsal import (
    PreviewOptions,
    Rehearsal,
    RehearsedPod,
    rehearse,
    rehearse_upgrades,
)
from dra_conform.previews.template_claims import claims_of_bare_templates
from dra_conform.simulation.controllers.claim_generation import POD_CLAIM_NAME

POD, CLAIM, QUOTA, POD_CLAIM = "Pod", "ResourceClaim", "ResourceQuota", "ResourceClaim of Pod"

ALLOCATED = "allocated"
"""The state of a claim that is allocated, although no pod uses it."""

Subject = tuple[str, str]
"""The kind and the name (`namespace/name`) of an object; a generated claim has the name of its pod and of the
entry there, since generated names are random."""

States = Mapping[Subject, Json]
"""The compared fields of each object."""

_RANDOM = frozenset(
    {"allocationTimestamp", "lastTransitionTime", "resourceClaimName", "shareID", "timeAdded"}
)
"""The fields with random values or times."""


def states_of(rehearsal: Rehearsal) -> dict[Subject, Json]:
    """Return the states of all pods, claims and quotas of a preview."""
    return dict(_states(rehearsal))


def _states(rehearsal: Rehearsal) -> Iterator[tuple[Subject, Json]]:
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


def _pod(pod: RehearsedPod, stored: Json) -> Json:
    status = status_of(stored or {})
    names = ("extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses")
    compared = {name: _without_random(status[name]) for name in names if name in status}
    return {"state": pod.state.value, "node": pod.node, "message": pod.message, "status": compared}


def _subject(claim: Json) -> Subject:
    metadata = claim["metadata"]
    owner = owner_of(claim)
    if owner is None:
        return CLAIM, "/".join(key_in(claim)[1:])
    entry = (metadata.get("annotations") or {}).get(POD_CLAIM_NAME, "extended resources")
    return POD_CLAIM, f"{metadata['namespace']}/{owner['name']}: {entry}"


def _compared(value: Json, name: str) -> Json:
    return {} if value is None else {name: _without_random(value)}


def _without_random(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {name: _without_random(item) for name, item in value.items() if name not in _RANDOM}
    return [_without_random(item) for item in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True)
class ClusterStates:
    """The states in two kinds of clusters.

    `existing`: a cluster of the first release with the objects, and the same cluster after each step. `new`:
    a new cluster of each release with the objects, empty if all objects have a UID, since they are then those
    of a cluster. `upgraded_to` returns the states after the real steps before the step with a number and then
    an upgrade to a profile, `created_in` those of a new cluster. Both are None if nothing else is known.
    `nodes_by_chance`: the scheduler chooses at random between equal nodes. `notes` tell users what the
    simulation leaves out.
    """

    existing: Sequence[States]
    new: Sequence[States]
    added_nodes: Sequence[str] = ()
    upgraded_to: Callable[[int, Profile], States] | None = None
    created_in: Callable[[Profile], States] | None = None
    nodes_by_chance: bool = False
    notes: Sequence[str] = ()


def with_derived_claims(loaded: Sequence[LoadedObject], profile: Profile) -> list[LoadedObject]:
    """Return the objects with claims of PodGroups and of ResourceClaimTemplates that nothing uses."""
    groups = PodGroups.of(loaded, profile)
    bare = claims_of_bare_templates(loaded, tuple(groups.templates_used()))
    return [*groups.with_claims(loaded), *bare]


def has_new(loaded: Sequence[LoadedObject]) -> bool:
    """Whether any object has no UID, so that it can be applied to an empty cluster."""
    return any(not (item.raw.get("metadata") or {}).get("uid") for item in loaded)


def simulated_states(
    loaded: Sequence[LoadedObject],
    profiles: Sequence[Profile],
    seconds: int,
    progress: Progress = no_progress,
) -> ClusterStates:
    """Return the states of simulated clusters."""
    question = PreviewOptions(profiles[0], seconds, unused_claims=True)

    def objects(profile: Profile) -> list[LoadedObject]:
        return with_derived_claims(stored_in(loaded, profile, progress).objects, profile)

    def created_in(profile: Profile) -> States:
        own = replace(question, profile=profile)
        return states_of(rehearse([objects(profile)], own, progress))

    def upgraded_to(number: int, profile: Profile) -> States:
        later = (*profiles[1 : number + 1], profile)
        return states_of(rehearse_upgrades([objects(profiles[0])], question, later, progress)[-1])

    rehearsed = rehearse_upgrades([objects(profiles[0])], question, profiles[1:], progress)
    existing = [states_of(rehearsal) for rehearsal in rehearsed]
    new = [existing[0], *map(created_in, profiles[1:])] if has_new(loaded) else []
    first = rehearsed[0]
    return ClusterStates(existing, new, first.added_nodes, upgraded_to, created_in, notes=first.notes)

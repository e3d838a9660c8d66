"""The invariants of extended-resource claims, which schedulers create for pods (KEP-5004)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.conformance.cluster.references import on_its_way_out, owner_of
from dra_conform.kube.extended_resources import is_special
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.profile import Profile

Json = Any


def one_extended_resource_claim(story: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """A pod has at most one claim for its extended resources (KEP-5004/special-claim/at-most-one-per-pod).

    Here and below a claim that was deleted and is held by somebody's finalizer does not count.
    """
    for state in story.states[1:]:
        special = (one for one in state.claims.values() if is_special(one) and not on_its_way_out(one))
        for owner, count in Counter(map(owner_of, special)).items():
            if count > 1:
                yield state.act, f"pod {owner} has {count} claims for its extended resources"


def special_claims_owned(story: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """Such a claim belongs to a pod that exists, in its own namespace.

    KEP-5004/special-claim/namespace-and-owner, KEP-5004/lifecycle/deleted-with-pod.
    """
    given = story.states[0].claims
    for state in story.states[1:]:
        for key, claim in state.claims.items():
            if not is_special(claim) or key in given or on_its_way_out(claim):
                continue
            pod = state.pods.get(owner_of(claim))
            if pod is None or not _owns(pod, claim):
                yield state.act, f"claim {key} was made for extended resources and belongs to no pod"


def special_claims_told(story: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """The special claim that a pod names since it has begun to run is its own, and has the requests to which
    its containers are mapped (KEP-5004/pod-status/consistent-with-claim)."""
    begun = {key for key, pod in story.states[0].pods.items() if _runs(pod)}
    for state in story.states[1:]:
        for key, pod in state.pods.items():
            status = field_at(pod, "status.extendedResourceClaimStatus")
            if _runs(pod) and key not in begun and isinstance(status, Mapping):
                yield from ((state.act, f"pod {key} {what}") for what in _wrong(state, key, pod, status))


def _wrong(state: State, key: str, pod: Json, status: Mapping[str, Json]) -> Iterator[str]:
    name = status.get("resourceClaimName")
    claim = state.claims.get(f"{key.partition('/')[0]}/{name}")
    if claim is None or not is_special(claim) or not _owns(pod, claim):
        yield f"names {name}, which is no special claim of its own"
        return
    requests = field_at(claim, "spec.devices.requests")
    known = {one.get("name") for one in (() if requests is ABSENT else requests)}
    for one in status.get("requestMappings") or ():
        if one.get("requestName") not in known:
            yield f"maps {one.get('containerName')} to {one.get('requestName')}, which it does not request"


def _owns(pod: Json, claim: Json) -> bool:
    uid = field_at(pod, "metadata.uid")
    owners = (field_at(claim, "metadata") or {}).get("ownerReferences") or ()
    return uid is ABSENT or any(one.get("uid") == uid for one in owners)


def _runs(pod: Json) -> bool:
    return str(field_at(pod, "status.phase")) == "Running"

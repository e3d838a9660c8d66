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


def one_extended_resource_claim(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """A pod has at most one extended-resource claim (KEP-5004/special-claim/at-most-one-per-pod).

    The invariants of this module do not count a ResourceClaim that is being deleted and has finalizers.
    """
    for state in scenario.states[1:]:
        special = (one for one in state.claims.values() if is_special(one) and not on_its_way_out(one))
        for owner, count in Counter(map(owner_of, special)).items():
            if count > 1:
                yield state.act, f"pod {owner} has {count} extended-resource claims, expected at most one"


def special_claims_owned(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """An extended-resource claim is owned by an existing pod in its namespace.

    KEP-5004/special-claim/namespace-and-owner, KEP-5004/lifecycle/deleted-with-pod.
    """
    given = scenario.states[0].claims
    for state in scenario.states[1:]:
        for key, claim in state.claims.items():
            if not is_special(claim) or key in given or on_its_way_out(claim):
                continue
            pod = state.pods.get(owner_of(claim))
            if pod is None or not _owns(pod, claim):
                yield state.act, f"extended-resource claim {key} has no owner, expected an existing pod"


def special_claims_told(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """The extended-resource claim in the status of a running pod is its own, with all mapped requests.

    KEP-5004/pod-status/consistent-with-claim. Pods that run in the setup are not checked.
    """
    begun = {key for key, pod in scenario.states[0].pods.items() if _runs(pod)}
    for state in scenario.states[1:]:
        for key, pod in state.pods.items():
            status = field_at(pod, "status.extendedResourceClaimStatus")
            if _runs(pod) and key not in begun and isinstance(status, Mapping):
                yield from ((state.act, f"pod {key}: {what}") for what in _wrong(state, key, pod, status))


def _wrong(state: State, key: str, pod: Json, status: Mapping[str, Json]) -> Iterator[str]:
    name = status.get("resourceClaimName")
    claim = state.claims.get(f"{key.partition('/')[0]}/{name}")
    if claim is None or not is_special(claim) or not _owns(pod, claim):
        yield f"its status names ResourceClaim {name}, expected its own extended-resource claim"
        return
    requests = field_at(claim, "spec.devices.requests")
    known = {one.get("name") for one in (() if requests is ABSENT else requests)}
    for one in status.get("requestMappings") or ():
        if one.get("requestName") not in known:
            container, request = one.get("containerName"), one.get("requestName")
            yield f"container {container} is mapped to request {request}, which ResourceClaim {name} lacks"


def _owns(pod: Json, claim: Json) -> bool:
    uid = field_at(pod, "metadata.uid")
    owners = (field_at(claim, "metadata") or {}).get("ownerReferences") or ()
    return uid is ABSENT or any(one.get("uid") == uid for one in owners)


def _runs(pod: Json) -> bool:
    return str(field_at(pod, "status.phase")) == "Running"

"""The invariants of extended-resource claims, which schedulers create for pods (KEP-5004)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.conformance.cluster.references import is_terminating, owner_of
from dra_conform.kube.extended_resources import is_extended_resource_claim
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.profile import Profile

Json = Any


def one_extended_resource_claim(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """A pod has at most one extended-resource claim (KEP-5004/special-claim/at-most-one-per-pod).

    The invariants of this module do not count a ResourceClaim that is being deleted and has finalizers.
    """
    for state in scenario.states[1:]:
        claims = (
            claim
            for claim in state.claims.values()
            if is_extended_resource_claim(claim) and not is_terminating(claim)
        )
        for owner, count in Counter(map(owner_of, claims)).items():
            if count > 1:
                yield state.step, f"pod {owner} has {count} extended-resource claims, expected at most one"


def special_claims_owned(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """An extended-resource claim is owned by an existing pod in its namespace.

    KEP-5004/special-claim/namespace-and-owner, KEP-5004/lifecycle/deleted-with-pod.
    """
    setup = scenario.states[0].claims
    for state in scenario.states[1:]:
        for key, claim in state.claims.items():
            if not is_extended_resource_claim(claim) or key in setup or is_terminating(claim):
                continue
            pod = state.pods.get(owner_of(claim))
            if pod is None or not _owns(pod, claim):
                yield (
                    state.step,
                    f"extended-resource claim {key} is not owned by an existing pod, expected one",
                )


def special_claims_told(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """The extended-resource claim in the status of a running pod is its own, with all mapped requests.

    KEP-5004/pod-status/consistent-with-claim. Pods that run in the setup are not checked.
    """
    running_in_setup = {key for key, pod in scenario.states[0].pods.items() if _runs(pod)}
    for state in scenario.states[1:]:
        for key, pod in state.pods.items():
            status = field_at(pod, "status.extendedResourceClaimStatus")
            if _runs(pod) and key not in running_in_setup and isinstance(status, Mapping):
                yield from (
                    (state.step, f"pod {key}: {problem}") for problem in _wrong(state, key, pod, status)
                )


def _wrong(state: State, key: str, pod: Json, status: Mapping[str, Json]) -> Iterator[str]:
    name = status.get("resourceClaimName")
    claim = state.claims.get(f"{key.partition('/')[0]}/{name}")
    if claim is None or not is_extended_resource_claim(claim) or not _owns(pod, claim):
        yield f"its status names ResourceClaim {name}, expected its own extended-resource claim"
        return
    requests = field_at(claim, "spec.devices.requests")
    known = {entry.get("name") for entry in (() if requests is ABSENT else requests)}
    for entry in status.get("requestMappings") or ():
        if entry.get("requestName") not in known:
            container, request = entry.get("containerName"), entry.get("requestName")
            yield f"container {container} is mapped to request {request}, which ResourceClaim {name} lacks"


def _owns(pod: Json, claim: Json) -> bool:
    uid = field_at(pod, "metadata.uid")
    owners = (field_at(claim, "metadata") or {}).get("ownerReferences") or ()
    return uid is ABSENT or any(owner.get("uid") == uid for owner in owners)


def _runs(pod: Json) -> bool:
    return str(field_at(pod, "status.phase")) == "Running"

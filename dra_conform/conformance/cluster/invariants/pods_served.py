"""The invariants of running pods: allocated ResourceClaims, and reservations for existing pods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.profile import Profile

Json = Any


def running_pods_have_claims(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """Each ResourceClaim of a pod that started exists, is allocated, and is reserved for the pod."""
    running_in_setup: set[str] = {key for key, pod in scenario.states[0].pods.items() if _runs(pod)}
    for state in scenario.states[1:]:
        for key, pod in state.pods.items():
            if _runs(pod) and key not in running_in_setup:
                yield from (
                    (state.step, f"pod {key} is Running, but {problem}")
                    for problem in _lacks(state, key, pod)
                )


def _runs(pod: Json) -> bool:
    return str(field_at(pod, "status.phase")) == "Running"


def _lacks(state: State, key: str, pod: Json) -> Iterator[str]:
    namespace, _, name = key.partition("/")
    statuses = field_at(pod, "status.resourceClaimStatuses")
    generated = {status["name"]: status for status in (() if statuses is ABSENT else statuses)}
    entries = field_at(pod, "spec.resourceClaims")
    for entry in () if entries is ABSENT else entries:
        if entry["name"] in generated and not generated[entry["name"]].get("resourceClaimName"):
            continue  # the controller recorded that the entry needs no ResourceClaim
        status = generated.get(entry["name"], {})
        claim_name = entry.get("resourceClaimName") or status.get("resourceClaimName")
        claim = state.claims.get(f"{namespace}/{claim_name}")
        if claim is None:
            yield f"the ResourceClaim of its entry {entry['name']} does not exist"
        elif field_at(claim, "status.allocation") is ABSENT:
            yield f"ResourceClaim {claim_name} is not allocated"
        elif not any(_is_consumer(consumer, name, pod) for consumer in _reservations(claim)):
            yield f"ResourceClaim {claim_name} is not reserved for the pod"


def reserved_for_existing_pods(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """In the steady state, ResourceClaims are reserved only for existing pods."""
    for state in scenario.states[1:]:
        for key, claim in state.claims.items():
            namespace = key.partition("/")[0]
            for consumer in _reservations(claim):
                pod = state.pods.get(f"{namespace}/{consumer.get('name')}")
                if pod is None or not _is_consumer(consumer, consumer.get("name"), pod):
                    name = consumer.get("name")
                    yield state.step, f"ResourceClaim {key} is reserved for pod {name}, which does not exist"


def _reservations(claim: Json) -> list[Json]:
    """Return the pods that a ResourceClaim is reserved for; consumers of other kinds are ignored."""
    reserved = field_at(claim, "status.reservedFor")
    return [
        consumer
        for consumer in ([] if reserved is ABSENT else reserved)
        if consumer.get("resource") == "pods"
    ]


def _is_consumer(consumer: Json, name: str, pod: Json) -> bool:
    uid = field_at(pod, "metadata.uid")
    return consumer.get("name") == name and uid in (ABSENT, consumer.get("uid"))

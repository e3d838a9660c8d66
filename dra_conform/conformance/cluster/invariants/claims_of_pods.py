"""The invariants of the ResourceClaims of pods, including generated and extended-resource claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.conformance.object_references import ENTRY_ANNOTATION, is_terminating, owner_of
from dra_conform.kube.extended_resources import is_extended_resource_claim
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile


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
        if consumer.get("resource") == "pods" and not consumer.get("apiGroup")
    ]


def _is_consumer(consumer: Json, name: str, pod: Json) -> bool:
    uid = field_at(pod, "metadata.uid")
    return consumer.get("name") == name and uid in (ABSENT, consumer.get("uid"))


def generated_claims_owned(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """The pod of a generated ResourceClaim owns it, and each pod entry has exactly one ResourceClaim.

    A ResourceClaim that is being deleted and has finalizers does not count.
    DRA/template/one-claim-per-pod, DRA/template/claim-bound-to-pod-lifetime.
    """
    setup = scenario.states[0].claims
    for state in scenario.states[1:]:
        counts: Counter[tuple[str, str]] = Counter()
        for key, claim in state.claims.items():
            entry = _annotations(claim).get(ENTRY_ANNOTATION)
            if entry is None or key in setup or is_terminating(claim):
                continue
            owner = owner_of(claim)
            if owner:
                counts[owner, entry] += 1
            else:
                yield (
                    state.step,
                    f"ResourceClaim {key} of the entry {entry} has no pod as owner",
                )
        for (owner, entry), count in counts.items():
            if count > 1:
                yield state.step, f"the entry {entry} of pod {owner} has {count} ResourceClaims, expected one"


def _annotations(claim: dict[str, dict[str, dict[str, str]]]) -> dict[str, str]:
    return (claim.get("metadata") or {}).get("annotations") or {}


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


def extended_resource_claims_owned(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
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
                    f"extended-resource claim {key} is not owned by an existing pod, expected a pod as owner",
                )


def extended_resource_claims_in_status(scenario: ObservedScenario, _: Profile) -> Iterator[tuple[int, str]]:
    """The status of a running pod names its own extended-resource claim, with all mapped requests.

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
    if claim is None:
        yield f"its status names ResourceClaim {name}, which does not exist"
        return
    if not is_extended_resource_claim(claim) or not _owns(pod, claim):
        yield f"its status names ResourceClaim {name}, expected the extended-resource claim that the pod owns"
        return
    requests = field_at(claim, "spec.devices.requests")
    known = {entry.get("name") for entry in (() if requests is ABSENT else requests)}
    mapped = set()
    for entry in status.get("requestMappings") or ():
        container, request = entry.get("containerName"), entry.get("requestName")
        if request not in known:
            yield f"container {container} is mapped to request {request}, which ResourceClaim {name} lacks"
        elif (container, request) in mapped:
            yield f"container {container} has request {request} twice, expected one request for each resource"
        mapped.add((container, request))


def _owns(pod: Json, claim: Json) -> bool:
    uid = field_at(pod, "metadata.uid")
    owners = (field_at(claim, "metadata") or {}).get("ownerReferences") or ()
    return uid is ABSENT or any(owner.get("uid") == uid for owner in owners)

"""The operation `kubelet`: a kubelet's calls to DRA drivers and the devices of its containers. Its setup and
its When steps form the question."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dra_conform.conformance.case import Objects
from dra_conform.conformance.checked_observations import CheckedObservations, CheckedStepBuilder
from dra_conform.conformance.features import features_of
from dra_conform.conformance.kubelet.actions import Action, KubeletQuestion, RestartDuringCall, SetAnswer
from dra_conform.conformance.kubelet.answer import KubeletAnswer, KubeletHistory, KubeletObservation
from dra_conform.conformance.kubelet.container_checks import ContainerCannotStart
from dra_conform.conformance.kubelet.node_checks import RegistrationRejected
from dra_conform.conformance.kubelet.pod_checks import Fails
from dra_conform.conformance.kubelet.then_steps import THEN_STEPS
from dra_conform.conformance.kubelet.when_steps import WHEN_STEPS
from dra_conform.conformance.operation import Probe
from dra_conform.conformance.steps.given import NAMESPACE, Given, collected, name_in_case
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.json_values import Json
from dra_conform.kube.versions import to_v1

_UIDS = uuid.UUID("7c0c9f5e-2f0a-4a52-9b0d-5f0d4b1d1d37")


def convert(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object in v1."""
    return to_v1(dict(raw))


def build_question(given: Given, actions: Sequence[Action]) -> tuple[Objects, Mapping[str, Any]]:
    """Return all objects with UIDs and reservations, and the question; raises StepError."""
    named = given.objects_by_collection()
    objects = [raw for items in named.values() for raw in items]
    for raw in objects:
        metadata = raw["metadata"]
        if raw["kind"] in ("Pod", "ResourceClaim"):
            metadata.setdefault("namespace", NAMESPACE)
        key = f"{raw['kind']}/{metadata.get('namespace', '')}/{metadata['name']}"
        metadata.setdefault("uid", str(uuid.uuid5(_UIDS, key)))
    _reserve(given, objects)
    _require_names(given, actions, objects)
    _require_unanswered(actions)
    question = KubeletQuestion(tuple(actions), tuple(given.node_drivers))
    encoded: dict[str, Any] = msgspec.to_builtins(question)
    return collected(objects), encoded


def _reserve(given: Given, objects: Sequence[Any]) -> None:
    """Reserve each allocated ResourceClaim for the pods that use it."""
    claims = {_key(raw): raw for raw in objects if raw["kind"] == "ResourceClaim"}
    for pod in objects:
        for key in dict.fromkeys(_claims_of(pod)) if pod["kind"] == "Pod" else ():
            claim = claims.get(key)
            earlier = given.not_reserved.get((key, _key(pod)))
            if claim and "status" in claim and earlier is not False:
                metadata = pod["metadata"]
                uid = str(uuid.uuid5(_UIDS, f"before {metadata['uid']}")) if earlier else metadata["uid"]
                user = {"resource": "pods", "name": metadata["name"], "uid": uid}
                claim["status"].setdefault("reservedFor", []).append(user)


def _claims_of(pod: Any) -> Iterator[str]:
    """Yield the keys of the ResourceClaims that a pod uses."""
    namespace = pod["metadata"]["namespace"]
    status = pod.get("status", {})
    for entry in (*pod["spec"].get("resourceClaims", ()), *status.get("resourceClaimStatuses", ())):
        yield f"{namespace}/{entry.get('resourceClaimName')}"
    extended = status.get("extendedResourceClaimStatus")
    if extended:
        yield f"{namespace}/{extended['resourceClaimName']}"


def _require_names(given: Given, actions: Sequence[Action], objects: Sequence[Any]) -> None:
    """Raise StepError for an action that names a pod, claim or driver that is not in the setup."""
    pods, claims = (
        {
            name_in_case(raw["metadata"]["namespace"], raw["metadata"]["name"])
            for raw in objects
            if raw["kind"] == kind
        }
        for kind in ("Pod", "ResourceClaim")
    )
    drivers = {driver.name for driver in given.node_drivers}
    for action in actions:
        named = msgspec.structs.asdict(action)
        unknown_pods = {*named.get("pods", ()), *([named["pod"]] if "pod" in named else ())} - pods
        if unknown_pods:
            raise StepError(f"pod {min(unknown_pods)!r} is not in the setup")
        if named.get("claim") and named["claim"] not in claims:
            raise StepError(f"ResourceClaim {named['claim']!r} is not in the setup")
        if "driver" in named and named["driver"] not in drivers:
            raise StepError(f"DRA driver {named['driver']!r} is not in the setup")


def _require_unanswered(actions: Sequence[Action]) -> None:
    """Raise StepError for a restart during a call that all drivers answer at once."""
    unanswered: set[tuple[str, str]] = set()
    for action in actions:
        if isinstance(action, SetAnswer) and action.to in ("late", "hang"):
            unanswered.add((action.driver, action.call))
        elif isinstance(action, SetAnswer):
            unanswered.discard((action.driver, action.call))
        elif isinstance(action, RestartDuringCall) and action.call not in {call for _, call in unanswered}:
            raise StepError(f"all drivers answer calls to {action.call}, expected one that does not")


def _key(raw: Any) -> str:
    return f"{raw['metadata']['namespace']}/{raw['metadata']['name']}"


def features(objects: Objects, _: Mapping[str, Any]) -> frozenset[str]:
    """Return the feature ids of the objects."""
    return features_of(objects)


class Kubelet(CheckedObservations[KubeletObservation]):
    """The operation `kubelet`: its question has pods, ResourceClaims, drivers and actions, its answer one
    observation for each action."""

    name = "kubelet"
    steps = (*WHEN_STEPS, *THEN_STEPS)
    subject = "kubelet"
    observation = KubeletObservation
    probes = (Probe("a kubelet that is restarted", {}, {"actions": [{"do": "restart-kubelet"}]}),)

    def convert(self, raw: Mapping[str, Json]) -> dict[str, Json]:
        return convert(raw)

    def build_question(self, given: Given, actions: Sequence[Json]) -> tuple[Objects, Mapping[str, Json]]:
        return build_question(given, actions)

    def features(self, objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
        return features(objects, ask)

    def expect(self, ask: Mapping[str, Json], step_index: int) -> CheckedStepBuilder:
        return CheckedStepBuilder((Fails, RegistrationRejected, ContainerCannotStart))

    def history(self, answer: KubeletAnswer, index: int) -> KubeletHistory:
        return KubeletHistory(answer, index)

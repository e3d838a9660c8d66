"""The question of kubelets, which the setup and the When steps form together."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dra_conform.conformance.case import Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.kubelet.actions import Action, Question
from dra_conform.conformance.steps.given import NAMESPACE, Given, collected
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.versions import to_v1

Json = Any


_UIDS = uuid.UUID("7c0c9f5e-2f0a-4a52-9b0d-5f0d4b1d1d37")


def convert(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return an object in v1."""
    return to_v1(dict(raw))


def build_question(given: Given, actions: Sequence[Action]) -> tuple[Objects, Mapping[str, Json]]:
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
    question = Question(tuple(actions), tuple(given.node_drivers))
    encoded: dict[str, Json] = msgspec.to_builtins(question)
    return collected(objects), encoded


def _reserve(given: Given, objects: Sequence[Json]) -> None:
    """Reserve each allocated ResourceClaim for the pods that use it."""
    claims = {_key(raw): raw for raw in objects if raw["kind"] == "ResourceClaim"}
    for pod in objects:
        for key in _claims_of(pod) if pod["kind"] == "Pod" else ():
            claim = claims.get(key)
            if claim and "status" in claim and (key, _key(pod)) not in given.not_reserved:
                metadata = pod["metadata"]
                user = {"resource": "pods", "name": metadata["name"], "uid": metadata["uid"]}
                claim["status"].setdefault("reservedFor", []).append(user)


def _claims_of(pod: Json) -> Iterator[str]:
    """Yield the keys of the ResourceClaims that a pod uses."""
    namespace = pod["metadata"]["namespace"]
    for entry in pod["spec"].get("resourceClaims", ()):
        yield f"{namespace}/{entry.get('resourceClaimName')}"
    extended = pod.get("status", {}).get("extendedResourceClaimStatus")
    if extended:
        yield f"{namespace}/{extended['resourceClaimName']}"


def _require_names(given: Given, actions: Sequence[Action], objects: Sequence[Json]) -> None:
    """Raise StepError for an action that names a pod or a driver that is not in the setup."""
    pods = {raw["metadata"]["name"] for raw in objects if raw["kind"] == "Pod"}
    drivers = {driver.name for driver in given.node_drivers}
    for action in actions:
        named = msgspec.structs.asdict(action)
        unknown_pods = {*named.get("pods", ()), *([named["pod"]] if "pod" in named else ())} - pods
        if unknown_pods:
            raise StepError(f"pod {min(unknown_pods)!r} is not in the setup")
        if "driver" in named and named["driver"] not in drivers:
            raise StepError(f"DRA driver {named['driver']!r} is not in the setup")


def _key(raw: Json) -> str:
    return f"{raw['metadata']['namespace']}/{raw['metadata']['name']}"


def features(objects: Objects, _: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of the objects."""
    return features_of(objects)


def question_in_words(ask: Mapping[str, Json]) -> str:
    """Return the actions in one line."""
    return "kubelet: " + ", ".join(
        " ".join((action["do"], *action.get("pods", ()))) for action in ask["actions"]
    )

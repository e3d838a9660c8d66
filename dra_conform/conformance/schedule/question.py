"""The question of scheduling attempts, made from the setup: v1 objects, and the actions in order."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.steps.given import NAMESPACE, NODE, Given
from dra_conform.kube.objects import COLLECTIONS

Json = Any

_UIDS = uuid.UUID("0d3f4c52-6a55-4f7b-8a17-5a6c1e6f5d04")
_NAMESPACED = ("Pod", "ResourceClaim")


def build_question(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """Return all objects and the actions.

    Pods and ResourceClaims get a UID. If the setup has no node, a default node is added.
    """
    objects = dict(given.objects_by_collection())
    if not given.names("Node"):
        objects["nodes"] = ({"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}},)
    for kind in _NAMESPACED:
        if kind in {raw["kind"] for items in objects.values() for raw in items}:
            objects[COLLECTIONS[kind]] = tuple(map(_with_uid, objects[COLLECTIONS[kind]]))
    identified = [
        {**action, "object": _with_uid(action["object"])}
        if action["do"] == "create" and action["object"]["kind"] in _NAMESPACED
        else dict(action)
        for action in actions
    ]
    return objects, {"actions": identified}


def _with_uid(raw: Mapping[str, Json]) -> dict[str, Json]:
    metadata = {"namespace": NAMESPACE, **raw["metadata"]}
    name = f"{raw['kind']} {metadata['namespace']}/{metadata.get('name')}"
    return {**raw, "metadata": {"uid": str(uuid.uuid5(_UIDS, name)), **metadata}}


def features(objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of all objects, including those that actions create."""
    all_objects: dict[str, list[Json]] = {name: list(items) for name, items in objects.items()}
    for action in ask["actions"]:
        if action["do"] == "create":
            all_objects.setdefault(COLLECTIONS[action["object"]["kind"]], []).append(action["object"])
    return features_of(all_objects)

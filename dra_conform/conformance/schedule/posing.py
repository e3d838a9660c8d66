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


def pose(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """Return all objects and the actions. Pods and claims get a UID; without a node, one is added."""
    world = dict(given.world())
    if not given.names("Node"):
        world["nodes"] = ({"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}},)
    for kind in _NAMESPACED:
        if kind in {one["kind"] for several in world.values() for one in several}:
            world[COLLECTIONS[kind]] = tuple(map(_identified, world[COLLECTIONS[kind]]))
    done = [
        {**one, "object": _identified(one["object"])}
        if one["do"] == "create" and one["object"]["kind"] in _NAMESPACED
        else dict(one)
        for one in actions
    ]
    return world, {"actions": done}


def _identified(raw: Mapping[str, Json]) -> dict[str, Json]:
    metadata = {"namespace": NAMESPACE, **raw["metadata"]}
    name = f"{raw['kind']} {metadata['namespace']}/{metadata.get('name')}"
    return {**raw, "metadata": {"uid": str(uuid.uuid5(_UIDS, name)), **metadata}}


def features(objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of all objects, including those that actions create."""
    later: dict[str, list[Json]] = {name: list(several) for name, several in objects.items()}
    for action in ask["actions"]:
        if action["do"] == "create":
            later.setdefault(COLLECTIONS[action["object"]["kind"]], []).append(action["object"])
    return features_of(later)

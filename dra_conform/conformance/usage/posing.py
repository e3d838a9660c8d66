"""The question of usage, made from the setup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.steps.given import Given
from dra_conform.kube.versions import to_v1

Json = Any


def take(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return an object in v1, and pods with the requests that the API server derives from limits."""
    taken = to_v1(dict(raw))
    spec = taken.get("spec") or {}
    if taken.get("kind") != "Pod":
        return taken
    containers = {
        name: [_with_requests(one) for one in spec[name]]
        for name in ("initContainers", "containers")
        if spec.get(name)
    }
    return {**taken, "spec": {**spec, **containers}}


def _with_requests(container: Mapping[str, Json]) -> dict[str, Json]:
    resources = container.get("resources") or {}
    requests = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
    derived = {**resources, "requests": requests} if requests else resources
    return {**container, **({"resources": derived} if derived else {})}


def pose(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """Return all objects, and the namespace."""
    [action] = actions
    return given.world(), action


def features(objects: Objects, _: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of the objects."""
    return features_of(objects)

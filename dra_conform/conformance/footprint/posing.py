"""The question of node resource usage, made from the setup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.steps.given import Given
from dra_conform.kube.versions import to_v1

Json = Any


def take(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return an object in v1."""
    return to_v1(dict(raw))


def pose(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """Return all objects, and the pod."""
    [action] = actions
    return given.world(), action


def features(objects: Objects, _: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of the objects."""
    return features_of(objects)

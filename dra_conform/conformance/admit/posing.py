"""From what is given to the question of a write: raw objects, exactly as they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.steps.given import COLLECTIONS, NODE, Given, collected
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.versions import ConversionRefused, to_v1

Json = Any


def take(raw: Mapping[str, Json]) -> dict[str, Json]:
    """An object as it is written: unknown fields, missing defaults, wrong types, old API versions and all."""
    return dict(raw)


def pose(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """The objects that are there, and the write. A written object that is named is taken out of the given.

    For an update, what is given of the same kind and name is what is stored.
    """
    if len(actions) > 1:
        raise StepError("has several When steps, expected one")
    [action] = actions
    objects = list(given.everything((given.names("Node") or [NODE])[0]))
    if "object" in action:
        written = action["object"]
    else:
        written = _named(objects, action["kind"], action["name"])
        objects.remove(written)
    ask: dict[str, Json] = {"verb": action["verb"], "object": written}
    if action["verb"] == "update":
        stored = _stored(objects, written)
        ask["old"] = stored
        objects.remove(stored)
    ask |= {name: action[name] for name in ("subresource", "user") if name in action}
    return collected(objects), ask


def _named(objects: Sequence[dict[str, Json]], kind: str, name: str) -> dict[str, Json]:
    known = [one for one in objects if one["kind"] == kind]
    for one in known:
        if one["metadata"].get("name") == name:
            return one
    names = ", ".join(str(one["metadata"].get("name")) for one in known) or "none, because none is given"
    raise StepError(f"{kind} {name!r} is not given, expected one of {names}")


def _stored(objects: Sequence[dict[str, Json]], written: Mapping[str, Json]) -> dict[str, Json]:
    metadata = written.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    return _named(objects, str(written.get("kind")), str(name))


def features(objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
    """The feature ids that the write uses, in what is written and in what is stored."""
    found: list[dict[str, Json]] = []
    for one in (ask["object"], ask.get("old")):
        try:
            found += [to_v1(one)] if one is not None and one.get("kind") in COLLECTIONS else []
        except (ConversionRefused, AttributeError, KeyError):
            continue  # of what has no known version, no feature is known
    return features_of(collected(found))

"""The question of a write, made from the setup: raw objects, exactly as they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.steps.given import NODE, Given, collected
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.versions import ConversionRefused, to_v1

Json = Any


def take(raw: Mapping[str, Json]) -> dict[str, Json]:
    """An object as it is written: unknown fields, missing defaults, wrong types, old API versions and all."""
    return dict(raw)


def pose(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """The objects that are there, and the write. A written object that is named is taken out of the given.

    For an update, what is given of the same kind and name is what is stored.
    """
    [action] = actions
    objects = given.everything((given.names("Node") or [NODE])[0])
    given_one = _meant(objects, action)
    written = action.get("object", given_one)
    ask: dict[str, Json] = {"verb": action["verb"], "object": _changed(written, action["fields"])}
    if given_one is not None:
        objects.remove(given_one)
    if action["verb"] == "update":
        ask["old"] = given_one
    ask |= {name: action[name] for name in ("subresource", "user") if name in action}
    return collected(objects), ask


def _meant(objects: Sequence[dict[str, Json]], action: Mapping[str, Json]) -> dict[str, Json] | None:
    """The given object that is written, or written over; None where a new one is written out."""
    if "kind" in action:
        return _named(objects, action["kind"], action["name"])
    if action["verb"] == "create":
        return None
    written = action["object"]
    metadata = written.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    return _named(objects, str(written.get("kind")), str(name))


def _changed(written: Json, fields: Mapping[str, Json]) -> Json:
    try:
        for path, value in fields.items():
            written = with_field(written, path, value)
    except ValueError as error:
        raise StepError(str(error)) from None
    return written


def _named(objects: Sequence[dict[str, Json]], kind: str, name: str) -> dict[str, Json]:
    known = [one for one in objects if one["kind"] == kind]
    for one in known:
        if one["metadata"].get("name") == name:
            return one
    names = ", ".join(str(one["metadata"].get("name")) for one in known) or "none, because none is given"
    raise StepError(f"{kind} {name!r} is not given, expected one of {names}")


def features(objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
    """The feature ids that the write uses, in what is written and in what is stored."""
    found: list[dict[str, Json]] = []
    for one in (ask["object"], ask.get("old")):
        try:
            found += [to_v1(one)] if one is not None and one.get("kind") in COLLECTIONS else []
        except (ConversionRefused, AttributeError, KeyError, TypeError):
            continue  # of what has no known version, no feature is known
    return features_of(collected(found))

"""The question of a write, made from the setup. Objects are not converted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.steps.given import NODE, Given, collected, not_in_setup
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.versions import ConversionRefused, to_v1

Json = Any


def take(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return the object unchanged, also with unknown fields, wrong types or an old API version."""
    return dict(raw)


def pose(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """Return the existing objects, and the write. The written object is removed from the existing objects.

    For an update, the object of the setup with the same kind and name is the stored object.
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
    """Return the object of the setup that is created or updated; None if the When step has the object."""
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
    names = ", ".join(str(one["metadata"].get("name")) for one in known)
    raise StepError(not_in_setup(kind, name, names))


def features(objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of the written and of the stored object."""
    found: list[dict[str, Json]] = []
    for one in (ask["object"], ask.get("old")):
        try:
            found += [to_v1(one)] if one is not None and one.get("kind") in COLLECTIONS else []
        except (ConversionRefused, AttributeError, KeyError, TypeError):
            continue  # an object of an unknown version has no known features
    return features_of(collected(found))

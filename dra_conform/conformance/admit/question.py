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
from dra_conform.kube.versions import UnservedVersion, to_v1

Json = Any


def convert(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return the object unchanged, also with unknown fields, wrong types or an old API version."""
    return dict(raw)


def build_question(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """Return the existing objects, and the write. The written object is removed from the existing objects.

    For an update, the object of the setup with the same kind and name is the stored object.
    """
    [action] = actions
    objects = given.all_objects((given.names("Node") or [NODE])[0])
    existing = _object_of_setup(objects, action)
    written = action.get("object", existing)
    ask: dict[str, Json] = {"verb": action["verb"], "object": _with_fields(written, action["fields"])}
    if existing is not None:
        objects.remove(existing)
    if action["verb"] == "update":
        ask["old"] = existing
    ask |= {name: action[name] for name in ("subresource", "user") if name in action}
    return collected(objects), ask


def _object_of_setup(
    objects: Sequence[dict[str, Json]], action: Mapping[str, Json]
) -> dict[str, Json] | None:
    """Return the object of the setup that is created or updated; None if the When step has the object."""
    if "kind" in action:
        return _find_by_name(objects, action["kind"], action["name"])
    if action["verb"] == "create":
        return None
    written = action["object"]
    metadata = written.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    return _find_by_name(objects, str(written.get("kind")), str(name))


def _with_fields(written: Json, fields: Mapping[str, Json]) -> Json:
    try:
        for path, value in fields.items():
            written = with_field(written, path, value)
    except ValueError as error:
        raise StepError(str(error)) from None
    return written


def _find_by_name(objects: Sequence[dict[str, Json]], kind: str, name: str) -> dict[str, Json]:
    known = [raw for raw in objects if raw["kind"] == kind]
    for raw in known:
        if raw["metadata"].get("name") == name:
            return raw
    names = ", ".join(str(raw["metadata"].get("name")) for raw in known)
    raise StepError(not_in_setup(kind, name, names))


def features(objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of the written and of the stored object."""
    converted: list[dict[str, Json]] = []
    for raw in (ask["object"], ask.get("old")):
        try:
            converted += [to_v1(raw)] if raw is not None and raw.get("kind") in COLLECTIONS else []
        except (UnservedVersion, AttributeError, KeyError, TypeError):
            continue  # an object of an unknown version has no known features
    return features_of(collected(converted))

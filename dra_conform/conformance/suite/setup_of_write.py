"""The part of a golden file's setup that belongs to a case with a single write: the written object.

A file can have many objects that its cases change, and none of them influences how another is stored. Reports
and questions then show what a case is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dra_conform.conformance.steps.lookup import WrittenStep
from dra_conform.conformance.suite.flow_style import step_in_words
from dra_conform.kube.json_values import UncheckedJson

_OBJECT_OF_STEP = {
    "constraint": ("ResourceClaim", "resourceClaim"),
    "deviceClass": ("DeviceClass", "name"),
    "deviceTaintRule": ("DeviceTaintRule", "name"),
    "pod": ("Pod", "name"),
    "resourceClaim": ("ResourceClaim", "name"),
    "resourceClaimTemplate": ("ResourceClaimTemplate", "name"),
}
"""The kind of the object that a Given step adds or changes, and the member with its name."""

_SLICE_STEPS = ("devices", "counterSets", "pool")
"""The Given steps that together add ResourceSlices. They stay if any ResourceSlice is written."""

_SEPARATE_KINDS = frozenset({"ResourceSlice", *(kind for kind, _ in _OBJECT_OF_STEP.values())})
"""The kinds of objects that are stored regardless of each other."""


def setup_of_write(shared: Sequence[WrittenStep], when: WrittenStep) -> list[WrittenStep]:
    """Return the steps of a file's setup without the separate objects that the When step does not write."""
    return list(_kept(shared, *_identity(when.params)))


def _kept(shared: Sequence[WrittenStep], kind: object, name: object) -> Iterator[WrittenStep]:
    for written in shared:
        key, params = written.step.key, written.params
        if key == "objects" and isinstance(params, list):
            objects = [
                raw for raw in params if _identity({"object": raw}) == (kind, name) or not _separate(raw)
            ]
            if objects:
                yield replace(written, params=objects, words=step_in_words(key, objects))
        elif key in _SLICE_STEPS:
            if kind == "ResourceSlice":
                yield written
        elif key not in _OBJECT_OF_STEP or _named(params, *_OBJECT_OF_STEP[key]) == (kind, name):
            yield written


def _named(params: UncheckedJson, kind: str, member: str) -> tuple[str, object]:
    return kind, _member(params, member)


def _identity(write: UncheckedJson) -> tuple[object, object]:
    """Return kind and name of the object that the parameters of a When step write."""
    if "pod" in _mapping(write):
        return "Pod", _member(write, "pod")
    if "object" in _mapping(write):
        written = _member(write, "object")
        return _member(written, "kind"), _member(_member(written, "metadata"), "name")
    return _member(write, "kind"), _member(write, "name")


def _separate(raw: UncheckedJson) -> bool:
    kind = _member(raw, "kind")
    return isinstance(kind, str) and kind in _SEPARATE_KINDS


def _member(value: UncheckedJson, name: str) -> UncheckedJson:
    return _mapping(value).get(name)


def _mapping(value: UncheckedJson) -> Mapping[str, UncheckedJson]:
    return value if isinstance(value, Mapping) else {}

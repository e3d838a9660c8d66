"""Labels, selectors and tolerations that keep the objects of a scenario apart from others.

Pods of a story go to nodes of the story, and no other pods do; device classes select devices of the story
alone, and these are on its nodes alone. All this is taken off again before anybody sees it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dra_conform.adapters.live.node_limits import limited_slice, unlimited_claim, unlimited_slice
from dra_conform.adapters.live.scenario_names import ScenarioNames

Json = Any

RUN = "dra-conform/run"
"""The label with the run that made an object."""
STORY = "dra-conform/story"
"""The label with the story; on nodes also the key of the taint that only pods of the story tolerate."""

GIVEN = "dra-conform/given"
"""The scheduling gate with which given pods wait for the story to begin."""

_OF_CONTAINERS = {"initContainerStatuses", "containerStatuses"}
"""What a played kubelet says of containers: that they have what they ask for."""

_PRIVILEGED = "pod-security.kubernetes.io/enforce"
_SELECTOR = re.compile(r"(?<=^spec\.selectors\[)\d+(?=\])")


def marked(raw: Json, names: ScenarioNames) -> Json:
    """An object with own names as it is written. What has not the shape of its kind is let be."""
    for path, added in _marks(raw.get("kind"), names).items():
        parent, _, field = path.partition(".")
        raw = _with(raw, parent, field, added)
    return limited_slice(raw, STORY, names.story) if raw.get("kind") == "ResourceSlice" else raw


def marked_patch(kind: str, patch: Json, names: ScenarioNames) -> Json:
    """A merge patch that leaves the marks where it replaces what they are in."""
    for path, added in _marks(kind, names).items():
        parent, _, field = path.partition(".")
        if isinstance(patch.get(parent), dict) and field in patch[parent]:
            patch = _with(patch, parent, field, added)
    return limited_slice(patch, STORY, names.story) if kind == "ResourceSlice" else patch


def _marks(kind: Json, names: ScenarioNames) -> dict[str, Json]:
    """What is added to a kind, by path."""
    labels = {RUN: names.run, STORY: names.story}
    match kind:
        case "Namespace":
            return {"metadata.labels": {**labels, _PRIVILEGED: "privileged"}}
        case "Node":
            taint = {"key": STORY, "value": names.story, "effect": "NoSchedule"}
            return {"metadata.labels": labels, "spec.taints": [taint]}
        case "Pod":
            selector, toleration = {STORY: names.story}, _toleration(names)
            return {
                "metadata.labels": labels,
                "spec.nodeSelector": selector,
                "spec.tolerations": [toleration],
            }
        case "DeviceClass":
            return {"metadata.labels": labels, "spec.selectors": [_selector(names)]}
        case _:
            return {"metadata.labels": labels}


def unmarked(raw: Json, names: ScenarioNames) -> Json:
    """An object as the API server serves it, without the marks."""
    metadata = raw.get("metadata") or {}
    labels = _without(metadata.get("labels") or {}, {RUN, STORY, _PRIVILEGED})
    raw = {**raw, "metadata": _put(metadata, "labels", labels)}
    spec = raw.get("spec") or {}
    match raw.get("kind"):
        case "ResourceSlice":
            return unlimited_slice(raw, STORY)
        case "ResourceClaim":
            return unlimited_claim(raw, STORY)
        case "Node":
            spec = _put(spec, "taints", [one for one in spec.get("taints", ()) if one.get("key") != STORY])
        case "Pod":
            spec = _put(spec, "nodeSelector", _without(spec.get("nodeSelector") or {}, {STORY}))
            tolerations = [one for one in spec.get("tolerations", ()) if one != _toleration(names)]
            spec = _put(spec, "tolerations", tolerations)
            gates = [one for one in spec.get("schedulingGates", ()) if one["name"] != GIVEN]
            spec = _put(spec, "schedulingGates", gates)
            if raw.get("status"):
                raw = {**raw, "status": _without(raw["status"], _OF_CONTAINERS)}
        case "DeviceClass":
            selectors = [one for one in spec.get("selectors", ()) if one != _selector(names)]
            spec = _put(spec, "selectors", selectors)
        case _:
            return raw
    return {**raw, "spec": spec}


def unmarked_path(kind: str, path: str) -> str:
    """The path of a field error in the object without the marks."""
    return _SELECTOR.sub(lambda found: str(int(found[0]) - 1), path) if kind == "DeviceClass" else path


def _toleration(names: ScenarioNames) -> dict[str, str]:
    return {"key": STORY, "operator": "Equal", "value": names.story, "effect": "NoSchedule"}


def _selector(names: ScenarioNames) -> dict[str, Json]:
    return {"cel": {"expression": f'device.driver.startsWith("{names.prefix}.")'}}


def _with(raw: Json, parent: str, field: str, added: Json) -> Json:
    """With entries added to a map, or items to a list; a selector comes first, so that no other meets devices
    of others."""
    outer = {} if raw.get(parent) is None else raw[parent]
    inner = outer.get(field) if isinstance(outer, Mapping) else None
    if not isinstance(outer, Mapping) or not isinstance(inner, (type(added), type(None))):
        return raw
    if isinstance(added, dict):
        joined: Json = {**(inner or {}), **added}
    else:
        joined = [*added, *(inner or [])] if field == "selectors" else [*(inner or []), *added]
    return {**raw, parent: {**outer, field: joined}}


def _without(values: Mapping[str, Json], names: set[str]) -> dict[str, Json]:
    return {name: value for name, value in values.items() if name not in names}


def _put(values: Mapping[str, Json], field: str, value: Json) -> dict[str, Json]:
    """With a field set, or left out where nothing is in it."""
    return {**_without(values, {field}), **({field: value} if value else {})}

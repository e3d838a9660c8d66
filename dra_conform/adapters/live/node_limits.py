"""Node selection of a scenario's devices: they are available on nodes of the scenario only.

Other users of a cluster may have claims that any device satisfies. So `allNodes` becomes a node selector for
the label of the story, and every other node selector gets that as one more requirement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Json = Any


def limited_slice(raw: Json, label: str, story: str) -> Json:
    """A ResourceSlice, or a patch of one, as it is written."""
    required = {"key": label, "operator": "In", "values": [story]}
    return _each_holder(raw, lambda holder: _limited(holder, required))


def unlimited_slice(raw: Json, label: str) -> Json:
    """A ResourceSlice without the limits."""
    return _each_holder(raw, lambda holder: _unlimited(holder, label, {"allNodes": True}))


def unlimited_claim(raw: Json, label: str) -> Json:
    """A ResourceClaim; an allocation that is limited by nothing else has no node selector."""
    status = raw.get("status") or {}
    allocation = status.get("allocation")
    if not allocation:
        return raw
    return {**raw, "status": {**status, "allocation": _unlimited(allocation, label, {})}}


def _each_holder(raw: Json, change: Callable[[Json], Json]) -> Json:
    """With another form of whatever says on which nodes devices are: the spec, and its devices."""
    spec = raw.get("spec")
    if not isinstance(spec, Mapping):
        return raw
    spec = change(spec)
    if isinstance(spec.get("devices"), list):
        spec = {**spec, "devices": [_of_device(one, change) for one in spec["devices"]]}
    return {**raw, "spec": spec}


def _of_device(device: Json, change: Callable[[Json], Json]) -> Json:
    """In v1beta1 all about a device but its name is under `basic`."""
    if not isinstance(device, Mapping):
        return device
    if isinstance(device.get("basic"), Mapping):
        return {**device, "basic": change(device["basic"])}
    return change(device)


def _limited(holder: Mapping[str, Json], required: Json) -> Json:
    selector = holder.get("nodeSelector")
    if holder.get("allNodes") is True and selector is None and holder.get("nodeName") is None:
        rest = {name: value for name, value in holder.items() if name != "allNodes"}
        return {**rest, "nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [required]}]}}
    if not isinstance(selector, Mapping) or not isinstance(selector.get("nodeSelectorTerms"), list):
        return holder
    terms = selector["nodeSelectorTerms"]
    return {
        **holder,
        "nodeSelector": {**selector, "nodeSelectorTerms": [_with(one, required) for one in terms]},
    }


def _with(term: Json, required: Json) -> Json:
    """An empty term matches nothing and is left so."""
    if not isinstance(term, Mapping) or not term:
        return term
    expressions = term.get("matchExpressions") or []
    if not isinstance(expressions, list):
        return term
    return {**term, "matchExpressions": [*expressions, required]}


def _unlimited(holder: Mapping[str, Json], label: str, instead: Mapping[str, Json]) -> Json:
    """Without the requirement; `instead` of a node selector in which nothing else was."""
    selector = holder.get("nodeSelector")
    if not selector:
        return holder
    terms = [_without(term, label) for term in selector["nodeSelectorTerms"]]
    if any(terms) or not any(selector["nodeSelectorTerms"]):
        return {**holder, "nodeSelector": {**selector, "nodeSelectorTerms": terms}}
    return {**{name: value for name, value in holder.items() if name != "nodeSelector"}, **instead}


def _without(term: Json, label: str) -> Json:
    left = [one for one in term.get("matchExpressions", ()) if one.get("key") != label]
    rest = {name: value for name, value in term.items() if name != "matchExpressions"}
    return {**rest, "matchExpressions": left} if left else rest

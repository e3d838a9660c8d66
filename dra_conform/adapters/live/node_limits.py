"""Limits that make devices of a scenario available only on nodes of the scenario.

Other users of a cluster may have claims that any device satisfies. So `allNodes` becomes a node selector for
the label of the scenario, and every node selector gets the label as an additional requirement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dra_conform.kube.json_values import Json


def limited_slice(raw: Json, label: str, scenario_id: str) -> Json:
    """Return a ResourceSlice, or a patch of one, limited to nodes with the label of the scenario."""
    required = {"key": label, "operator": "In", "values": [scenario_id]}
    return _map_node_selection(raw, lambda item: _limited(item, required))


def unlimited_slice(raw: Json, label: str) -> Json:
    """Return a ResourceSlice without the added node limits."""
    return _map_node_selection(raw, lambda item: _unlimited(item, label, {"allNodes": True}))


def unlimited_claim(raw: Json, label: str) -> Json:
    """Return a ResourceClaim whose allocation has no added node limits.

    A node selector that becomes empty is removed.
    """
    status = raw.get("status") or {}
    allocation = status.get("allocation")
    if not allocation:
        return raw
    return {**raw, "status": {**status, "allocation": _unlimited(allocation, label, {})}}


def parts_with_node_selection(spec: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """Yield the parts of a ResourceSlice that can select nodes: its spec and its devices."""
    yield spec
    devices = spec.get("devices")
    for device in devices if isinstance(devices, (list, tuple)) else ():
        if isinstance(device, Mapping):
            yield device
            if isinstance(device.get("basic"), Mapping):
                yield device["basic"]


def is_limited(term: Json, label: str) -> bool:
    """Whether a node selector term matches only nodes with a value of a label; an empty term matches none."""
    if not term:
        return True
    expressions = term.get("matchExpressions") if isinstance(term, Mapping) else None
    return isinstance(expressions, list) and any(
        isinstance(item, Mapping) and item.get("key") == label and item.get("operator") == "In"
        for item in expressions
    )


def _map_node_selection(raw: Json, change: Callable[[Json], Json]) -> Json:
    """Return a ResourceSlice with `change` applied to its spec and its devices, which can select nodes."""
    spec = raw.get("spec")
    if not isinstance(spec, Mapping):
        return raw
    spec = change(spec)
    if isinstance(spec.get("devices"), list):
        spec = {**spec, "devices": [_map_device(device, change) for device in spec["devices"]]}
    return {**raw, "spec": spec}


def _map_device(device: Json, change: Callable[[Json], Json]) -> Json:
    """Apply `change` to a device; in v1beta1 its fields are under `basic`."""
    if not isinstance(device, Mapping):
        return device
    if isinstance(device.get("basic"), Mapping):
        return {**device, "basic": change(device["basic"])}
    return change(device)


def _limited(item: Mapping[str, Json], required: Json) -> Json:
    selector = item.get("nodeSelector")
    if item.get("allNodes") is True and selector is None and item.get("nodeName") is None:
        rest = {name: value for name, value in item.items() if name != "allNodes"}
        return {**rest, "nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [required]}]}}
    if not isinstance(selector, Mapping) or not isinstance(selector.get("nodeSelectorTerms"), list):
        return item
    terms = [_with(term, required) for term in selector["nodeSelectorTerms"]]
    return {**item, "nodeSelector": {**selector, "nodeSelectorTerms": terms}}


def _with(term: Json, required: Json) -> Json:
    """Return a node selector term with a requirement added; an empty term matches no node and stays empty."""
    if not isinstance(term, Mapping) or not term:
        return term
    expressions = term.get("matchExpressions") or []
    if not isinstance(expressions, list):
        return term
    return {**term, "matchExpressions": [*expressions, required]}


def _unlimited(item: Mapping[str, Json], label: str, replacement: Mapping[str, Json]) -> Json:
    """Remove the requirement for a label; `replacement` replaces a node selector that becomes empty."""
    selector = item.get("nodeSelector")
    if not selector:
        return item
    terms = [_without(term, label) for term in selector["nodeSelectorTerms"]]
    if any(terms) or not any(selector["nodeSelectorTerms"]):
        return {**item, "nodeSelector": {**selector, "nodeSelectorTerms": terms}}
    return {**{name: value for name, value in item.items() if name != "nodeSelector"}, **replacement}


def _without(term: Json, label: str) -> Json:
    left = [expression for expression in term.get("matchExpressions", ()) if expression.get("key") != label]
    rest = {name: value for name, value in term.items() if name != "matchExpressions"}
    return {**rest, "matchExpressions": left} if left else rest

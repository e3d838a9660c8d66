"""The question of an allocation, made from the setup: typed v1 objects, a node, and the claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.conformance.steps.given import CLASS, NODE, Given, claim_key, collected, not_in_setup
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.objects import decode
from dra_conform.kube.versions import to_v1

Json = Any


def convert(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return an object as the API server stores it: in v1, and ResourceClaims with defaults."""
    v1 = to_v1(dict(raw))
    return _defaulted(v1) if v1["kind"] == "ResourceClaim" else v1


def allocation_action(given: Given, names: Iterable[str], node: str) -> Mapping[str, Json]:
    """Return the action to allocate these ResourceClaims together on a node, by default the first node."""
    nodes = given.names("Node")
    if node and nodes and node not in nodes:
        raise StepError(not_in_setup("node", node, ", ".join(nodes)))
    keys = []
    for name in names:
        given.claim(name)
        keys.append(claim_key(name))
    if not keys:
        raise StepError("names no ResourceClaim, expected at least one")
    return {"node": node or (nodes or [NODE])[0], "claims": keys}


def build_question(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """Return the decoded objects of the setup, and the only action; raises DecodeErrors.

    Add the default node, and the default DeviceClass without selectors, if steps imply them.
    """
    [ask] = actions
    objects: list[dict[str, Json]] = []
    nodes = given.names("Node")
    if not nodes:
        nodes = [ask["node"]]
        objects.append(_named("v1", "Node", nodes[0]))
    if given.default_class and CLASS not in given.names("DeviceClass"):
        objects.append({**_named("resource.k8s.io/v1", "DeviceClass", CLASS), "spec": {}})
    objects += given.all_objects(nodes[0])
    for raw in objects:
        decode(raw)
    return collected(objects), ask


def _named(api_version: str, kind: str, name: str) -> dict[str, Json]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}


def _defaulted(claim: dict[str, Json]) -> dict[str, Json]:
    """Return the ResourceClaim with the defaults allocationMode ExactCount and count 1."""
    spec = claim.get("spec")
    devices = spec.get("devices") if isinstance(spec, dict) else None
    requests = devices.get("requests") if isinstance(devices, dict) else None
    if not isinstance(spec, dict) or not isinstance(devices, dict) or not isinstance(requests, list):
        return claim
    filled = []
    for request in requests:
        if not isinstance(request, dict):
            return claim
        defaulted = dict(request)
        if isinstance(defaulted.get("exactly"), dict):
            defaulted["exactly"] = _with_default_mode(defaulted["exactly"])
        if isinstance(defaulted.get("firstAvailable"), list):
            defaulted["firstAvailable"] = [
                _with_default_mode(sub) if isinstance(sub, dict) else sub
                for sub in defaulted["firstAvailable"]
            ]
        filled.append(defaulted)
    return {**claim, "spec": {**spec, "devices": {**devices, "requests": filled}}}


def _with_default_mode(requested: dict[str, Json]) -> dict[str, Json]:
    mode = requested.get("allocationMode", "ExactCount")
    count = {"count": requested.get("count", 1)} if mode == "ExactCount" else {}
    return {**requested, "allocationMode": mode, **count}

"""The operation `admit` on a control plane: writes as `dryRun` requests."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.initial_objects import (
    Objects,
    in_order,
    namespace,
    namespaces_of,
    node,
    stored,
)
from dra_conform.adapters.live.api import Api
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import RESOURCES, version_of
from dra_conform.adapters.live.user_rights import grant_rights
from dra_conform.cluster_state.components import APISERVER
from dra_conform.cluster_state.declared_features import declared_by
from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

_DRY_RUN = {"dryRun": "All", "fieldValidation": "Warn"}
_OF_SERVER = ("uid", "creationTimestamp", "resourceVersion", "generation", "managedFields")
"""The metadata fields that each API server sets to values of its own."""

_TRIES_WITH_NODES = 50
"""Tries of a write until the API server has seen the nodes in the store."""


class AdmitOperation:
    """The operation `admit` of a control plane. The objects of each request are removed afterwards."""

    def __init__(self, plane: ControlPlane, api: Api) -> None:
        self._plane = plane
        self._store = plane.store
        self._api = api
        self._everybody_may_write = False

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        """Send the write of a request; return the body of the result. Raises CannotRun."""
        self._plane.run_only((APISERVER,), profile)
        raw, old = ask["object"], ask.get("old")
        if not isinstance(raw.get("kind"), str) or raw["kind"] not in RESOURCES:
            return {
                "status": "unsupported",
                "message": f"kind {raw.get('kind')!r} has no URL on an API server",
            }
        if ask.get("user") and not self._everybody_may_write:
            grant_rights(self._api, "writes")
            self._everybody_may_write = True
        nodes = _emulated_nodes(raw, objects, profile)
        others = [item for item in in_order(objects) if item["kind"] != "Node"]
        existing = [*nodes, *others, *([old] if old else [])]
        namespaces = [namespace(name, {}) for name in namespaces_of([raw, *existing])]
        keys: dict[Key, None] = {}
        newest = ""
        for item in [*namespaces, *map(stored, existing)]:
            keys[key_in(item)] = None
            newest = self._store.put(key_in(item), item)
        written = _with_resource_version(raw, newest) if old else raw
        try:
            return _body(self._write_with_nodes(nodes, written, old, ask))
        finally:
            self._store.remove(keys)
            self._store.put(key_of("Namespace", "default"), namespace("default", {}))

    def _write_with_nodes(self, nodes: list[Json], raw: Json, old: Json, ask: Mapping[str, Json]) -> Answer:
        """Send the write; repeat it on Forbidden, because the API server may not have seen the nodes yet."""

        def not_forbidden() -> Answer | None:
            answer = self._write(raw, old, ask)
            return None if nodes and answer.reason == "Forbidden" else answer

        return poll(_TRIES_WITH_NODES, not_forbidden) or self._write(raw, old, ask)

    def _write(self, raw: Json, old: Json, ask: Mapping[str, Json]) -> Answer:
        _, raw_namespace, name = key_in(old or raw)
        resource, version, user = RESOURCES[raw["kind"]], version_of(raw), ask.get("user")
        if ask["verb"] == "create":
            address = resource.address(version, raw_namespace)
            return self._api.write("POST", address, raw, query=_DRY_RUN, user=user)
        address = resource.address(version, raw_namespace, name, ask.get("subresource", ""))
        return self._api.write("PUT", address, raw, query=_DRY_RUN, user=user)


def _with_resource_version(raw: Json, version: str) -> Json:
    """Return an update with the version of the stored object, which API servers require for some kinds."""
    metadata = raw.get("metadata")
    if not isinstance(metadata, dict) or "resourceVersion" in metadata:
        return raw
    return {**raw, "metadata": {**metadata, "resourceVersion": version}}


def _emulated_nodes(raw: Json, objects: Objects, profile: Profile) -> list[Json]:
    """Return the nodes of the setup and the nodes that a ResourceSlice names, as kubelets would create them.

    They declare all features of the profile, because `admit` is not about the features of nodes.
    """
    nodes = {item["metadata"]["name"]: item for item in objects.get("nodes", ())}
    spec = raw.get("spec") if raw["kind"] == "ResourceSlice" else None
    devices = spec.get("devices") if isinstance(spec, dict) else None
    with_node_name = [spec, *(devices if isinstance(devices, list) else ())]
    named = {item.get("nodeName") for item in with_node_name if isinstance(item, dict)}
    names = {*nodes, *(name for name in named if isinstance(name, str) and name and "/" not in name)}
    default = {"apiVersion": "v1", "kind": "Node", "status": {"declaredFeatures": declared_by(profile)}}
    return [node({**default, "metadata": {"name": name}, **nodes.get(name, {})}) for name in sorted(names)]


def _body(answer: Answer) -> dict[str, Json]:
    if answer.accepted:
        metadata = {name: value for name, value in answer.body["metadata"].items() if name not in _OF_SERVER}
        stored_object = {**answer.body, "metadata": metadata}
        return {"outcome": "admitted", "object": stored_object, "warnings": list(answer.warnings)}
    causes = (answer.body.get("details") or {}).get("causes") or () if answer.reason == "Invalid" else ()
    errors = [
        {"path": cause.get("field", ""), "type": cause["reason"], "detail": cause.get("message", "")}
        for cause in causes
    ]
    return {"outcome": "rejected", "reason": answer.reason, "message": answer.message, "errors": errors}

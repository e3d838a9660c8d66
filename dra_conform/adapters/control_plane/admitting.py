"""The operation `admit` on a control plane: writes as `dryRun` requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.initial_objects import (
    Objects,
    in_order,
    namespace,
    namespaces_of,
    node,
    stored,
)
from dra_conform.adapters.live.api import Answer, Api
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import RESOURCES, version_of
from dra_conform.adapters.live.user_rights import grant_rights
from dra_conform.controlplane.simulation.components import APISERVER
from dra_conform.controlplane.simulation.declared_features import declared_by
from dra_conform.controlplane.simulation.keys import Key, key_in, key_of
from dra_conform.kube.profile import Profile

Json = Any

_DRY_RUN = {"dryRun": "All", "fieldValidation": "Warn"}
_OF_SERVER = ("uid", "creationTimestamp", "resourceVersion", "generation", "managedFields")
"""Metadata that differs from one server to the next."""

_LOOKS_FOR_NODES = 50
"""So often a write is tried that needs to know of nodes which were put into the store."""


class Admitting:
    """The operation `admit` of a control plane. Nothing is left of a question when it is answered."""

    def __init__(self, plane: ControlPlane, api: Api) -> None:
        self._plane = plane
        self._store = plane.store
        self._api = api
        self._everybody_may_write = False

    def admit(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        """The body of a result; raises CannotRun."""
        self._plane.run_only((APISERVER,), profile)
        raw, old = ask["object"], ask.get("old")
        if not isinstance(raw.get("kind"), str) or raw["kind"] not in RESOURCES:
            return {"status": "unsupported", "message": "the request has no address without a known kind"}
        if ask.get("user") and not self._everybody_may_write:
            grant_rights(self._api, "writes")
            self._everybody_may_write = True
        nodes = _played_nodes(raw, objects, profile)
        others = [one for one in in_order(objects) if one["kind"] != "Node"]
        there = [*nodes, *others, *([old] if old else [])]
        given = [namespace(name, {}) for name in namespaces_of([raw, *there])]
        keys: dict[Key, None] = {}
        for one in [*given, *map(stored, there)]:
            keys[key_in(one)] = None
            self._store.put(key_in(one), one)
        try:
            return _body(self._write_seeing(nodes, raw, old, ask))
        finally:
            self._store.remove(keys)
            self._store.put(key_of("Namespace", "default"), namespace("default", {}))

    def _write_seeing(self, nodes: list[Json], raw: Json, old: Json, ask: Mapping[str, Json]) -> Answer:
        """Again where the API server may not have seen yet that the nodes are there."""

        def not_forbidden() -> Answer | None:
            answer = self._write(raw, old, ask)
            return None if nodes and answer.reason == "Forbidden" else answer

        return poll(_LOOKS_FOR_NODES, not_forbidden) or self._write(raw, old, ask)

    def _write(self, raw: Json, old: Json, ask: Mapping[str, Json]) -> Answer:
        _, room, name = key_in(old or raw)
        resource, version, user = RESOURCES[raw["kind"]], version_of(raw), ask.get("user")
        if ask["verb"] == "create":
            address = resource.address(version, room)
            return self._api.write("POST", address, raw, query=_DRY_RUN, user=user)
        address = resource.address(version, room, name, ask.get("subresource", ""))
        return self._api.write("PUT", address, raw, query=_DRY_RUN, user=user)


def _played_nodes(raw: Json, objects: Objects, profile: Profile) -> list[Json]:
    """The nodes that are given, and those that a slice names, as their kubelets would have made them.

    Whether the nodes of a slice can do what it wants is no question of one write.
    """
    given = {one["metadata"]["name"]: one for one in objects.get("nodes", ())}
    spec = raw.get("spec") if raw["kind"] == "ResourceSlice" else None
    devices = spec.get("devices") if isinstance(spec, dict) else None
    places = [spec, *(devices if isinstance(devices, list) else ())]
    named = {one.get("nodeName") for one in places if isinstance(one, dict)}
    names = {*given, *(name for name in named if isinstance(name, str) and name and "/" not in name)}
    plain = {"apiVersion": "v1", "kind": "Node", "status": {"declaredFeatures": declared_by(profile)}}
    return [node({**plain, "metadata": {"name": name}, **given.get(name, {})}) for name in sorted(names)]


def _body(answer: Answer) -> dict[str, Json]:
    if answer.taken:
        metadata = {name: value for name, value in answer.body["metadata"].items() if name not in _OF_SERVER}
        stored_object = {**answer.body, "metadata": metadata}
        return {"outcome": "admitted", "object": stored_object, "warnings": list(answer.warnings)}
    causes = (answer.body.get("details") or {}).get("causes") or () if answer.reason == "Invalid" else ()
    errors = [
        {"path": one.get("field", ""), "type": one["reason"], "detail": one.get("message", "")}
        for one in causes
    ]
    return {"outcome": "rejected", "reason": answer.reason, "message": answer.message, "errors": errors}

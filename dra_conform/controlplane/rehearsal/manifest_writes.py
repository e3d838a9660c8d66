"""Writes of manifests to the API server of a simulated cluster, as by `kubectl apply`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.server import Server, WriteResult

Json = Any


class ManifestWrites:
    """Applies objects one by one.

    `created` has each object of a create request with the answer of the API server. `rejected` has the
    messages of rejected writes of objects other than pods.
    """

    def __init__(self, server: Server) -> None:
        self.created: list[tuple[Json, WriteResult]] = []
        self.rejected: list[str] = []
        self._server = server
        self._seen: dict[Key, Json] = {}

    def load(self, objects: Iterable[Json]) -> list[Json]:
        """Store the objects that have a UID as existing objects without admission, and return them."""
        existing: dict[Key, Json] = {}
        for raw in objects:
            if raw["metadata"].get("uid"):
                existing.setdefault(key_in(raw), raw)
        for raw in existing.values():
            self._server.load(raw)
        self._seen |= existing
        return list(existing.values())

    def apply(self, raw: Json) -> None:
        """Create an object, or update an existing object that differs; its status is written separately."""
        named = bool(raw["metadata"].get("name"))
        key = key_in(raw)
        known = self._seen.get(key) if named else None
        if known is raw or known == raw:
            return
        if known is None:
            written = self._server.create(raw)
            self.created.append((raw, written))
            if raw["kind"] != "Pod":
                self._record_rejection(raw, written)
        else:
            self._record_rejection(raw, self._server.update(raw))
        if named:
            if "status" in raw:
                self._record_rejection(raw, self._server.update(raw, "status"))
            self._seen[key] = raw

    def _record_rejection(self, raw: Json, written: WriteResult) -> None:
        if written["outcome"] == "rejected":
            name = raw["metadata"].get("name", "")
            self.rejected.append(f"{raw['kind']} {name}: {written.get('message', '')}")
